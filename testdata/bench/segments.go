package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// cutGoal is how fast sessions are to be cut without a model, in MB/s of their
// source.
const cutGoal = 100

// segmenting measures how long it takes to score what was just imported, to cut
// it and score what came of it, and to cut all of it once more, all without a
// model; and to make it searchable.
func (b *bench) segmenting() error {
	defer b.remove("sessions", "sessions.db")
	messages, err := b.generate("sessions", "--size", fmt.Sprint(b.size))
	if err != nil {
		return err
	}
	var imported, scored, first, again usage
	var peak, scorePeak int64
	for range b.runs {
		b.remove("sessions.db")
		u, r, err := b.imports("sessions.db", "sessions")
		if err == nil {
			err = r.holds(messages)
		}
		if err != nil {
			return err
		}
		imported = faster(imported, u)
		if u, err = b.scores("sessions.db", r.New); err != nil {
			return err
		}
		scored, scorePeak = faster(scored, u), max(scorePeak, u.peak)
		if u, err = b.segments("sessions.db", r.New); err != nil {
			return err
		}
		first, peak = faster(first, u), max(peak, u.peak)
		if u, err = b.segments("sessions.db", r.New, "--again"); err != nil {
			return err
		}
		again, peak = faster(again, u), max(peak, u.peak)
	}
	b.atLeast("score, offline", scoreGoal, perSecond(b.size, scored.wall), "MB/s")
	b.row("  processor time", "–", fmt.Sprintf("%.2f s per GB", scored.cpu.Seconds()*1e9/float64(b.size)),
		fmt.Sprintf("%.2f of the import's", scored.cpu.Seconds()/imported.cpu.Seconds()))
	b.atMost("  peak memory", peakGoal, float64(scorePeak)/1e6, "MB")
	b.atLeast("segment, offline", cutGoal, perSecond(b.size, first.wall), "MB/s")
	b.row("  processor time", "–", fmt.Sprintf("%.2f s per GB", first.cpu.Seconds()*1e9/float64(b.size)),
		fmt.Sprintf("%.2f of the import's", first.cpu.Seconds()/imported.cpu.Seconds()))
	b.atLeast("  again", cutGoal, perSecond(b.size, again.wall), "MB/s")
	b.atMost("  peak memory", peakGoal, float64(peak)/1e6, "MB")
	before := b.sizeOf("sessions.db")
	u, err := b.searchable("sessions.db")
	if err != nil {
		return err
	}
	b.textRows(b.size, before, b.sizeOf("sessions.db"), u.wall)
	b.atMost("  peak memory", peakGoal, float64(u.peak)/1e6, "MB")
	return nil
}

// faster is the shorter of two runs; the zero usage is none.
func faster(a, b usage) usage {
	if a.wall == 0 || b.wall < a.wall {
		return b
	}
	return a
}

// segments cuts the sessions of a database and checks that all of them were.
func (b *bench) segments(db string, sessions int, flags ...string) (usage, error) {
	u, out, err := b.winnow(db, append([]string{"segment", "--by", "offline", "--json"}, flags...)...)
	if err != nil {
		return u, err
	}
	var r struct {
		Sessions int
		Failed   []any
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &r); err != nil {
		return u, err
	}
	if r.Sessions != sessions || len(r.Failed) > 0 {
		return u, fmt.Errorf("%d sessions of %d were cut, %d failed", r.Sessions, sessions, len(r.Failed))
	}
	return u, nil
}
