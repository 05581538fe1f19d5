package tui

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/export"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/keys"
)

// startExport starts a screen and opens the export.
func startExport(t *testing.T, f *fakeExporting, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	x := start(t, approvedLibrary(), w, h, append([]func(*Options){func(o *Options) { o.Exporting = f }}, with...)...)
	x.press("e")
	return x
}

// option moves the cursor to an option.
func (x *harness) option(name string) {
	x.t.Helper()
	x.press("g")
	for range 30 {
		if strings.HasPrefix(x.marked(), name+" ") {
			return
		}
		x.press("j")
	}
	x.t.Fatalf("no option %s:\n%s", name, x.screen())
}

// unfold goes down the outcome to the next line that unfolds, and does.
func (x *harness) unfold() {
	x.t.Helper()
	for range 100 {
		if x.press("enter"); !strings.Contains(x.footer(), "nothing to unfold") {
			return
		}
		x.press("j")
	}
	x.t.Fatal("nothing unfolds")
}

func TestExportScreen80x24(t *testing.T) {
	golden.RequireEqual(t, startExport(t, sampleExport(), 80, 24).screen())
}

func TestExportScreen200x60(t *testing.T) {
	x := startExport(t, sampleExport(), 200, 60)
	x.option("train")
	golden.RequireEqual(t, x.screen())
}

func TestExportScreen40x10(t *testing.T) {
	x := startExport(t, sampleExport(), 40, 10)
	options := x.screen()
	x.press("tab j j")
	golden.RequireEqual(t, options+"\n\n"+x.screen())
}

func TestExportScreenUnfolded100x40(t *testing.T) {
	x := startExport(t, sampleExport(), 100, 40)
	x.press("tab")
	for range 2 {
		x.unfold()
		x.press("j")
	}
	golden.RequireEqual(t, x.screen())
}

func TestExportScreenASCII(t *testing.T) {
	x := startExport(t, sampleExport(), 120, 50, func(o *Options) { o.ASCII = true })
	x.wantsASCII()
	golden.RequireEqual(t, x.screen())
}

func TestExportScreenNoColor(t *testing.T) {
	x := startExport(t, sampleExport(), 80, 24)
	golden.RequireEqual(t, x.uncoloured())
}

func TestExportReplaceQuestion80x24(t *testing.T) {
	f := sampleExport()
	f.exists = true
	x := startExport(t, f, 80, 24)
	x.press("enter")
	x.write("out.jsonl")
	x.press("enter e")
	golden.RequireEqual(t, x.screen())
}

// TestExportAsksBeforeItRuns: what is asked of the database writes nothing, has
// the options that are shown, and is asked again when one changes, once.
func TestExportAsksBeforeItRuns(t *testing.T) {
	f := sampleExport()
	x := startExport(t, f, 120, 40, func(o *Options) { o.Filter = "type:code" })
	if len(f.asked) != 1 || !f.last().Check || f.last().Path != "" || filter.Print(f.last().Filter) != "type:code" || f.last().As != "" {
		t.Fatalf("asked %d times, last %+v", len(f.asked), f.last())
	}
	x.wants("1,150  samples of 1,204 segments", "unanswered_call", "train")
	x.option("dedupe")
	x.press("right right")
	x.option("filter")
	x.press("enter")
	if len(f.asked) != 1 {
		t.Errorf("asked %d times before the keys rest", len(f.asked))
	}
	x.tick()
	if o := f.last(); len(f.asked) != 2 || o.Dedupe != export.DedupeNear || o.Filter != nil || !o.Check {
		t.Errorf("asked %d times, last %+v", len(f.asked), o)
	}
	x.press("esc")
	if x.app.in(keys.InExport) != nil {
		t.Fatal("esc does not go back")
	}
	x.press("e")
	if o := f.last(); o.Dedupe != export.DedupeNear || o.Filter != nil {
		t.Errorf("the options were forgotten: %+v", o)
	}
}

// A format says what it is for and what it cannot carry.
func TestExportFormatsTellOfThemselves(t *testing.T) {
	x := startExport(t, sampleExport(), 200, 60)
	x.option("format")
	for _, e := range export.Emitters() {
		x.wants("< "+e.Name+" >", e.Description[:12])
		if help := strings.Join(strings.Fields(leftOf(x)), " "); e.Losses != "" && !strings.Contains(help, "Cannot carry: "+strings.Join(strings.Fields(e.Losses), " ")) {
			t.Errorf("%s: %q", e.Name, help)
		}
		x.press("right")
	}
	x.wants("< " + export.Emitters()[0].Name + " >")
}

