package reader

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/core/token"
	"winnow/tui/draw"
	"winnow/tui/reader/gist"
	"winnow/tui/reader/markdown"
	"winnow/tui/reader/over"
	"winnow/tui/reader/sheet"
)

// kind says what a block is.
type kind uint8

const (
	ruleBlock     kind = iota // the line that names who speaks
	textBlock                 // what was said
	thinkingBlock             // reasoning
	callBlock                 // a call of a tool
	resultBlock               // what a tool answered
	markBlock                 // something that is no speech: a compaction, an image
	linkBlock                 // another session that one can go to
	staleBlock                // the verdict that the segment had
	scoreBlock                // why the segment has its score
	digestBlock               // rows of a digest
	droppedBlock              // messages that curators dropped
)

// block is a part of a message that is shown and folded as one: a headline,
// a text under it, or both. All texts are clean.
type block struct {
	kind  kind
	label string // role, tool name
	short string // stands in for a label that leaves no room for brief, "" for none
	brief string // what matters of it, in one line
	note  string // at the right edge: a time, an exit code
	size  string // of the text, after the note
	gap   bool   // an empty row stands before it

	text     string          // "" without a body
	sections []sheet.Section // of the text; none: it is all alike
	tables   []sheet.Table   // in the text
	pretty   *form           // the text as indented JSON, nil if it is none
	drawn    *form           // the text as Markdown, or in colours; nil while it is not
	lines    int             // of text
	whole    bool            // brief is all of the text
	failed   bool
	exits    bool         // it failed by what it ran
	verdict  string       // of a failed result: how
	markdown bool         // worth rendering
	language string       // of the code in the text, "" for none that is known
	prints   string       // of a call: the language of what it prints
	long     bool         // a text without a headline that opens with its first rows
	link     Link         // of a linkBlock
	change   sheet.Change // of a call that edits
	of       *stand       // the message it is part of, nil for the one recorded there
	compared *compared    // its text is shown beside what it was, nil: it is not
}

// headline reports whether the block has a row of its own above its text.
func (b *block) headline() bool { return b.kind != textBlock }

// foldable reports whether the block can be opened and closed.
func (b *block) foldable() bool {
	return b.text != "" && b.kind != digestBlock && (b.kind != textBlock || b.long)
}

// document is a message ready to be shown. Nothing of it changes but how its
// blocks are drawn, and what became of a call.
type document struct {
	n       int
	role    chat.Role
	blocks  []block
	size    int // bytes held
	stored  stored
	written bool // somebody wrote it
	stub    bool // stands for a message whose text is not here yet

	run    over.Run // the messages that it stands for, if they are dropped
	stands []stand  // the messages that stand there, nil for the recorded one alone

	lead  lead
	since *since // what it tells of a stale segment, nil for nothing yet

	calls   []called // of an assistant, in order
	answers string   // of a result: the id of the call, if it is known
}

// called names a call for its results.
type called struct{ id, name, label, prints string }

const (
	// sectionBytes is what a section of a text takes.
	sectionBytes = 16
	// systemLines is what a system prompt may have before only its first
	// rows are shown: prompts of 500 lines stand in front of most sessions.
	systemLines = 12
)

// documentOf makes a message ready to be shown. It takes time linear in the
// size of the message and is called from commands only.
func documentOf(m *chat.Message, zone *time.Location) *document {
	d := &document{n: m.N, role: m.Role, stored: storedIn(m), written: Wrote(m)}
	if m.Role == chat.Tool {
		d.answers = m.ToolCallID
		d.add(resultOf(m))
		return d
	}
	d.add(block{kind: ruleBlock, label: string(m.Role), note: ruleNote(m, zone), gap: true})
	thought, content := chat.SplitThink(m.Content)
	for _, reasoning := range [...]string{m.Reasoning, thought} {
		if text := sheet.Body(reasoning); text != "" {
			d.add(block{kind: thinkingBlock, label: "thinking", brief: gist.Sentence(text), text: text})
		}
	}
	d.addContent(m, sheet.Body(content))
	d.calls = callsOf(m)
	for i := range m.ToolCalls {
		b := callOf(&m.ToolCalls[i], d.calls[i].label)
		d.calls[i].prints = b.prints
		b.gap = i == 0 && d.blocks[len(d.blocks)-1].kind == textBlock
		d.add(b)
	}
	if len(d.blocks) == 1 {
		d.add(block{kind: markBlock, label: "(empty)"})
	}
	return d
}

