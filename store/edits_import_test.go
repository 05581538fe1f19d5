package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/edit"
	"winnow/core/review"
)

// entry is a line of a session whose entries name those they follow.
func entry(id, parent, role, text string) string {
	follows := "null"
	if parent != "" {
		follows = fmt.Sprintf("%q", parent)
	}
	content := fmt.Sprintf("%q", text)
	if role == "assistant" {
		content = fmt.Sprintf(`[{"type":"text","text":%q}]`, text)
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s","timestamp":"2026-05-03T10:00:00Z","message":{"role":%q,"content":%s}}`, role, id, follows, role, content)
}

// chain is a session of entries, each of which follows the one before.
func chain(texts ...string) (lines []string) {
	parent := ""
	for i, text := range texts {
		id, role := "id-"+strings.ReplaceAll(text, " ", "-"), "user"
		if i%2 == 1 {
			role = "assistant"
		}
		lines = append(lines, entry(id, parent, role, text))
		parent = id
	}
	return lines
}

// says edits the message of a session that says a text, in the recorded words.
func (f *folder) amend(name, was, now string, why edit.Why) review.Entry {
	f.t.Helper()
	s := f.sessions()[name]
	_, recorded := texts(f.t, f.s, s.ID)
	n := slices.Index(recorded, was) + 1
	if n == 0 {
		f.t.Fatalf("%s does not say %q but %q", name, was, recorded)
	}
	return amend(f.t, f.s, "ann", says(f.t, f.s, s.ID, n, now, why))
}

// now checks what a session says, with marks where edits wait.
func (f *folder) now(name string, want ...string) {
	f.t.Helper()
	s, ok := f.sessions()[name]
	if !ok {
		f.t.Fatalf("no session %s", name)
	}
	got, _ := texts(f.t, f.s, s.ID)
	edits, err := f.s.Edits(f.t.Context(), s.Body, 1, s.Messages)
	if err != nil {
		f.t.Fatal(err)
	}
	for i := range edits {
		if e := &edits[i]; e.Clash {
			got[e.N-1] += " (waits: " + e.Message.Content + ")"
		}
	}
	if !slices.Equal(got, want) {
		f.t.Errorf("%s says\n%q, want\n%q", name, got, want)
	}
	clean(f.t, f.s)
}

func TestAnEditStaysWhenItsSessionGrows(t *testing.T) {
	f := newFolder(t)
	lines := chain("ask", "answer", "more", "more answer", "third", "third answer")
	f.save("a.jsonl", lines[:4]...)
	f.load()
	f.amend("a.jsonl", "answer", "better", edit.Fix)
	f.amend("a.jsonl", "more answer", "[name]", edit.Redact)
	f.save("a.jsonl", lines...)
	f.load()
	f.now("a.jsonl", "ask", "better", "more", "[name]", "third", "third answer")
	undo(t, f.s, "ann")
	undo(t, f.s, "ann")
	f.now("a.jsonl", "ask", "answer", "more", "more answer", "third", "third answer")
}

func TestAnEditOfWhatIsAmendedWaits(t *testing.T) {
	f := newFolder(t)
	answer := func(text string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"u-%s","parentUuid":"id-ask","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":%q}]}}`, text, text)
	}
	f.save("a.jsonl", chain("ask")[0], answer("half"))
	f.load()
	f.amend("a.jsonl", "half", "mended", edit.Fix)
	f.now("a.jsonl", "ask", "mended")
	f.save("a.jsonl", chain("ask")[0], answer("half"), answer("whole"))
	f.load()
	f.now("a.jsonl", "ask", "half\nwhole (waits: mended)")
	undo(t, f.s, "ann")
	f.now("a.jsonl", "ask", "half\nwhole")
	// It was made on another message, and is not given again over this one.
	if _, err := f.s.Redo(t.Context(), "ann"); !errors.Is(err, review.ErrConflict) {
		t.Errorf("redo: %v", err)
	}
	f.now("a.jsonl", "ask", "half\nwhole")
}

func TestAnEditGoesWithItsMessageToABranch(t *testing.T) {
	f := newFolder(t)
	lines := chain("ask", "answer", "more", "more answer", "third", "third answer")
	f.save("a.jsonl", lines...)
	f.load()
	f.amend("a.jsonl", "answer", "better", edit.Fix)
	f.amend("a.jsonl", "third", "[third]", edit.Redact)
	f.save("a.jsonl", append(lines, entry("back", "id-answer", "user", "otherwise"), entry("back2", "back", "assistant", "so be it"))...)
	f.load()
	f.now("a.jsonl", "ask", "better", "otherwise", "so be it")
	f.now(f.beside("a.jsonl"), "more", "more answer", "[third]", "third answer")
}

// The session goes on where its branch ended: what either says goes to the other, and
// edits of both at once.
func TestEditsChangePlacesWithTheirMessages(t *testing.T) {
	f := newFolder(t)
	lines := append(chain("ask", "answer", "more", "more answer"), entry("back", "id-answer", "user", "otherwise"), entry("back2", "back", "assistant", "so be it"))
	f.save("a.jsonl", lines...)
	f.load()
	branch := f.beside("a.jsonl")
	f.amend("a.jsonl", "otherwise", "[otherwise]", edit.Redact)
	f.amend("a.jsonl", "so be it", "well", edit.Fix)
	f.amend(branch, "more", "[more]", edit.Redact)
	f.amend(branch, "more answer", "better", edit.Fix)
	f.save("a.jsonl", append(lines, entry("on", "id-more-answer", "user", "and on"))...)
	f.load()
	f.now("a.jsonl", "ask", "answer", "[more]", "better", "and on")
	f.now(f.beside("a.jsonl"), "[otherwise]", "well")
}

// beside returns the name of the only session but one.
func (f *folder) beside(name string) string {
	f.t.Helper()
	for other := range f.sessions() {
		if other != name {
			return other
		}
	}
	f.t.Fatalf("no session but %s", name)
	return ""
}

func TestEditsAreCarriedOverWhenASourceIsRewritten(t *testing.T) {
	f := newFolder(t)
	old := chain("ask", "answer", "more", "more answer", "third", "third answer")
	f.save("a.jsonl", old...)
	f.load()
	f.amend("a.jsonl", "answer", "better", edit.Fix)
	f.amend("a.jsonl", "more answer", "much better", edit.Fix)
	f.amend("a.jsonl", "third answer", "[third]", edit.Redact)
	f.save("a.jsonl", chain("before", "yes", "ask", "answer", "more", "other answer", "and", "so on", "third")...)
	f.load()
	f.now("a.jsonl", "before", "yes", "ask", "better", "more", "other answer (waits: much better)", "and", "so on", "third")
	log, err := f.s.Journal(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for i := range log {
		if log[i].Action != review.ActUnedit {
			continue
		}
		list, err := f.s.EditsOf(t.Context(), &log[i])
		if err != nil || len(list) != 1 || list[0].Before.Message.Content != "[third]" || list[0].After != nil {
			t.Errorf("%+v %v", list, err)
		}
		found = true
	}
	if !found {
		t.Error("the journal does not keep what left")
	}
	_, err = f.s.Undo(t.Context(), "ann")
	refused(t, err, "the session of message 6 was written anew since")
	f.save("a.jsonl", old...)
	f.load()
	f.now("a.jsonl", "ask", "better", "more", "much better", "third", "third answer")
}

func TestEditsGoWithAFileThatMoved(t *testing.T) {
	f := newFolder(t)
	lines := chain("ask", "answer", "more", "more answer")
	f.save("a.jsonl", lines...)
	f.load()
	f.amend("a.jsonl", "answer", "better", edit.Fix)
	f.move("a.jsonl", "b.jsonl")
	f.load()
	f.now("b.jsonl", "ask", "better", "more", "more answer")
	undo(t, f.s, "ann")
	f.now("b.jsonl", "ask", "answer", "more", "more answer")
}

func TestEditsAreKeptWhenALongerCopyComes(t *testing.T) {
	f := newFolder(t)
	lines := chain("ask", "answer", "more", "more answer", "third", "third answer")
	f.save("a.jsonl", lines[:4]...)
	f.load()
	f.amend("a.jsonl", "answer", "better", edit.Fix)
	f.save("b.jsonl", lines...)
	f.load()
	all := f.sessions()
	for name := range all {
		if len(all) != 1 {
			t.Fatalf("%d sessions", len(all))
		}
		f.now(name, "ask", "better", "more", "more answer", "third", "third answer")
	}
}

// Two bodies become one, and both had an edit over the same message: the one that is
// there stays, and the other is in the journal.
func TestAnEditThatFindsItsPlaceTakenLeavesTheOther(t *testing.T) {
	f := newFolder(t)
	f.save("a.jsonl", chain("ask", "answer")...)
	f.save("b.jsonl", strings.ReplaceAll(strings.Join(chain("other", "no", "ask", "answer"), "\n"), `"sessionId":"s"`, `"sessionId":"t"`))
	f.load()
	f.amend("a.jsonl", "answer", "of a", edit.Fix)
	f.amend("b.jsonl", "answer", "of b", edit.Fix)
	_, err := f.s.importWrite(t.Context(), "import", func(im *importing) error {
		all := f.sessions()
		if err := im.formerly(all["a.jsonl"].Body, 0, all["b.jsonl"].Body); err != nil {
			return err
		}
		return im.settleEdits()
	})
	if err != nil {
		t.Fatal(err)
	}
	f.now("a.jsonl", "ask", "answer")
	f.now("b.jsonl", "other", "no", "ask", "of b")
	log, err := f.s.Journal(t.Context(), 0, 1)
	if err != nil || len(log) != 1 || log[0].Action != review.ActUnedit {
		t.Fatalf("%+v %v", log, err)
	}
	if list, err := f.s.EditsOf(t.Context(), &log[0]); err != nil || len(list) != 1 || list[0].Before.Message.Content != "of a" {
		t.Errorf("%+v %v", list, err)
	}
}

func TestASessionWithEditsStaysWhenItsSourceLosesIt(t *testing.T) {
	f := newFolder(t)
	f.save("a.jsonl", chain("ask", "answer")...)
	f.load()
	f.amend("a.jsonl", "answer", "better", edit.Fix)
	f.save("a.jsonl", `{"type":"progress"}`)
	f.load()
	kept := false
	for name, s := range f.sessions() {
		if now, _ := texts(t, f.s, s.ID); slices.Equal(now, []string{"ask", "better"}) {
			kept = true
			f.now(name, "ask", "better")
		}
	}
	if !kept {
		t.Errorf("sessions %v", f.sessions())
	}
}

// TestAnUndoBringsBackNoPlaceThatIsGone: an edit, a verdict on what it left, another
// file in the place of the one that both were made on, and the verdict is taken back.
func TestAnUndoBringsBackNoPlaceThatIsGone(t *testing.T) {
	f := newFolder(t)
	lines := chain("ask", "answer", "more", "more answer")
	f.save("a.jsonl", lines...)
	f.load()
	page, err := f.s.Segments(t.Context(), reviewAll(9))
	if err != nil || len(page.Segments) != 1 {
		t.Fatalf("%d segments: %v", len(page.Segments), err)
	}
	id := page.Segments[0].ID
	judge(t, f.s, "ann", review.Approved, id)
	f.amend("a.jsonl", "answer", "better", edit.Fix)
	judge(t, f.s, "ann", review.Approved, id)
	f.save("a.jsonl", append([]string{`{"type":"progress"}`}, lines...)...)
	f.load()
	undo(t, f.s, "ann")
	if got := segment(t, f.s, id); !got.Stale || got.Was != review.Approved {
		t.Errorf("%+v", got)
	}
	clean(t, f.s)
	redo(t, f.s, "ann")
	if got := segment(t, f.s, id); got.Stale || got.Verdict != review.Approved {
		t.Errorf("%+v", got)
	}
	clean(t, f.s)
}

// TestWhatEditsMakeStaleIsToBeCut: a verdict keeps what nobody has cut from being cut;
// one that an import makes stale does not.
func TestWhatEditsMakeStaleIsToBeCut(t *testing.T) {
	s := openTemp(t)
	w := write("/four", talk(4, "x"))
	w.Sessions[0].Segments[0].CutBy = review.CutProvisional
	id := put(t, s, w)[0]
	judge(t, s, "ann", review.Approved, id)
	cut := func() (n int) {
		t.Helper()
		if err := s.db.Rows(t.Context(), "SELECT segmented FROM trajectory_records").One(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	_, err := s.importWrite(t.Context(), "import", func(im *importing) error {
		if err := im.do("UPDATE trajectory_records SET segmented = 1"); err != nil {
			return err
		}
		if err := im.outdatedBy(id, ""); err != nil {
			return err
		}
		return nil
	})
	if err != nil || cut() != 1 {
		t.Fatal(cut(), err)
	}
	_, err = s.importWrite(t.Context(), "import", func(im *importing) error { return im.outdatedBy(id, "an edit that left") })
	if err != nil || cut() != 0 {
		t.Fatal(cut(), err)
	}
	clean(t, s)
}
