package httpd

import (
	"context"
	"errors"
	"strings"
	"testing"

	"winnow/core/inbox"
)

// slowStore writes uploads as a test says.
type slowStore struct {
	Store
	put  func(list []*inbox.Arrival) error
	kept []inbox.Arrival
}

func (s *slowStore) PutIngests(_ context.Context, list []*inbox.Arrival) error {
	if err := s.put(list); err != nil {
		return err
	}
	for _, a := range list {
		s.kept = append(s.kept, *a)
	}
	return nil
}

// TestReceiptsThatChangeWhileTheyAreWritten: what becomes of an upload meanwhile is
// written, too; what could not be written is tried again, and told once.
func TestReceiptsThatChangeWhileTheyAreWritten(t *testing.T) {
	at := func(o inbox.Outcome) inbox.Arrival { return inbox.Arrival{Receipt: inbox.Receipt{ID: "1", Outcome: o}} }
	st, warned := &slowStore{}, 0
	r := newReceipts(&Server{Options: Options{Store: st, Warn: func(string, ...any) { warned++ }}})
	st.put = func([]*inbox.Arrival) error { return errors.New("locked") }
	r.put(at(inbox.Stored))
	for range 3 {
		if r.write(t.Context()) {
			t.Error("it was not written")
		}
	}
	if warned != 1 {
		t.Errorf("told %d times", warned)
	}
	st.put = func([]*inbox.Arrival) error {
		r.put(at(inbox.Grown)) // nobody waits for the writer
		return nil
	}
	if !r.write(t.Context()) {
		t.Error("it was written")
	}
	if a, ok, err := r.find(t.Context(), "1"); !ok || err != nil || a.Outcome != inbox.Grown {
		t.Errorf("%+v, %v, %v", a, ok, err)
	}
	st.put = func([]*inbox.Arrival) error { return nil }
	if !r.write(t.Context()) || len(r.fresh) != 0 {
		t.Errorf("%d are left", len(r.fresh))
	}
	var all []string
	for _, a := range st.kept {
		all = append(all, string(a.Outcome))
	}
	if strings.Join(all, " ") != "stored grown" {
		t.Errorf("written: %q", all)
	}
}
