package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// frames are what a curator does in the reader, in the order of a hurried hand.
var frames = [...]func(*Reader) tea.Cmd{
	(*Reader).PageDown, (*Reader).HalfDown, func(r *Reader) tea.Cmd { return r.Scroll(1) }, (*Reader).NextMessage, (*Reader).ToggleFold,
	(*Reader).PageDown, (*Reader).NextHit, (*Reader).PageUp, (*Reader).Bottom, (*Reader).HalfUp, (*Reader).ToggleDetail, (*Reader).PrevMessage,
	(*Reader).NextPrompt, (*Reader).NextFailure, (*Reader).ToggleAllFolds, (*Reader).PageDown, (*Reader).ToggleThinking, (*Reader).Top, (*Reader).PrevHit,
}

// clock measures frames: each Update, or what a key does in its place, and the
// View after it. What commands do is not the update loop's.
type clock struct {
	p    *pane
	took []time.Duration
}

func (c *clock) frame(f func() tea.Cmd) {
	begin := time.Now()
	cmd := f()
	c.p.View(c.p.w, c.p.h)
	c.took = append(c.took, time.Since(begin))
	c.answer(cmd)
}

func (c *clock) answer(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			c.answer(cmd)
		}
	default:
		c.frame(func() tea.Cmd { return c.p.Update(msg) })
	}
}

// report tells what 99 of 100 frames take at most.
func (c *clock) report(b *testing.B) {
	slices.Sort(c.took)
	at := func(share float64) float64 {
		return float64(c.took[int(share*float64(len(c.took)-1))].Microseconds()) / 1e3
	}
	b.ReportMetric(at(0.5), "ms-p50/frame")
	b.ReportMetric(at(0.99), "ms-p99/frame")
	b.ReportMetric(at(1), "ms-max/frame")
}

// BenchmarkFrames goes through what hurts a reader: a 24 MB message, a segment
// of 5,000 messages, lines of 10,000 columns, a megabyte without a space.
func BenchmarkFrames(b *testing.B) {
	talk := talk()
	talk.make, talk.count = manyOf(talk.make), 5000
	for _, c := range []struct {
		name  string
		store *fakeStore
	}{
		{"24MB", storeOf(user("show it"), result("terminal", giantLog(giantSize)), assistant("shown"))},
		{"5000messages", talk},
		{"10000columns", storeOf(user("show it"), result("terminal", strings.Repeat(strings.Repeat("wide column ", 834)+"\n", 200)), assistant(strings.Repeat("字 wide ", 1250)))},
		{"1MBword", storeOf(user(strings.Repeat("W", 1<<20)), result("terminal", strings.Repeat("x", 1<<20)), assistant("", call("1", "terminal", `{"command":"`+strings.Repeat("y", 1<<20)+`"}`)))},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := open(b, c.store, 200, 60)
			p.do(p.Find("e"))
			k := clock{p: p}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				f := frames[i%len(frames)]
				k.frame(func() tea.Cmd { return f(p.Reader) })
			}
			k.report(b)
		})
	}
}

// BenchmarkTextFrames goes through a giant record.
func BenchmarkTextFrames(b *testing.B) {
	var raw strings.Builder
	raw.WriteString(`{"messages":[`)
	for i := range 3000 {
		fmt.Fprintf(&raw, `{"role":"user","content":"line of message %d\n%s"},`, i, strings.Repeat("and more of it ", 60))
	}
	raw.WriteString(`{"role":"tool","content":"` + strings.Repeat("x", 40<<10) + `"}]}`)
	p := openText(b, raw.String(), 200, 60)
	p.do(p.Find("more"))
	k := clock{p: p}
	steps := []func(*Reader) tea.Cmd{
		(*Reader).PageDown, (*Reader).NextItem, (*Reader).NextHit, (*Reader).HalfUp, (*Reader).FoldText, (*Reader).PageDown,
		(*Reader).Bottom, (*Reader).PrevItem, (*Reader).PageUp, (*Reader).FoldText, (*Reader).Top,
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f := steps[i%len(steps)]
		k.frame(func() tea.Cmd { return f(p.Reader) })
	}
	k.report(b)
}

// BenchmarkTextOf lays out a record of 24 MB, in a command.
func BenchmarkTextOf(b *testing.B) {
	raw := []byte(`{"messages":[{"role":"tool","content":"` + strings.ReplaceAll(strings.ReplaceAll(giantLog(giantSize), "\n", `\n`), "\t", `\t`) + `"}]}`)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		TextOf(raw, false)
	}
}
