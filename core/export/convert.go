package export

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
	"winnow/core/review"
	"winnow/core/session"
)

// Conversion says how a file of conversations is converted.
type Conversion struct {
	As string // name of the emitter, "" the default
	// Name is that of the source, which ids and provenance tell; no folder.
	Name string
	// Format is that of the source, "" is detected.
	Format string
	// MaxValue is that of session.Options.
	MaxValue int64
	// Ephemeral and Repair are those of Options.
	Ephemeral string
	Repair    bool
	// Path is the file to write, which appears when it is complete; "": Out
	// is written to.
	Path  string
	Force bool // replaces a file that exists
	Out   io.Writer
}

// Converted says what a conversion did.
type Converted struct {
	As            string        `json:"as"`
	Conversations int           `json:"conversations"`          // read
	Entries       int           `json:"entries"`                // records written
	Clean         int           `json:"clean"`                  // conversations without findings
	Bad           int           `json:"bad"`                    // lines that could not be read
	OfRun         int           `json:"of_run,omitzero"`        // as in Report
	Cut           int           `json:"ephemeral_cut,omitzero"` // as in Report
	Bytes         int64         `json:"bytes"`                  // of the records
	Files         []File        `json:"files"`                  // none on Out
	Repairs       []RepairCount `json:"repairs"`                // by check
}

// ErrNoPairs is returned for a format of pairs where there are no verdicts.
var ErrNoPairs = errors.New("a pair takes an approved and a rejected run, and a file has no verdicts: import it, judge, and export")

// Convert reads the conversations of a source in any format and writes each as
// an entry, in their order. Unlike an export it leaves nothing out: what a check
// finds is told and written all the same, as well as the format can. Repairs are
// made where they drop nothing, and only that of the order of results for a
// format that can hold what was recorded as it is. found is called for each finding, with the line on which
// the conversation begins, and for each line that could not be read. Memory
// holds one conversation where each stands in a value of its own, else all of
// them.
func Convert(ctx context.Context, r io.Reader, how Conversion, found func(LintFinding)) (Converted, error) {
	e, err := Find(how.As)
	if err != nil {
		return Converted{}, err
	}
	if err := e.Converts(); err != nil {
		return Converted{}, fmt.Errorf("convert: %s: %w", e.Name, err)
	}
	c := &converter{
		emitter: e, how: how, found: found, repairs: map[string]int{}, loader: loader{block: loaderBlock},
		done: Converted{As: e.Name, Files: []File{}, Repairs: []RepairCount{}},
	}
	if err := c.run(ctx, r); err != nil {
		return c.done, fmt.Errorf("convert: %w", err)
	}
	return c.done, nil
}

// converter writes conversations as they become complete.
type converter struct {
	emitter *Emitter
	how     Conversion
	found   func(LintFinding)
	done    Converted
	repairs map[string]int
	sheet   *sheet
	loader  loader
	refused bool // told that loaders refuse the file
	buf     []byte
}

func (c *converter) run(ctx context.Context, r io.Reader) (err error) {
	if c.sheet, err = newSheet(c.emitter, &c.how); err != nil {
		return err
	}
	defer c.sheet.abort()
	in := newConversations(c.take, c.issue)
	opt := session.Options{Format: c.how.Format, Exact: true, MaxValue: c.how.MaxValue}
	if _, err := session.Read(ctx, r, opt, session.State{}, in); err != nil {
		return err
	}
	if err := in.end(); err != nil || c.done.Conversations == 0 {
		return err
	}
	c.done.Repairs = repairCounts(c.repairs)
	c.done.Files, err = c.sheet.commit(ctx)
	return err
}

// issue tells what the reader could not read, or read only in part.
func (c *converter) issue(i session.Issue) {
	if i.Severity == session.Skipped {
		return // blank lines, and what carries no message
	}
	if i.Severity != session.Note {
		c.done.Bad++
	}
	c.found(LintFinding{int(i.Line), Finding{Check: "read", Detail: i.Reason}})
}

// dropping names the repairs that drop messages: a conversion keeps them.
var dropping = []string{"compaction", "empty_assistant", "ending"}

