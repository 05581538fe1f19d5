package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// check compares the database with the naive idea of it.
func (l *editLife) check(what string) {
	l.t.Helper()
	plain := l.plain.sessions()
	all := l.sessions()
	for name, s := range all {
		now, recorded := l.views(s.ID)
		for n, text := range recorded {
			want := l.want(n, text)
			maps.DeleteFunc(want, func(part int, _ string) bool { // an edit may be gone that was lost
				return now[n][part] == "" && l.lost[stood{text, part}]
			})
			if now[n][0] == text && l.lost[stood{text, 0}] {
				want[0] = text
			}
			if !maps.Equal(now[n], want) && !l.twice[text] {
				l.t.Fatalf("%s: %s says %v where %q was recorded, want %v", what, name, now[n], text, want)
			}
		}
		if p, ok := plain[name]; ok && !slices.EqualFunc(l.recorded(l.s, s), l.recorded(l.plain.s, p), sameRecorded) {
			l.t.Fatalf("%s: what %s has recorded is not what it is without edits", what, name)
		}
		delete(plain, name)
	}
	for name := range plain {
		l.t.Fatalf("%s: no session %s", what, name)
	}
	for more := l.IntN(3) == 0; more; {
		var err error
		if more, err = l.s.IndexText(l.t.Context(), 0); err != nil {
			l.t.Fatal(err)
		}
	}
	l.verdicts(func(key verdictKey, text string) {
		if !l.given[key][text] {
			l.t.Fatalf("%s: %s of %s on %q, which nobody judged", what, key.verdict, key.at, text)
		}
	})
	clean(l.t, l.s)
}

// recorded is what was recorded of a session.
func (l *editLife) recorded(s *Store, st review.Session) []chat.Message {
	l.t.Helper()
	list, err := s.RecordedMessages(l.t.Context(), st.Body, 1, st.Messages)
	if err != nil {
		l.t.Fatal(err)
	}
	return list
}

// sameRecorded compares a message with that of the database without edits, to the last
// byte. What a curator judged stays when its file is written anew, as a session of the
// same family. If it held more lines of an answer than the file has now, the answer has
// them all, in no line of the file.
func sameRecorded(m, plain chat.Message) bool {
	if m.SourceLine == 0 && m.N == plain.N && m.Role == chat.Assistant && plain.Role == m.Role {
		return strings.Contains("\n"+m.Content+"\n", "\n"+plain.Content+"\n")
	}
	return string(chat.AppendMessage(nil, &m)) == string(chat.AppendMessage(nil, &plain))
}

// act does one thing by chance, and tells what. An import is one in so many.
func (l *editLife) act(imports int) string {
	if l.IntN(imports) == 0 {
		l.change()
		l.imported()
		return "import"
	}
	switch l.IntN(7) {
	case 0, 1, 2:
		l.edits()
		return "edit"
	case 3, 4:
		l.step(true)
		return "undo"
	case 5:
		l.step(false)
		return "redo"
	}
	l.judge()
	return "judge"
}

// TestManyEdits makes thousands of edits of all kinds, with undos, redos, verdicts and
// imports in between. What was recorded is the same to the last byte as without them.
func TestManyEdits(t *testing.T) {
	l := newEditLife(t, 1)
	for i := 1; l.made < 10_000/slower/slower; i++ {
		if what := l.act(20); i%200 == 0 {
			l.check(fmt.Sprintf("step %d, %s", i, what))
		}
	}
	l.check("in the end")
}

// TestEditsBesideImports edits, judges, undoes and imports at random.
func TestEditsBesideImports(t *testing.T) {
	for seed := range uint64(160 / slower / slower) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			l := newEditLife(t, seed)
			for i := range 60 {
				what := l.act(5)
				if (i+1)%checkEvery != 0 {
					continue
				}
				if l.check(fmt.Sprintf("step %d, %s", i, what)); t.Failed() {
					t.FailNow()
				}
			}
		})
	}
}
