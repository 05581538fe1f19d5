package amend

import (
	"context"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// fake is a session of eight messages, with edits over it.
type fake struct {
	edits    []edit.Edit
	segments []review.Segment
	late     bool // edits come after Edits was asked
}

func (f *fake) EachRecorded(_ context.Context, _ int64, from, to int, do func(*chat.Message) error) error {
	for n := max(from, 1); n <= min(to, 8); n++ {
		m := chat.Message{N: n, Role: chat.User, Content: "text " + string(rune('0'+n))}
		if n%2 == 0 {
			m.Role = chat.Assistant
		}
		if err := do(&m); err != nil {
			return err
		}
	}
	return nil
}

func (f *fake) EachMessage(ctx context.Context, body int64, from, to int, do func(*chat.Message) error) error {
	o := edit.NewOverlay(f.edits)
	return f.EachRecorded(ctx, body, from, to, func(m *chat.Message) error {
		for now := range o.At(m) {
			if err := do(now); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *fake) Messages(ctx context.Context, body int64, from, to int) (list []chat.Message, err error) {
	err = f.EachMessage(ctx, body, from, to, func(m *chat.Message) error { list = append(list, *m); return nil })
	return list, err
}

func (f *fake) Edits(context.Context, int64, int, int) ([]edit.Edit, error) {
	if f.late {
		return nil, nil
	}
	return f.edits, nil
}

func (f *fake) SegmentsOf(context.Context, string) ([]review.Segment, error) { return f.segments, nil }

func dropped(n int) edit.Edit {
	return edit.Edit{Place: edit.Place{N: n}, Op: edit.Drop, Why: edit.Fix}
}

func added(n, part int) edit.Edit {
	return edit.Edit{Place: edit.Place{N: n, Part: part}, Op: edit.Add, Why: edit.Fix, Message: chat.Message{Role: chat.User, Content: "secret"}}
}

// changed are the places that a row changes in the messages from..to of the fake.
func changed(t *testing.T, f *fake, from, to int, r Row) (places []string, err error) {
	t.Helper()
	r.ID, r.Version = "ab", Recorded
	a := Asked{Store: f, Find: func(context.Context, string) (Span, error) {
		return Span{Session: "ab", From: from, To: to, Messages: 8}, nil
	}}
	err = a.Take(t.Context(), &r)
	for _, c := range a.Changes {
		places = append(places, edit.Name(c.N, c.Part)+string(c.Op))
	}
	return places, err
}

// TestRevertOfARun brings back what drop takes out, and keeps what that keeps; all of a
// segment goes with all that was added to it.
func TestRevertOfARun(t *testing.T) {
	f := &fake{edits: []edit.Edit{dropped(4), added(4, 1), dropped(5), added(5, 1)}}
	for _, c := range []struct {
		name     string
		from, to int
		row      Row
		want     []string
	}{
		{"run", 1, 8, Row{Place: Place{N: 4, To: 5}}, []string{"4", "4+1", "5"}},
		{"message", 1, 8, Row{Place: Place{N: 5}}, []string{"5"}},
		{"added", 1, 8, Row{Place: Place{N: 5, Part: 1}}, []string{"5+1"}},
		{"segment", 4, 5, Row{All: true}, []string{"4", "4+1", "5", "5+1"}},
		{"segment of one message", 5, 5, Row{All: true}, []string{"5", "5+1"}},
	} {
		c.row.Do = Revert
		got, err := changed(t, f, c.from, c.to, c.row)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// TestSquashStaysInItsSegment refuses one over a boundary: the message would be in the
// segment of one part, and stand for the other one, too.
func TestSquashStaysInItsSegment(t *testing.T) {
	f := &fake{segments: []review.Segment{{Start: 1, End: 4}, {Start: 5, End: 8}}}
	row := func(n, to int) Row {
		return Row{Do: Squash, Place: Place{N: n, To: to}, Message: chat.Message{Role: chat.User}}
	}
	for r, want := range map[[2]int]string{{2, 4}: "1add", {5, 6}: "6add", {1, 2}: "0add"} {
		got, err := changed(t, f, 1, 8, row(r[0], r[1]))
		if err != nil || !slices.Contains(got, want) {
			t.Errorf("%v: %q, %v", r, got, err)
		}
	}
	for _, r := range [][2]int{{4, 5}, {1, 8}, {3, 6}} {
		got, err := changed(t, f, 1, 8, row(r[0], r[1]))
		if err == nil || !strings.Contains(err.Error(), "begins with message 5") || len(got) > 0 {
			t.Errorf("%v: %q, %v", r, got, err)
		}
	}
}

// TestRedactionOfWhatCameSince: what was added after the edits were read is redacted
// like others.
func TestRedactionOfWhatCameSince(t *testing.T) {
	f := &fake{edits: []edit.Edit{added(3, 1)}, late: true}
	r := Redaction{Store: f, Replace: func(text string) string { return strings.ReplaceAll(text, "secret", "[X]") }}
	if err := r.Take(t.Context(), &review.Session{ID: "ab", Messages: 8}); err != nil {
		t.Fatal(err)
	}
	if len(r.Changes) != 1 || r.Changes[0].Op != edit.Add || r.Changes[0].Message.Content != "[X]" {
		t.Errorf("%+v", r.Changes)
	}
}