// mayRepair reports whether a repair drops nothing, and is not one of what the
// format can hold as it was recorded.
func (c *converter) mayRepair(check string) bool {
	if c.emitter.asRecorded {
		return check == resultOrder.Name
	}
	return !slices.Contains(dropping, check)
}

// take writes a conversation.
func (c *converter) take(conv *conversation) error {
	c.done.Conversations++
	s := c.sample(conv)
	count := 0
	tell := func(f Finding) {
		count++
		c.found(LintFinding{int(conv.line), f})
	}
	if cutEphemeral(s, c.how.Ephemeral) {
		c.done.Cut++
	}
	if c.how.Repair && len(rule(mend).apply(mended, s, c.emitter)) > 0 {
		c.repairs[mended]++
	}
	for _, rules := range [...]iter.Seq[*Check]{c.emitter.shared, c.emitter.special} {
		for r := range rules {
			if c.mayRepair(r.Name) && len(r.repair.apply(r.Name, s, c.emitter)) > 0 {
				c.repairs[r.Name]++
			}
		}
	}
	if s.ofRun() && !slices.Contains(c.emitter.skips, "system") {
		c.done.OfRun++
	}
	tooLarge := false
	for _, f := range c.emitter.Check(s) {
		tell(f)
		tooLarge = tooLarge || f.Check == stepsSize.Name
	}
	var lines []byte
	rows := 0
	if !tooLarge {
		lines, rows = c.encode(s)
	}
	if wrong := c.misfit(lines); wrong != "" {
		tell(Finding{Check: "columns", Detail: wrong + ": loaders take the columns from the first 10 MB, and refuse the file; an export writes several files, a .parquet has all columns"})
	}
	if rows != 1 {
		tell(Finding{Check: "entry", Detail: fmt.Sprintf("the conversation becomes %d entries", rows)})
	}
	if count == 0 {
		c.done.Clean++
	}
	c.done.Entries += rows
	c.done.Bytes += int64(len(lines))
	return c.sheet.add(s, lines, rows)
}

// misfit tells the first thing for which loaders refuse the file. Of a table
// the columns are known.
func (c *converter) misfit(lines []byte) string {
	if c.refused || strings.HasSuffix(c.how.Path, codings.parquet.ext) {
		return ""
	}
	for line := range bytes.Lines(lines) {
		if wrong := c.loader.row(bytes.TrimSuffix(line, []byte{'\n'})); wrong != "" {
			c.refused = true
			return wrong
		}
	}
	return ""
}

// sample makes a sample of a conversation.
func (c *converter) sample(conv *conversation) *Sample {
	conv.number()
	meta := &conv.meta
	seg := &review.Segment{SessionFile: c.how.Name, Start: 1, End: len(conv.messages)}
	if conv.key != "" {
		seg.SessionFile += "#" + conv.key
	}
	seg.Digest = chat.DigestOf(conv.messages)
	s := New(seg, &review.Session{
		Format: meta.Format, Model: meta.Model, Tools: meta.Tools, Started: meta.Started, Dir: meta.Dir, Completed: meta.Completed, Metadata: meta.Extra,
		Tally: review.Tally{Messages: len(conv.messages)},
	}, conv.messages)
	s.Agent, s.Topic = s.recordedText("source"), cmp.Or(s.recordedText("topic"), meta.Title)
	s.asRecorded, s.toolsRecorded = c.emitter.asRecorded, meta.Tools
	return s
}

// recordedText is a text of the session's recorded metadata, "" without it.
func (s *Sample) recordedText(name string) string {
	text, err := unquote(s.recordedField(name))
	if err != nil {
		return ""
	}
	return text
}

// encode writes the records of a sample that may be broken. Arguments that a
// format embeds as they are, and that are no JSON, become empty.
func (c *converter) encode(s *Sample) (lines []byte, rows int) {
	lines, rows = c.emitter.encode(c.buf[:0], s)
	if !validLines(lines) {
		rule(emptyArguments).apply("", s, c.emitter)
		lines, rows = c.emitter.encode(lines[:0], s)
	}
	if c.buf = lines; cap(lines) > maxKept {
		c.buf = nil // one giant conversation must not stay in memory
	}
	return lines, rows
}

func validLines(lines []byte) bool {
	for line := range strings.Lines(string(lines)) {
		if !rawjson.Valid(line) {
			return false
		}
	}
	return true
}
