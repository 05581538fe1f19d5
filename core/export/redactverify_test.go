package export

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/export/lineage"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/secret/secrettest"
)

// What shows only when texts are put together leaves the sample out, and not
// the whole export without a result.
func TestASecretMadeOfTwoTextsIsLeftOut(t *testing.T) {
	l := good(1)
	l.add(nil, user("the access token:"), user("k9X2mQ7w"+"R4tZ8pL1vB6nH3sD5"), says("thanks"))
	r := run(t, l, Options{Path: filepath.Join(t.TempDir(), "out.jsonl"), As: "llamafactory", Redact: &Redaction{}})
	if r.Written != 1 || len(r.LeftOut) != 1 || r.LeftOut[0].Check != "secret" || !strings.Contains(r.LeftOut[0].Detail, "conversations.0.value") {
		t.Errorf("%d written, %+v left out", r.Written, r.LeftOut)
	}
}

func TestWhatIsWrittenIsScannedAgain(t *testing.T) {
	redactor, err := newRedactor(&Options{Redact: &Redaction{Users: []string{"mariekej"}}})
	if err != nil {
		t.Fatal(err)
	}
	key := secrettest.All()[0].Value
	clean := `{"messages":[{"role":"user","content":"hello"}]}` + "\n"
	for _, c := range []struct{ record, field string }{
		{`{"messages":[{"role":"user","content":"` + key + `"}]}`, "messages.0.content"},
		{`{"messages":[{"role":"user","content":"\u0041` + key[1:] + `"}]}`, "messages.0.content"},
		{`{"messages":[],"tools":"[{\"name\":\"sh\",\"x\":\"{\\\"password\\\":\\\"hunter2\\\"}\"}]"}`, "tools"},
		{`{"a":{"password":"hunter2"}}`, "a.password"},
		{`{"a":"so mariekej says"}`, "a"},
		{`{"a":{"` + key + `":1}}`, "a"},
		{`{"a":`, "no JSON"},
	} {
		err := redactor.verify(t.Context(), strings.NewReader(strings.Repeat(clean, 5)+c.record+"\n"+clean))
		if err == nil || !strings.Contains(err.Error(), "line 6") || !strings.Contains(err.Error(), c.field) || strings.Contains(err.Error(), key[4:]) {
			t.Errorf("%s: %v", c.record, err)
		}
	}
	many := bytes.Repeat([]byte(clean), 3*verifyBatch/len(clean)/slower)
	if err := redactor.verify(t.Context(), bytes.NewReader(many)); err != nil {
		t.Error(err)
	}
	lines := bytes.Count(many, []byte("\n"))
	err = redactor.verify(t.Context(), bytes.NewReader(append(many, `{"a":"`+key+`"}`+"\n"...)))
	if want := fmt.Sprintf("line %d,", lines+1); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Names of users stand in the paths and the filter of a data set's manifest and
// card no more than in its samples.
func TestManifestPathsHoldNoNames(t *testing.T) {
	l := good(1)
	key := secrettest.All()[0].Value
	for _, file := range []string{"/home/mariekej/work/a.jsonl", "/srv/zebedee/a.jsonl", "/Users/okonkwo/" + key + "/a.jsonl", "/home/curator/a.jsonl"} {
		l.add(func(seg *review.Segment, _ *review.Session) { seg.SessionFile = file }, user("question 9"), says("answer"))
		l.add(func(seg *review.Segment, _ *review.Session) { seg.SessionFile = file }, user("question 9"), calls("open"))
	}
	out := t.TempDir() + "/set/"
	others := filter.Not{Of: filter.Term{Field: filter.File, Op: filter.Is, Value: "/home/mariekej/old"}}
	r := run(t, l, Options{
		Path: out, Selection: Selection{Filter: others}, Redact: &Redaction{Users: []string{"zebedee"}}, Home: "/home/curator",
	})
	text := read(t, filepath.Join(out, lineage.ManifestName)) + read(t, filepath.Join(out, cardName))
	for _, left := range []string{"mariekej", "zebedee", "okonkwo", "curator/", key} {
		if strings.Contains(text, left) {
			t.Errorf("%s is left in %s", left, text)
		}
	}
	for _, want := range []string{`/home/<REDACTED:user-name>/work/a.jsonl`, `/home/<REDACTED:user-name>/old`, `"~/a.jsonl`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if r.Written != 5 || len(r.LeftOut) != 4 {
		t.Errorf("%d written, %d left out", r.Written, len(r.LeftOut))
	}
}

// Whatever brought a secret into the file, the last look at it ends the export.
func TestNoFileWithASecretGetsItsName(t *testing.T) {
	e, err := Find("kto")
	if err != nil {
		t.Fatal(err)
	}
	e.finish = func(dst, lines []byte, _ int, _ []string) []byte {
		return append(dst, bytes.Replace(lines, []byte(`"four"`), []byte(`"sk_live_`+`4eC39HqLyjWDarjtT1zdp7dc"`), 1)...)
	}
	defer func() { e.finish = nil }()
	l := &library{}
	l.add(nil, user("two and two?"), says("four"))
	dir := t.TempDir()
	_, err = Run(t.Context(), l, Options{Path: filepath.Join(dir, "out.jsonl"), As: "kto", Redact: &Redaction{}}, nil)
	if !errors.Is(err, errSecretLeft) || folder(t, dir) != "" {
		t.Errorf("%v, %q", err, folder(t, dir))
	}
}