func TestExportOptionsAreRead(t *testing.T) {
	f := sampleExport()
	x := startExport(t, f, 120, 40)
	for name, text := range map[string]string{
		"min score": "0.85", "system": "Be brief.", "max tokens": "12,000", "balance": "type=code:3,qa:1", "split": "a=0.5,b=0.5", "limit": "7", "shard size": "2M",
	} {
		x.option(name)
		x.press("enter ctrl+u")
		x.write(text)
		x.press("enter")
	}
	for name, times := range map[string]int{"verdicts": 1, "stale": 1, "train": 2, "too long": 1, "redact": 1, "files": 2, "counted by": 1} {
		x.option(name)
		for range times {
			x.press("space")
		}
	}
	x.tick()
	o := f.last()
	if !o.AnyVerdict || !o.Stale || *o.MinScore != 0.85 || o.Train != export.TrainAfterErrors || o.System.Text != "Be brief." || o.MaxTokens != 12000 ||
		o.TooLong != export.CutLong || o.Balance.Shares["code"] != 0.75 || len(o.Splits) != 2 || o.Redact == nil || o.Limit != 7 || o.ShardSize != 2<<20 ||
		!o.Parquet || o.Gzip || o.Counter == nil || o.Counter.Name() == "chars/4" {
		t.Errorf("asked for %+v", o)
	}
	x.option("min score")
	x.press("enter ctrl+u")
	x.write("7")
	x.press("enter")
	x.wants(`min score: "7": must be a number from 0 to 1`, "0.85")
	x.press("backspace")
	x.tick()
	if f.last().MinScore != nil {
		t.Error("backspace leaves the min score")
	}
	x.option("max tokens")
	x.press("space")
	x.wants("< none >") // from a text to the first choice
}

func TestExportRuns(t *testing.T) {
	f := sampleExport()
	x := startExport(t, f, 120, 40)
	x.press("e")
	x.wants("where to?")
	x.write("~/data/train.jsonl")
	x.press("enter")
	x.wants("e exports")
	if len(f.asked) != 1 {
		t.Error("a target changes nothing of what is written")
	}
	x.press("e")
	if o := f.run(); o.Check || o.Force || o.Path != "~/data/train.jsonl" {
		t.Fatalf("asked for %+v", o)
	}
	x.wants("Exported  1,150 samples as hf", "~/data/train.jsonl  1,150 rows · 31.4 MB", "exported 1,150 samples → ~/data/train.jsonl")
	f.exists = true
	x.press("e")
	x.wants("~/data/train.jsonl already exists. Replace it?")
	x.press("e j x n")
	x.wants("nothing was written")
	x.press("e y")
	if o := f.run(); !o.Force || o.Check {
		t.Errorf("asked for %+v", o)
	}
	x.wants("Exported")
	f.exists, f.fail = false, errors.New("disk full\x1b[2J")
	x.press("e")
	x.wants("disk full␛[2J")
}

// An export goes on when its screen is closed, can be stopped, and ends with the
// program.
func TestExportGoesOnBehindTheScreen(t *testing.T) {
	f := sampleExport()
	x := startExport(t, f, 120, 40)
	x.app.exports.form.Values = map[string]string{"target": "out/"}
	x.hold = true
	x.press("e")
	x.wants("export", "ctrl+x")
	x.press("e")
	x.wants("an export is running: ctrl+x stops it")
	x.press("esc j")
	x.wants("ctrl+x stop")
	x.press("ctrl+x")
	x.wants("stopping the export")
	x.release()
	if o := f.run(); f.cancelled != 1 || o.Path != "out/" {
		t.Errorf("%d cancelled, last %+v", f.cancelled, o)
	}
	x.wants("export stopped · nothing was written")
	x.press("e e")
	x.wants("   out/ ", "   .lineage/manifest.json  lineage")
}

func TestExportOfNothingSaysWhatToDo(t *testing.T) {
	none := func() *fakeExporting { return &fakeExporting{} }
	x := start(t, &fakeLibrary{}, 80, 24, func(o *Options) { o.Exporting = none() })
	x.press("e")
	x.wants("There are no segments yet: winnow PATH")
	x = start(t, small(3), 80, 24, func(o *Options) { o.Exporting = none() })
	x.press("e")
	x.wants("No segment is approved yet: a in the list")
	x.press("e")
	x.wants("there is nothing to export")
	x = startExport(t, none(), 80, 24, func(o *Options) { o.Filter = "type:chat" })
	x.wants("No segment that may be")
	x = start(t, small(3), 80, 24)
	x.press("e")
	x.wants("no exports here")
}

