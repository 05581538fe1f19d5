package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// drops takes a message out; puts puts one after message n.
func drops(session string, n int, why edit.Why) review.EditChange {
	return review.EditChange{Session: session, N: n, Op: edit.Drop, Why: why}
}

func puts(session string, n int, role chat.Role, text string) review.EditChange {
	return review.EditChange{Session: session, N: n, Op: edit.Add, Message: chat.Message{Role: role, Content: text}}
}

// shown are the places and texts of a session as they are now, and checks that index
// entries tell the same.
func shown(t testing.TB, s *Store, session string, from, to int) (list []string) {
	t.Helper()
	st, err := s.SessionByID(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	messages, err := s.Messages(t.Context(), st.Body, from, to)
	if err != nil {
		t.Fatal(err)
	}
	heads, err := s.Heads(t.Context(), st.Body, from, to)
	if err != nil || len(heads) != len(messages) {
		t.Fatalf("%d heads of %d messages: %v", len(heads), len(messages), err)
	}
	for i := range messages {
		m, h := &messages[i], &heads[i]
		want := review.HeadOf(m)
		if want.Part = m.Part; h.N != m.N || h.Part != m.Part || h.ContentLen != want.ContentLen || h.Tokens != want.Tokens || h.Role != want.Role {
			t.Errorf("head %+v of message %+v", h, m)
		}
		list = append(list, fmt.Sprintf("%d.%d %s", m.N, m.Part, m.Content))
	}
	return list
}

func TestDropAndAdd(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	before := segment(t, s, ids[0])
	judge(t, s, "bob", review.Approved, ids...)
	e := amend(t, s, "ann", drops(session, 4, edit.Fix), puts(session, 0, chat.System, "be brief"), puts(session, 4, chat.User, "and"),
		puts(session, 4, chat.Assistant, "yes"), puts(session, 16, chat.User, "thanks"), drops(session, 5, edit.Redact))
	if len(e.Edits) != 6 || e.Edits[0].Part != 1 || e.Edits[3].Part != 2 {
		t.Errorf("entry %+v", e.Edits)
	}
	want := []string{"0.1 be brief", "1.0 x 1", "2.0 x 2", "3.0 x 3" + "", "4.1 and", "4.2 yes", "6.0 x 6"}
	got := shown(t, s, session, 1, 6)
	got[3] = got[3][:len("3.0 x 3")]
	if !slices.Equal(got, want) {
		t.Errorf("now\n%q, want\n%q", got, want)
	}
	if got := shown(t, s, session, 5, 5); len(got) != 0 {
		t.Errorf("dropped, and there: %q", got)
	}
	if got := shown(t, s, session, 16, 16); !slices.Equal(got[1:], []string{"16.1 thanks"}) {
		t.Errorf("last %q", got)
	}
	if got := verdicts(t, s, ids); got != "paap" {
		t.Errorf("verdicts %s", got)
	}
	sealed, err := s.Sealed(t.Context())
	m, _ := s.RecordedMessages(t.Context(), before.Body, 5, 5)
	if err != nil || len(sealed) != 1 || !sealed[graph.SayingOf(&m[0])] {
		t.Errorf("sealed %v %v", sealed, err)
	}
	clean(t, s)
	after := segment(t, s, ids[0])
	undo(t, s, "ann")
	if got := verdicts(t, s, ids); got != "aaaa" || segment(t, s, ids[0]).Digest != before.Digest {
		t.Errorf("verdicts %s", got)
	}
	if sealed, err = s.Sealed(t.Context()); err != nil || len(sealed) > 0 {
		t.Errorf("sealed %v %v", sealed, err)
	}
	clean(t, s)
	redo(t, s, "ann")
	if got := segment(t, s, ids[0]); got.Digest != after.Digest || !got.Stale {
		t.Errorf("given again %+v", got)
	}
	clean(t, s)
}

func TestPartsOfAMessage(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, four(t, s)[0])
	nothing := func(c review.EditChange) {
		t.Helper()
		if e := amend(t, s, "ann", c); e.ID != 0 {
			t.Errorf("entry %+v", e)
		}
	}
	at := func(part int, c review.EditChange) review.EditChange { c.Part = part; return c }
	nothing(at(1, review.EditChange{Session: session, N: 3}))
	nothing(at(1, drops(session, 3, "")))
	amend(t, s, "ann", puts(session, 3, chat.User, "one"), puts(session, 3, chat.User, "two"))
	nothing(at(1, puts(session, 3, chat.User, "one")))
	amend(t, s, "ann", at(1, puts(session, 3, chat.User, "first")))
	amend(t, s, "ann", at(2, drops(session, 3, "")))
	nothing(at(2, review.EditChange{Session: session, N: 3}))
	amend(t, s, "ann", puts(session, 3, chat.User, "other two"), at(4, puts(session, 3, chat.User, "four")), puts(session, 3, chat.User, "five"))
	if got := shown(t, s, session, 3, 3)[1:]; !slices.Equal(got, []string{"3.1 first", "3.2 other two", "3.4 four", "3.5 five"}) {
		t.Errorf("now %q", got)
	}
	clean(t, s)
	first, other := chat.Message{Role: chat.User, Content: "first"}, chat.Sum{}
	seen := chat.SumOf(&first)
	c := at(1, puts(session, 3, chat.User, "mine"))
	c.Seen = &other
	_, err := s.Edit(t.Context(), review.Editing{Curator: "bob", Changes: []review.EditChange{c}})
	refused(t, err, "message 3: it was changed while you were editing it: look again")
	c.Seen = &seen
	amend(t, s, "bob", c)
	for range 5 {
		who := "ann"
		if now := shown(t, s, session, 3, 3); len(now) > 1 && now[1] == "3.1 mine" {
			who = "bob"
		}
		undo(t, s, who)
		clean(t, s)
	}
	if got := shown(t, s, session, 3, 3); len(got) != 1 {
		t.Errorf("taken back %q", got)
	}
}

