package export

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// forks has a session, a branch of it after message 3 and a branch of that
// after message 1.
func forks() *library {
	l := &library{}
	own := func(body int64, at int, parent string) func(*review.Segment, *review.Session) {
		return func(_ *review.Segment, sess *review.Session) {
			sess.Body, sess.Parent = body, parent
			if parent != "" {
				sess.Origin = session.Origin{Kind: session.Branch, At: at}
			}
		}
	}
	say := func(role chat.Role, text string) chat.Message { return chat.Message{Role: role, Content: text} }
	l.add(own(0, 0, ""), say(chat.System, "be brief"), say(chat.User, "ask"), say(chat.Assistant, "which?"), say(chat.User, "one"), say(chat.Assistant, "first"))
	l.add(own(1, 3, "session-0"), say(chat.User, "two"), say(chat.Assistant, "second"), say(chat.User, "more"), say(chat.Assistant, "third"))
	l.add(own(2, 1, "session-1"), say(chat.Assistant, "other"))
	return l
}

// said returns roles and texts of a sample in short, a trained one marked.
func said(s *Sample) string {
	var b strings.Builder
	for _, m := range s.Messages {
		b.WriteString(" " + m.Content)
		if m.Train {
			b.WriteString("*")
		}
	}
	return b.String()[1:]
}

func TestABranchHasWhatStandsBeforeItsFork(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(l *library)
		segment int
		want    string
		left    string // check
	}{
		"a branch":          {segment: 1, want: "be brief ask which? two second* more third*"},
		"a branch of it":    {segment: 2, want: "be brief ask which? two other*"},
		"none":              {segment: 0, want: "be brief ask which?* one first*"},
		"an unknown place":  {segment: 1, change: func(l *library) { l.alter("session-1", func(s *review.Session) { s.Origin.At = 0 }) }, left: fork},
		"an unknown parent": {segment: 1, change: func(l *library) { l.alter("session-1", func(s *review.Session) { s.Parent = "gone" }) }, left: fork},
		"in a circle": {segment: 2, change: func(l *library) {
			l.alter("session-1", func(s *review.Session) { s.Parent = "session-2"; s.Origin.At = 1 })
		}, left: fork},
		"a later segment": {segment: 1, change: func(l *library) { l.segments[1].Start = 3 }, want: "be brief more third*"},
		"after a compaction": {segment: 1, change: func(l *library) {
			m := &l.messages[0][2]
			m.Role, m.Content, m.Marks = chat.User, "so far: nothing", chat.MarkCompaction
		}, want: "be brief so far: nothing two second* more third*"},
		"of a sub-agent": {segment: 1, change: func(l *library) {
			l.alter("session-1", func(s *review.Session) { s.Origin.Kind = session.Subagent })
		}, want: "two second* more third*"},
	} {
		t.Run(name, func(t *testing.T) {
			l := forks()
			if c.change != nil {
				c.change(l)
			}
			opts := &Options{As: "hf"}
			read, err := opts.reader(l).read(t.Context(), &l.segments[c.segment])
			if err != nil {
				t.Fatal(err)
			}
			e, err := Find("hf")
			if err != nil {
				t.Fatal(err)
			}
			m := maker{emitter: e, opts: opts}
			w := &sampling{candidate: read}
			w.begin(&m)
			s := w.sample
			w.finish(&m)
			switch {
			case c.left != "":
				if len(w.findings) == 0 || w.findings[0].Check != c.left {
					t.Errorf("found %v, want %s", w.findings, c.left)
				}
			case len(w.findings) > 0 || said(s) != c.want:
				t.Errorf("got  %s %v\nwant %s", said(s), w.findings, c.want)
			}
		})
	}
}

// alter changes a session.
func (l *library) alter(id string, change func(*review.Session)) {
	s := l.sessions[id]
	change(&s)
	l.sessions[id] = s
}

// TestForksStayTogether splits the branches of sessions, some of which are not
// exported themselves: all of a session's are in one part.
func TestForksStayTogether(t *testing.T) {
	var rows []row
	for i := range 200 {
		parent, branch := fmt.Sprint("s", i/3), fmt.Sprint("b", i)
		r := rowSaying(branch, branch, fmt.Sprint("text ", i, " of its own"))
		r.path, r.lot = []string{parent}, lotOf(&review.Session{File: branch}, 1)
		rows = append(rows, r)
	}
	parts := map[string]string{}
	for i, v := range decide(rows, &Options{Splits: twoParts}) {
		parent := rows[i].path[0]
		if was, met := parts[parent]; met && was != v.split {
			t.Errorf("branches of %s are in %s and %s", parent, was, v.split)
		}
		parts[parent] = v.split
	}
}

// TestBranchesAreNoDuplicates exports branches with a long common beginning.
func TestBranchesAreNoDuplicates(t *testing.T) {
	l := forks()
	l.messages[0][1].Content = strings.Repeat("a long question that both branches begin with ", 200)
	report, err := Run(t.Context(), l, Options{As: "hf", Check: true, Dedupe: DedupeNear}, nil)
	if err != nil || report.Written != 3 {
		t.Errorf("%d of 3 written: %v", report.Written, err)
	}
}