// keptText says how many of the messages before it a compaction left in the model's
// sight, where that was recorded.
func keptText(m *chat.Message) string {
	c, _ := review.ContextOf(m)
	if !c.Known || m.N == 1 {
		return ""
	}
	n := 0
	for _, run := range c.Keeps {
		n += run[1] - run[0] + 1
	}
	return ", keeps " + draw.Grouped(n) + " of " + draw.Plural(m.N-1, "message")
}

func (d *document) addContent(m *chat.Message, text string) {
	switch {
	case m.Summary():
		d.add(block{kind: markBlock, label: "compaction" + keptText(m), brief: gist.Words(text), text: text})
	case text != "":
		b := block{kind: textBlock, text: text, gap: len(d.blocks) > 1}
		b.markdown = markdown.Worth(text)
		b.long = m.Role == chat.System && strings.Count(text, "\n") >= systemLines
		d.add(b)
	}
	for _, media := range mediaMarks {
		if m.Marks.Has(media.mark) && !strings.Contains(text, media.label) {
			d.add(block{kind: markBlock, label: media.label})
		}
	}
}

// mediaMarks are the placeholders that media leave in a text.
var mediaMarks = [...]struct {
	mark  chat.Marks
	label string
}{{chat.MarkImage, "[image]"}, {chat.MarkAudio, "[audio]"}, {chat.MarkFile, "[file]"}}

// judge tells of a result what became of the call.
func (d *document) judge(f outcome.Finding) {
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.kind != resultBlock || b.of != nil {
			continue
		}
		b.failed, b.exits, b.verdict = f.Failed(), f.Outcome == outcome.Exit, ""
		if b.failed {
			b.verdict, b.markdown = cmp.Or(f.Evidence, "failed"), false
			if strings.HasPrefix(b.note, exitNote) {
				b.note = "" // said by the verdict
			}
		}
	}
}

func (d *document) add(b block) {
	if b.text != "" {
		b.lines = strings.Count(b.text, "\n") + 1
		b.whole = b.kind != textBlock && b.brief == b.text
		switch b.kind {
		case resultBlock, markBlock:
			b.size = cmp.Or(b.size, sheet.Extent(b.lines, len(b.text)))
		case thinkingBlock:
			b.size = draw.Tight(token.Estimate(b.text)) + " tokens"
		}
	}
	for i := range b.tables {
		d.size += len(b.tables[i].Raw)
	}
	d.size += len(b.text) + len(b.label) + len(b.brief) + sectionBytes*len(b.sections)
	if b.pretty != nil {
		d.size += len(b.pretty.text)
	}
	d.blocks = append(d.blocks, b)
}

// ruleNote is what stands at the right end of a message's rule.
func ruleNote(m *chat.Message, zone *time.Location) string {
	var repaired, malformed, clock string
	if m.Marks.Has(chat.MarkRepaired) {
		repaired = "repaired"
	}
	if m.Marks.Has(chat.MarkMalformedCall) {
		malformed = "unreadable call"
	}
	if t, ok := chat.ParseTime(m.Timestamp); ok {
		clock = t.In(zone).Format("15:04")
	}
	return joined(repaired, malformed, gist.Line(m.Model), clock)
}

// joined joins what is not empty.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// callsOf names the calls of a message: those of the same tool are numbered.
func callsOf(m *chat.Message) []called {
	count := map[string]int{}
	calls := make([]called, len(m.ToolCalls))
	for i := range m.ToolCalls {
		name := cmp.Or(gist.Line(m.ToolCalls[i].Name), "(unnamed)")
		calls[i] = called{m.ToolCalls[i].ID, name, name, ""}
		count[name]++
	}
	seen := map[string]int{}
	for i := range calls {
		if c := &calls[i]; count[c.name] > 1 {
			seen[c.name]++
			c.label += " #" + strconv.Itoa(seen[c.name])
		}
	}
	return calls
}

// stubOf stands for a message that is not here yet. known is false while not
// even its index entry is; problem is why its text can't be read, "" if it is
// only on its way.
func stubOf(n int, head review.Head, known bool, problem string) *document {
	d := &document{n: n, role: head.Role, stub: true}
	state, role := cmp.Or(problem, "loading"), string(head.Role)
	if !known {
		role = "message " + strconv.Itoa(n)
	}
	failed := problem != ""
	note := ""
	if known {
		note = draw.Bytes(int64(head.ContentLen + head.ReasoningLen))
	}
	if head.Role == chat.Tool {
		d.add(block{kind: resultBlock, label: gist.Line(head.Tool), brief: state, note: note, failed: failed})
		if !failed {
			d.judge(head.Outcome())
		}
		return d
	}
	d.add(block{kind: ruleBlock, label: role, gap: true})
	d.add(block{kind: markBlock, label: state, note: note, failed: failed})
	return d
}
