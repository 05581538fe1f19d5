package print

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"winnow/tui/draw"
)

func testOutput(width int) (*Output, *bytes.Buffer) {
	var b bytes.Buffer
	return New(&b, false, width), &b
}

// TestTable: columns are aligned by cells, not by bytes or characters, and
// later pages keep the widths of earlier ones.
func TestTable(t *testing.T) {
	o, b := testOutput(0)
	tab := o.Table(Left("NAME"), Right("N"), Left("TOPIC"))
	tab.Row("你好", "1", "a\x1b[2Jb\nc")
	tab.Row("hello", "1,234", "x")
	tab.Flush()
	tab.Row("é", "5", "y")
	tab.Flush()
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
	tab := o.Table(Left("A"), Left("B"))
	tab.Row("short", strings.Repeat("宽", 20))
	tab.Flush()
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
		tab := o.Table(Right("N"), Path("SOURCE"))
		tab.Row("1", "/home/ann/project/a 宽.jsonl")
		tab.Remark("no session: 1 line: of nothing")
		tab.Row("2", "b.jsonl")
		tab.Flush()
		if err := o.Flush(); err != nil || b.String() != want {
			t.Errorf("%d cells: got\n%s\nwant\n%s", width, b, want)
		}
	}
}

// TestTableOfWidePaths: the end of a path stays, also where half of a wide
// character would fit.
func TestTableOfWidePaths(t *testing.T) {
	for width := 12; width < 30; width++ {
		o, b := testOutput(width)
		tab := o.Table(Path("SOURCE"))
		tab.Row("/宽宽宽宽宽宽宽宽.jsonl")
		tab.Flush()
		if err := o.Flush(); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), "宽.jsonl\n") {
			t.Errorf("%d cells: %s", width, b)
		}
	}
}

// TestHang: a text stays beside its label.
func TestHang(t *testing.T) {
	o, b := testOutput(30)
	o.Hang("topic     ", "the parser fails\n\x1b[2J about one run in ten")
	if err := o.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "topic     the parser fails\n          ␛[2J about one run\n          in ten\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}

func TestTableWithoutRows(t *testing.T) {
	o, b := testOutput(0)
	o.Table(Left("A")).Flush()
	if err := o.Flush(); err != nil || b.Len() > 0 {
		t.Errorf("printed %q, %v", b, err)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		if got := draw.Grouped(n); got != want {
			t.Errorf("draw.Grouped(%d) = %s, want %s", n, got, want)
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
	if got := draw.Percent(999, 1000); got != 99 {
		t.Errorf("draw.Percent rounds up to %d", got)
	}
}

// TestLeft: what was done before counts for nothing.
func TestLeft(t *testing.T) {
	now := time.Unix(0, 0)
	l := NewProgress(nil, func() time.Time { return now })
	if got := l.Left(900, 1000); got != "" {
		t.Errorf("at once %q", got)
	}
	now = now.Add(10 * time.Second)
	if got := l.Left(920, 1000); got != ", 40 s left" {
		t.Errorf("after 20 of 100 in 10 s: %q", got)
	}
	if got := l.Left(1000, 1000); got != "" {
		t.Errorf("at the end %q", got)
	}
}

// TestProgress: the line is drawn on terminals only, not too often, and gone
// at the end.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(0, 0)
	clock := func() time.Time { return now }
	l := NewProgress(&b, clock)
	l.Show("one")
	l.Show("too soon")
	now = now.Add(progressEvery)
	l.Show("two\x1b[2J")
	l.Done()
	l.Show("late")
	if want := "\rone\x1b[K\rtwo␛[2J\x1b[K\r\x1b[K"; b.String() != want {
		t.Errorf("drawn %q, want %q", b.String(), want)
	}
	b.Reset()
	l = NewProgress(nil, clock)
	l.Show("one")
	l.Done()
	if b.Len() > 0 {
		t.Errorf("drawn %q without a terminal", b.String())
	}
}
