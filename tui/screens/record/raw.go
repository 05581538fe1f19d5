package record

import (
	"context"
	"os/exec"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/ledger"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Sources leads from a message back to what it was read from. It may take long
// and is called from commands only.
type Sources interface {
	// Recorded returns a message as its source has it, or as it is stored if
	// the source does not have it any more.
	Recorded(ctx context.Context, of ledger.Message) (ledger.Recorded, error)
	// Edit returns what opens the source of a message at its line in the
	// curator's editor. Its error says what is missing, and what to do.
	Edit(ctx context.Context, of ledger.Message) (*exec.Cmd, error)
}

// Raw shows a message as it was recorded.
type Raw struct {
	page[ledger.Recorded]
	lib Sources
	of  ledger.Message
}

// NewRaw shows the message that is current in the reader.
func NewRaw(s screen.Seat, p Program, lib Sources) *Raw {
	return &Raw{page: newPage[ledger.Recorded](s, p), lib: lib}
}

// RawRows returns the keys of the recorded message.
func RawRows() []keys.Row[*Raw] {
	return []keys.Row[*Raw]{
		screen.Key("J", "next-message", "go to the next message", "next", func(r *Raw) { r.step(+1) }, nil),
		screen.Key("K", "previous-message", "go to the previous message", "", func(r *Raw) { r.step(-1) }, nil),
		screen.Key("z", "fold-texts", "fold each text to a row, or show all of it", "fold", (*Raw).foldTexts, nil),
		screen.Key("w", "list", "go back to the reader", "", (*Raw).Leave, nil),
		screen.Key("q esc", keys.Back, "close the find, else go back to the reader", "back", (*Raw).Back, nil),
	}
}

// Of is the message that is shown.
func (r *Raw) Of() ledger.Message { return r.of }

// Follow asks for the first message, and tells the text its size.
func (r *Raw) Follow(f screen.Frame) {
	if r.of.N == 0 {
		r.askFor(r.program.Message())
	}
	r.Read(r.reader.Resize(f.Width, max(1, f.Height-len(r.head(f.Width)))))
}

func (r *Raw) askFor(of ledger.Message) {
	r.of = of
	lib, ascii := r.lib, r.ASCII
	r.ask(func(ctx context.Context) (text[ledger.Recorded], error) {
		about, err := lib.Recorded(ctx, of)
		if err != nil {
			return text[ledger.Recorded]{}, err
		}
		return textOf(ctx, about, about.Text, ascii), nil
	}, false)
}

// step shows another message; the reader goes there, too.
func (r *Raw) step(by int) {
	notice := r.program.Step(by)
	if of := r.program.Message(); of != r.of {
		r.askFor(of)
	} else {
		r.Say(notice)
	}
}

// Reload reads the message again.
func (r *Raw) Reload() { r.askFor(r.of) }

// Copied is the message as it is shown.
func (r *Raw) Copied() (text, what string) { return r.text.Got.copy, "message " + draw.Grouped(r.of.N) }

// Lines draws which message it is above it.
func (r *Raw) Lines(w, height int) []string {
	return r.lines(r.head(w), w, height, "reading the source", "The message could not be read.", nil)
}

// head says which message it is and where it stands.
func (r *Raw) head(w int) []string {
	var stored, place []string
	as := " as recorded"
	if m := &r.text.Got.about; r.text.Got.shown != nil {
		if m.Stored != "" {
			as = " as stored"
			for l := range strings.SplitSeq(ansi.Wrap(clean.Line(draw.Head(m.Stored)), max(8, w-3), ""), "\n") {
				stored = append(stored, "  "+r.Ink.Warn.On(l))
			}
		}
		part, left := "", ""
		if m.Part != "" {
			part = "  " + clean.Line(draw.Head(m.Part))
		}
		if n := int64(r.text.Got.shown.Left); n > 0 {
			left = "  " + draw.LongBytes(n) + " not shown"
		}
		room := w - 2 - ansi.StringWidth(part) - ansi.StringWidth(left)
		place = []string{draw.Fit("  "+r.Ink.Text.On(draw.Tail(r.ShortPath(m.Place), max(8, room), r.G.More))+r.Ink.Muted.On(part)+r.Ink.Warn.On(left), w, r.G.More)}
	}
	title := draw.Fit(r.Ink.Key.On(r.G.Mark)+" "+r.Ink.Name.On("message "+draw.Grouped(r.of.N))+r.Ink.Muted.On(as), w, r.G.More)
	return slices.Concat([]string{title}, stored, place, []string{r.Rule(w)})
}
