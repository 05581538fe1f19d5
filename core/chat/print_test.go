package chat

import "testing"

func TestPrintStaysWhenTheHasherGoesOn(t *testing.T) {
	h := NewHasher()
	h.Add(&Message{Role: User, Content: "hi"})
	h.Add(&Message{Role: Assistant, Content: "hello", Reasoning: "a greeting"})
	p, digest := h.Print(), h.Digest()
	var want []string
	for n := range 5 {
		want = append(want, h.Nth(n))
	}
	h.Add(&Message{Role: User, Content: "more"})
	if h.Print() == p {
		t.Error("another run has the same print")
	}
	h.Reset()
	if p.Digest != digest || p.IsZero() {
		t.Errorf("print %+v of %+v", p, digest)
	}
	for n := range want {
		if got := p.Nth(n); got != want[n] {
			t.Errorf("number %d: %s, want %s", n, got, want[n])
		}
	}
	if want[2] == want[3] || want[0] != want[1] {
		t.Errorf("numbers %v", want)
	}
	if empty := h.Print(); empty.Fingerprint != "e3b0c44298fc1c14" || empty.IsZero() {
		t.Errorf("no messages: %+v", empty)
	}
	if (Print{}).Nth(2) != "" || !(Print{}).IsZero() {
		t.Error("the zero print is of something")
	}
}
