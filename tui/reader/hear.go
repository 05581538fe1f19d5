package reader

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/voice"
)

// written reports whether somebody wrote message n, which has the user's role:
// the digest knows, if it was made, else the text does. known is false if neither
// is here.
func (r *Reader) written(n int) (written, known bool) {
	for _, s := range r.sketches {
		if s.done && s.problem == "" && s.seg.ID == r.seg.ID && s.seg.Body == r.seg.Body && s.seg.Start == r.seg.Start && s.seg.End == r.seg.End && s.recorded == (r.view == Recorded) {
			_, found := slices.BinarySearch(s.draft.Prompts(), n)
			return found, true
		}
	}
	if d := r.shelf.document(r.seg.Body, n); d != nil {
		return d.written, true
	}
	return false, false
}

// hear lets a jump wait for the text of message n.
func (r *Reader) hear(j jump, n int) tea.Cmd {
	j.n = n
	r.jump = &j
	if r.loading[n] {
		return nil
	}
	cmd := r.askRun(n, j.step)
	if cmd != nil { // else others are under way, and the jump goes on after them
		j.asked = n
	}
	return cmd
}

// Wrote reports whether somebody wrote a message, as far as it tells itself.
func Wrote(m *chat.Message) bool {
	v, _ := voice.Of(m)
	return m.Role == chat.User && (v == voice.Person || v == voice.Reset)
}