func TestWhatCanNotBeDroppedOrAdded(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	set := puts(session, 3, chat.User, "x")
	set.Op, set.Part = edit.Set, 1
	for want, c := range map[string]review.EditChange{
		`edit: message 0: part 0 of message 0 is no place of an edit`:                          drops(session, 0, ""),
		`edit: message 3: part 1 of message 3 can't be the place of "set"`:                     set,
		`edit: message 3: "robot" is no role; there are system, user, assistant and tool`:      puts(session, 3, "robot", "x"),
		`message 17: not found: session ` + review.Short(session) + ` has 16`:                  drops(session, 17, ""),
		`edit: message 3: "why not" is no reason of an edit; there are fix, redact and squash`: drops(session, 3, "why not"),
	} {
		_, err := s.Edit(t.Context(), review.Editing{Curator: "ann", Changes: []review.EditChange{c}})
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	list := []review.EditChange{drops(session, 5, ""), drops(session, 6, ""), drops(session, 7, ""), drops(session, 8, "")}
	_, err := s.Edit(t.Context(), review.Editing{Curator: "ann", Changes: list})
	refused(t, err, "segment "+review.Short(ids[1])+" would have no message left: reject it instead")
	added := amend(t, s, "ann", puts(session, 8, chat.Assistant, "in short"))
	for i := range list {
		list[i].Why = edit.Squash
	}
	amend(t, s, "ann", list...)
	if got := shown(t, s, session, 5, 8); !slices.Equal(got, []string{"8.1 in short"}) {
		t.Errorf("now %q", got)
	}
	_, err = s.UndoEntry(t.Context(), "ann", added.ID)
	refused(t, err, fmt.Sprintf("segment %s would have no message left: reject it instead: entry %d by ann changed it since", review.Short(ids[1]), added.ID+1))
	clean(t, s)
	undo(t, s, "ann")
	undo(t, s, "ann")
	clean(t, s)
}

// TestTitlesFollowTheFirstPrompt: what is called as its first prompt says is called
// as the one that is the first now, and nothing is called as what was redacted.
func TestTitlesFollowTheFirstPrompt(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	called := func(want string) {
		t.Helper()
		st, err := s.SessionByID(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		if got := segment(t, s, ids[0]).Topic + ", " + st.Title; got != want {
			t.Errorf("called %q, want %q", got, want)
		}
	}
	err := s.write(t.Context(), sqlite.Machine, "name", func(tx *tx) error {
		return errors.Join(tx.do("UPDATE trajectory_records SET title = 'x 1'"), tx.do("UPDATE task_segments SET topic = 'x 1' WHERE start_line = 1"))
	})
	if err != nil {
		t.Fatal(err)
	}
	called("x 1, x 1")
	amend(t, s, "ann", drops(session, 1, edit.Redact))
	called(", x 5")
	amend(t, s, "ann", puts(session, 0, chat.User, "please"))
	called("please, please")
	amend(t, s, "ann", drops(session, 2, edit.Fix))
	called("please, please")
	undo(t, s, "ann")
	undo(t, s, "ann")
	undo(t, s, "ann")
	called("x 1, x 1")
}

func TestNoBoundaryAroundWhatIsDropped(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(12, "x"), 1, 4)
	amend(t, s, "ann", drops(c.id, 3, edit.Fix), drops(c.id, 4, edit.Fix), puts(c.id, 2, chat.User, "on"))
	before := dump(t, s, c.id)
	w := cutWrite(t, s, c, review.CutCurator, ends(2, 4, 12))
	w.Curator, w.Action = "ann", review.ActCut
	_, err := s.WriteCuts(t.Context(), w)
	refused(t, err, "all of messages 3 to 4 are dropped: there would be nothing in their segment")
	if after := dump(t, s, c.id); after != before {
		t.Errorf("refused, and\n%s\nwas\n%s", after, before)
	}
	byHand(t, s, c, "ann", review.ActCut, ends(2, 5, 12))
	rows, err := s.SegmentsOf(t.Context(), c.id)
	if err != nil || len(rows) != 3 || rows[0].Edited == "" || rows[1].Edited == "" || rows[2].Edited != "" {
		t.Errorf("%+v %v", rows, err)
	}
	clean(t, s)
	undo(t, s, "ann")
	if after := dump(t, s, c.id); after != before {
		t.Errorf("taken back\n%s\nwas\n%s", after, before)
	}
	undo(t, s, "ann")
	clean(t, s)
}

// TestAClashIsSettled: what waits over another message than it was made on is kept,
// given up or made anew, and each of that can be taken back.
func TestAClashIsSettled(t *testing.T) {
	answer := func(text string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"u-%s","parentUuid":"id-ask","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":%q}]}}`, text, text)
	}
	at := func(op edit.Op, part int, text string) review.EditChange {
		c := review.EditChange{N: 2, Part: part, Op: op}
		if op == edit.Set || op == edit.Add {
			c.Message = chat.Message{Role: chat.Assistant, Content: text}
		}
		return c
	}
	for name, c := range map[string]struct {
		made, keep review.EditChange
		kept       []string
	}{
		"set":   {at(edit.Set, 0, "mended"), at(edit.Set, 0, "mended"), []string{"1.0 ask", "2.0 mended"}},
		"again": {at(edit.Set, 0, "mended"), at(edit.Set, 0, "mended twice"), []string{"1.0 ask", "2.0 mended twice"}},
		"drop":  {at(edit.Drop, 0, ""), at(edit.Drop, 0, ""), []string{"1.0 ask"}},
		"add":   {at(edit.Add, 0, "and"), at(edit.Add, 1, "and"), []string{"1.0 ask", "2.0 half\nwhole", "2.1 and"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			f.save("a.jsonl", chain("ask")[0], answer("half"))
			f.load()
			id := f.sessions()["a.jsonl"].ID
			c.made.Session, c.keep.Session = id, id
			made := amend(t, f.s, "ann", c.made)
			f.save("a.jsonl", chain("ask")[0], answer("half"), answer("whole"))
			f.load()
			theirs := []string{"1.0 ask", "2.0 half\nwhole"}
			now := func(what string, waits bool, want []string) {
				t.Helper()
				edits, err := f.s.Edits(t.Context(), f.sessions()["a.jsonl"].Body, 1, 2)
				if got := shown(t, f.s, id, 1, 2); !slices.Equal(got, want) || err != nil || waits != slices.ContainsFunc(edits, func(e edit.Edit) bool { return e.Clash }) {
					t.Errorf("%s: %q, edits %+v %v", what, got, edits, err)
				}
				clean(t, f.s)
			}
			now("waits", true, theirs)
			e := amend(t, f.s, "bob", c.keep)
			if e.ID == 0 || !e.Edits[0].Before.Clash {
				t.Errorf("entry %+v", e)
			}
			now("kept", false, c.kept)
			undo(t, f.s, "bob")
			now("not kept", true, theirs)
			redo(t, f.s, "bob")
			now("kept again", false, c.kept)
			undo(t, f.s, "bob")
			gone := c.keep
			gone.Op = ""
			amend(t, f.s, "bob", gone)
			now("theirs", false, theirs)
			undo(t, f.s, "bob")
			now("not theirs", true, theirs)
			if _, err := f.s.UndoEntry(t.Context(), "ann", made.ID); err != nil {
				t.Error(err)
			}
			now("undone", false, theirs)
			_, err := f.s.Redo(t.Context(), "ann")
			refused(t, err, "message 2 is another one by now")
			now("not redone", false, theirs)
		})
	}
}

// TestAnUndoOfAnEditAfterACut: other segments in the place of one that nobody judged
// are in nobody's way, unless they are judged.
func TestAnUndoOfAnEditAfterACut(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(12, "x"), 1)
	amend(t, s, "ann", drops(c.id, 3, edit.Fix), puts(c.id, 9, chat.User, "on"))
	byMachine(t, s, c, ends(4, 12))
	undo(t, s, "ann")
	rows, err := s.SegmentsOf(t.Context(), c.id)
	if err != nil || len(rows) != 2 || rows[0].Edited+rows[1].Edited != "" {
		t.Errorf("%+v %v", rows, err)
	}
	clean(t, s)
	redo(t, s, "ann")
	clean(t, s)
	judge(t, s, "bob", review.Approved, rows[1].ID)
	_, err = s.Undo(t.Context(), "ann")
	refused(t, err, "segment "+review.Short(rows[1].ID)+" was judged since")
	if got := segment(t, s, rows[1].ID); got.Verdict != review.Approved || got.Edited == "" {
		t.Errorf("%+v", got)
	}
	clean(t, s)
}
