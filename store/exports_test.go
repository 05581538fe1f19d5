package store

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/review"
)

func TestExportsAreRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "winnow.db")
	at := time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC)
	clock := func() time.Time { at = at.Add(time.Minute); return at }
	s, err := Open(t.Context(), path, Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	var want []review.Exported
	for i := range 5 {
		e := review.Exported{
			Curator: "ann", Target: "set/'); DROP TABLE exports; --", Format: "hf", Options: jsontext.Value(`{"redact":true}`),
			Candidates: 9, Samples: 7, Rows: 8, Tokens: 100, LeftOut: 2,
		}
		for n := range i {
			e.Files = append(e.Files, review.ExportedFile{Path: fmt.Sprint("data/", n), Split: "train", Rows: n, Bytes: 1 << 40, SHA256: "ab"})
		}
		got, err := s.RecordExport(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		e.ID, e.At = int64(i+1), at
		if !reflect.DeepEqual(got, e) {
			t.Errorf("%+v\nwant %+v", got, e)
		}
		want = append([]review.Exported{e}, want...)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), path, Options{}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	first, err := s.Exports(t.Context(), 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := s.Exports(t.Context(), first[2].ID, 3)
	if err != nil || !reflect.DeepEqual(append(first, rest...), want) {
		t.Errorf("%+v, %v\nwant %+v", append(first, rest...), err, want)
	}
	if _, err := s.Exports(t.Context(), 0, 0); err == nil {
		t.Error("a limit of 0 was taken")
	}
}
