package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"winnow/tui/draw"
)

func testOutput(width int) (*output, *bytes.Buffer) {
	var b bytes.Buffer
	return newOutput(&environment{stdout: &b, width: width}), &b
}

// TestTable: columns are aligned by cells, not by bytes or characters, and
// later pages keep the widths of earlier ones.
func TestTable(t *testing.T) {
	o, b := testOutput(0)
	tab := o.table(left("NAME"), right("N"), left("TOPIC"))
	tab.row("你好", "1", "a\x1b[2Jb\nc")
	tab.row("hello", "1,234", "x")
	tab.flush()
	tab.row("é", "5", "y")
	tab.flush()
	if err := o.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "NAME       N  TOPIC\n你好       1  a␛[2Jb c\nhello  1,234  x\né          5  y\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}

// TestTableWidth: no line is wider than the terminal.
func TestTableWidth(t *testing.T) {
	o, b := testOutput(12)
	tab := o.table(left("A"), left("B"))
	tab.row("short", strings.Repeat("宽", 20))
	tab.flush()
	if err := o.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "A      B\nshort  宽宽…\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}

// TestTableOfPaths: the end of a path is what tells it from others; a remark
// has a line of its own and is wrapped. Without a terminal both are whole.
func TestTableOfPaths(t *testing.T) {
	for width, want := range map[int]string{
		24: "N  SOURCE\n1  …n/project/a 宽.jsonl\n    no session: 1 line:\n    of nothing\n2  b.jsonl\n",
		0:  "N  SOURCE\n1  /home/ann/project/a 宽.jsonl\n    no session: 1 line: of nothing\n2  b.jsonl\n",
	} {
		o, b := testOutput(width)
		tab := o.table(right("N"), pathColumn("SOURCE"))
		tab.row("1", "/home/ann/project/a 宽.jsonl")
		tab.remark("no session: 1 line: of nothing")
		tab.row("2", "b.jsonl")
		tab.flush()
		if err := o.Flush(); err != nil || b.String() != want {
			t.Errorf("%d cells: got\n%s\nwant\n%s", width, b, want)
		}
	}
}

// TestHang: a text stays beside its label.
func TestHang(t *testing.T) {
	o, b := testOutput(30)
	o.hang("topic     ", "the parser fails\n\x1b[2J about one run in ten")
	if err := o.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "topic     the parser fails\n          ␛[2J about one run\n          in ten\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}

func TestTableWithoutRows(t *testing.T) {
	o, b := testOutput(0)
	o.table(left("A")).flush()
	if err := o.Flush(); err != nil || b.Len() > 0 {
		t.Errorf("printed %q, %v", b, err)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		if got := count(n); got != want {
			t.Errorf("count(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 9950: "10 kB", 12345: "12 kB",
		999_499: "999 kB", 999_500: "1.0 MB", 4_200_000_000: "4.2 GB", 5e18: "5.0 EB",
	} {
		if got := draw.Bytes(n); got != want {
			t.Errorf("draw.Bytes(%d) = %s, want %s", n, got, want)
		}
	}
	if got := percent(999, 1000); got != "99%" {
		t.Errorf("percent rounds up to %s", got)
	}
}

// TestProgress: the line is drawn on terminals only, not too often, and gone
// at the end.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(0, 0)
	p := &cli{env: environment{stderr: &b, stderrTTY: true, now: func() time.Time { return now }}}
	l := p.progress()
	l.show("one")
	l.show("too soon")
	now = now.Add(progressEvery)
	l.show("two\x1b[2J")
	l.done()
	l.show("late")
	if want := "\rone\x1b[K\rtwo␛[2J\x1b[K\r\x1b[K"; b.String() != want {
		t.Errorf("drawn %q, want %q", b.String(), want)
	}
	b.Reset()
	p.env.stderrTTY = false
	l = p.progress()
	l.show("one")
	l.done()
	if b.Len() > 0 {
		t.Errorf("drawn %q without a terminal", b.String())
	}
}
