package memory

import (
	"testing"

	"winnow/core/chat"
)

func TestContentKeyHoldsWhatWasSaid(t *testing.T) {
	a := chat.DigestOf([]chat.Message{{Role: chat.User, Content: "one"}})
	b := chat.DigestOf([]chat.Message{{Role: chat.User, Content: "two"}})
	if a.Detail != b.Detail {
		t.Fatal("details tell texts apart: the key need not")
	}
	if ContentKey(a) == ContentKey(b) {
		t.Error("two contents have one key")
	}
	edited := a
	edited.Edited = "0123456789abcdef"
	if ContentKey(a) == ContentKey(edited) {
		t.Error("an edit leaves the key as it was")
	}
}
