package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"winnow/core/review"
	"winnow/store"
)

// librarySessions is how many sessions the library has; they give about four
// segments and 58 messages each.
const librarySessions = 50_000

// library is what a large database was made from, and what that took. It is kept
// beside the database, so that this is made once.
type library struct {
	Sessions, Messages, Segments, Judged   int64
	Source, Database, Indexed              int64 // bytes; Indexed is the database with its text index
	Import, Score, Segment, Verdicts, Text time.Duration
}

// makeLibrary makes the large database if it is not in the folder yet, as a user
// would: imported, scored, cut, a third judged, searchable. Texts are a sixth of
// the usual, so that it takes minutes.
func (b *bench) makeLibrary() error {
	note := b.libraryFile("json")
	text, err := os.ReadFile(note)
	if err == nil {
		if err := json.Unmarshal(text, &b.lib); err != nil {
			return fmt.Errorf("%s: %w: remove that folder", note, err)
		}
		return nil
	}
	fmt.Fprintf(os.Stderr, "making %s: this takes minutes, and is done once\n", b.libraryFile("db"))
	b.remove(b.libraryFile("db"), b.libraryFile("sessions"))
	if err := os.MkdirAll(b.cache, 0o700); err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		run  func() error
	}{
		{"import", b.importLibrary}, {"score and segment", b.cutLibrary},
		{"verdicts", b.judgeLibrary}, {"text index", b.indexLibrary},
	} {
		fmt.Fprintf(os.Stderr, "  %s\n", step.name)
		if err := step.run(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	b.remove(b.libraryFile("sessions"))
	if text, err = json.MarshalIndent(b.lib, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(note, append(text, '\n'), 0o600)
}

// libraryFile names a file of the library.
func (b *bench) libraryFile(kind string) string {
	return filepath.Join(b.cache, fmt.Sprintf("library-%d.%s", b.sessions, kind))
}

func (b *bench) importLibrary() error {
	sessions := b.libraryFile("sessions")
	messages, err := b.generate(sessions, "--sessions", fmt.Sprint(b.sessions), "--messages-min", "40", "--messages-max", "88", "--rounds", "3", "--text", "15")
	if err != nil {
		return err
	}
	u, r, err := b.imports(b.libraryFile("db"), sessions)
	if err != nil {
		return err
	}
	b.lib = library{Sessions: int64(r.New), Messages: messages, Source: r.Bytes, Import: u.wall}
	return r.holds(messages)
}

func (b *bench) cutLibrary() error {
	db := b.libraryFile("db")
	u, err := b.scores(db, int(b.lib.Sessions))
	if err != nil {
		return err
	}
	b.lib.Score = u.wall
	u, err = b.segments(db, int(b.lib.Sessions))
	b.lib.Segment = u.wall
	return err
}

// judgeLibrary gives verdicts to a third of the segments, spread over all.
func (b *bench) judgeLibrary() error {
	ctx := context.Background()
	s, err := store.Open(ctx, b.libraryFile("db"), store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	ids, err := s.IDs(ctx, review.Query{Order: review.Random, Seed: 1})
	if err != nil {
		return err
	}
	b.lib.Segments = int64(len(ids))
	verdicts := []review.Verdict{review.Approved, review.Approved, review.Rejected, review.Unsure}
	started := time.Now()
	for n, some := 0, ids[:len(ids)/3]; len(some) > 0; n++ {
		j := review.Judgement{Curator: []string{"ann", "bob"}[n%2], Verdict: verdicts[n%4], IDs: some[:min(1000, len(some))]}
		if _, err := s.Judge(ctx, j); err != nil {
			return err
		}
		some = some[len(j.IDs):]
		b.lib.Judged += int64(len(j.IDs))
	}
	b.lib.Verdicts = time.Since(started)
	return s.Close()
}

func (b *bench) indexLibrary() error {
	db := b.libraryFile("db")
	b.lib.Database = b.sizeOf(db)
	u, err := b.searchable(db)
	b.lib.Text, b.lib.Indexed = u.wall, b.sizeOf(db)
	return err
}

// searchable fills the text index of a database: a search does that first.
func (b *bench) searchable(db string) (usage, error) {
	u, _, err := b.winnow(db, "list", "--filter", "nowhere", "--limit", "1")
	return u, err
}

const (
	textGoal  = 30 // MB/s of source that become searchable
	shareGoal = 30 // percent of source that the text index takes
)

// textRows adds the rows about filling a text index.
func (b *bench) textRows(source, before, after int64, took time.Duration) {
	b.atLeast("text index", textGoal, perSecond(source, took), "MB/s")
	b.atMost("  text index / source", shareGoal, 100*float64(after-before)/float64(source), "%")
}

// libraryRows tells what the library is.
func (b *bench) libraryRows() error {
	l := &b.lib
	b.row("library", "–", fmt.Sprintf("%d sessions, %d segments, %d messages", l.Sessions, l.Segments, l.Messages),
		fmt.Sprintf("%d of them judged; %.0f MB of source, texts a sixth of the usual", l.Judged, float64(l.Source)/1e6))
	b.row("  import", "–", fmt.Sprintf("%.4g MB/s", perSecond(l.Source, l.Import)), "when it was made, as all up to the text index")
	b.row("  score, offline", "–", fmt.Sprintf("%.4g MB/s", perSecond(l.Source, l.Score)), "")
	b.row("  segment, offline", "–", fmt.Sprintf("%.4g MB/s", perSecond(l.Source, l.Segment)), "")
	b.textRows(l.Source, l.Database, l.Indexed, l.Text)
	return nil
}

// processStart measures a short command on the library: process start, opening,
// one page; with and without what the system keeps of files in memory.
func (b *bench) processStart() error {
	if err := b.firstPage(b.libraryFile("db")); err != nil {
		return err
	}
	if _, err := exec.LookPath("dd"); err != nil {
		return nil
	}
	best := time.Hour
	for range 5 {
		for _, name := range []string{b.libraryFile("db"), b.program("winnow")} {
			if err := exec.Command("dd", "if="+name, "iflag=nocache", "count=0").Run(); err != nil {
				return nil // that is of Linux
			}
		}
		u, _, err := b.winnow(b.libraryFile("db"), "list", "--limit", "50", "--json")
		if err != nil {
			return err
		}
		best = min(best, u.wall)
	}
	b.atMost("start to first page (cold)", 80, milliseconds(best), "ms")
	return nil
}
