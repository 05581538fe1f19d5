package amend

import (
	"context"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// fake is a session of eight messages, with edits over it.
type fake struct {
	edits    []edit.Edit
	segments []review.Segment
	late     bool // edits come after Edits was asked once
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
		f.late = false
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