// A late answer belongs to a question: it never lands on another.
func TestExportDropsAnswersNobodyWaitsFor(t *testing.T) {
	f := sampleExport()
	x := start(t, approvedLibrary(), 80, 24, func(o *Options) { o.Exporting = f })
	x.hold = true
	x.press("e")
	x.wants("checking")
	x.press("j k G g tab tab pgup pgdown ctrl+d ctrl+u")
	first := x.held
	x.held = nil
	x.option("redact")
	x.press("enter")
	x.hold = false
	for _, c := range first {
		x.run(c)
	}
	if strings.Contains(x.screen(), "1,150") || f.cancelled != 1 {
		t.Errorf("an answer to what was asked before landed, cancelled %d:\n%s", f.cancelled, x.screen())
	}
	x.tick()
	x.wants("1,150")
	f.fail = errors.New("no such column\x1b[2J")
	x.press("ctrl+l")
	x.wants("It could not be checked.", "no such column␛[2J", "ctrl+l tries again")
	f.fail = nil
	x.press("ctrl+l")
	x.wants("1,150")
	x.lib.change(func(*fakeLibrary) {})
	asked := len(f.asked)
	x.tick()
	if len(f.asked) != asked+1 {
		t.Errorf("asked %d times, was %d: the database changed", len(f.asked), asked)
	}
}

// TestExportWaitsForVerdicts: what was just approved is among what is counted.
func TestExportWaitsForVerdicts(t *testing.T) {
	f := sampleExport()
	x := start(t, small(3), 80, 24, func(o *Options) { o.Exporting = f })
	x.hold = true
	x.press("a e")
	if x.app.in(keys.InExport) == nil || len(f.asked) != 0 {
		t.Fatal("asked before the verdict is written")
	}
	x.release()
	if len(f.asked) != 1 || x.lib.verdictOf(0) != review.Approved {
		t.Errorf("asked %d times", len(f.asked))
	}
}

// TestRandomKeysInTheExport presses anything at any size: every frame has its
// size, and no text drives the terminal.
func TestRandomKeysInTheExport(t *testing.T) {
	pressed := strings.Fields("e j k g G tab enter enter space left right backspace esc q y n pgdown ctrl+d ctrl+u ctrl+x ctrl+l ? 5 0 . = : , a / T")
	random := rand.New(rand.NewPCG(7, 8))
	f := sampleExport()
	x := start(t, approvedLibrary(), 80, 24, func(o *Options) { o.Exporting = f })
	for i := range 4000 / slower {
		if random.IntN(12) == 0 {
			x.send(tea.WindowSizeMsg{Width: 30 + random.IntN(190), Height: 6 + random.IntN(60)})
		}
		f.exists, f.fail = random.IntN(3) == 0, nil
		if random.IntN(15) == 0 {
			f.fail = context.DeadlineExceeded
		}
		if random.IntN(6) == 0 {
			x.tick()
		}
		if x.app.in(keys.InExport) == nil && x.app.field == nil && random.IntN(3) > 0 {
			x.press("e")
		}
		x.press(pressed[random.IntN(len(pressed))])
		if x.quit {
			x.quit = false
		}
		lines := strings.Split(x.app.View().Content, "\n")
		if x.app.TooSmall() {
			continue
		}
		if len(lines) != x.app.H {
			t.Fatalf("key %d: %d lines on a screen of %d", i, len(lines), x.app.H)
		}
		for _, l := range lines {
			if n := ansi.StringWidth(l); n > x.app.W {
				t.Fatalf("key %d: %d cells on a screen of %d: %q", i, n, x.app.W, l)
			}
			if plain := ansi.Strip(l); strings.ContainsAny(plain, "\x1b\x07\u202e") {
				t.Fatalf("key %d: %q", i, plain)
			}
		}
	}
}

// leftOf is what the side of the options shows.
func leftOf(x *harness) string {
	var b strings.Builder
	for _, l := range x.lines() {
		left, _, _ := strings.Cut(l, x.app.G.Wall)
		b.WriteString(left + "\n")
	}
	return b.String()
}
