package store

import (
	"reflect"
	"testing"

	"winnow/core/chat"
)

func TestWriteImportKeepsEverything(t *testing.T) {
	s := openTemp(t)
	list := talk(10, "hello")
	w := write("/a.jsonl", list)
	ids := put(t, s, w)
	st, err := s.LoadSession(t.Context(), "default", "/a.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Messages(t.Context(), st.Body, 1, 10)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, list) {
		t.Errorf("messages differ:\n%+v\n%+v", got, list)
	}
	heads, err := s.Heads(t.Context(), st.Body, 1, 10)
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	var have []any
	for i := range list {
		want = append(want, w.Sessions[0].Chunks[i/3].Heads[i%3])
		have = append(have, heads[i])
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("heads differ:\n%+v\n%+v", have, want)
	}
	if st.LastChunk != 10 || len(st.Segments) != 1 || string(st.Segments[0].HashState) != "state" {
		t.Errorf("stored session %+v", st)
	}
	if st.Segments[0].ID != ids[0] || st.Segments[0].Digest != chat.DigestOf(list) {
		t.Errorf("segment %+v", st.Segments[0])
	}
	page, err := s.Segments(t.Context(), reviewAll(10))
	if err != nil || len(page.Segments) != 1 {
		t.Errorf("page %+v %v", page, err)
	}
}
