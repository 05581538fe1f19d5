package export

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// Linting says how a file of training data is read.
type Linting struct {
	As       string // name of the format, "" the one that the first record looks like
	MaxValue int64  // that of session.Options
}

// Lint is what the reading of a file of training data found, whoever made it.
type Lint struct {
	As   string `json:"as"`   // the format whose rules were applied
	Rows int    `json:"rows"` // records read
	// Clean counts the records without findings.
	Clean int `json:"clean"`
}

// LintFinding is a finding with the line it is on, from 1.
type LintFinding struct {
	Line int `json:"line"`
	Finding
}

// LintFile reads records, one per line, and reports what a trainer would break
// on or take for something else: what loaders do with columns, what chat
// templates raise on, and all checks that an export must pass. It repairs
// nothing, and the order of keys does not matter. The error is one of r, of ctx
// or of an unknown format.
func LintFile(ctx context.Context, r io.Reader, how Linting, found func(LintFinding)) (Lint, error) {
	l := linter{found: found, maxValue: how.MaxValue, loader: loader{block: loaderBlock}, refused: map[string]bool{}}
	if how.As != "" {
		e, err := Find(how.As)
		if err != nil {
			return Lint{}, err
		}
		l.emitter = e
	}
	in := bufio.NewReaderSize(r, 1<<16)
	for line := 1; ; line++ {
		if err := ctx.Err(); err != nil {
			return l.done, err
		}
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return l.done, fmt.Errorf("line %d: %w", line, err)
		}
		if len(text) > 0 {
			l.line(ctx, line, bytes.TrimRight(text, "\r\n"))
		}
		if l.document {
			return l.done, nil
		}
		if err == io.EOF {
			if l.emitter != nil {
				l.done.As = l.emitter.Name
			}
			return l.done, nil
		}
	}
}

// linter reads the records of one file.
type linter struct {
	emitter *Emitter
	columns []string // top-level keys of the first record, sorted
	loader  loader
	refused map[string]bool // what the loader refuses, told once
	found   func(LintFinding)
	done    Lint
	// document says that the file is one JSON document, not lines.
	document bool
	maxValue int64
	at       int // line
	count    int // findings on it
	summary  int // the message on it that a summary is, and seems to be trained; 0: none
}

func (l *linter) report(check string, message int, format string, args ...any) {
	l.count++
	l.found(LintFinding{l.at, Finding{Check: check, Message: message, Detail: fmt.Sprintf(format, args...)}})
}

func (l *linter) line(ctx context.Context, at int, text []byte) {
	l.at, l.count, l.summary = at, 0, 0
	if len(bytes.TrimSpace(text)) == 0 {
		l.report("json", 0, "an empty line: loaders of JSON lines stop here")
		return
	}
	l.done.Rows++
	record, err := members(jsontext.Value(text))
	if err != nil {
		// A document is no finding for each of its lines.
		if l.document = l.done.Rows == 1 && (text[0] == '[' || string(text) == "{"); l.document {
			l.report("json", 0, "a document in place of lines: one record per line is expected, as winnow convert writes")
			return
		}
		l.report("json", 0, "not a JSON object: %v", err)
		return
	}
	if l.emitter == nil {
		l.emitter = looksLike(record)
	}
	l.record(record)
	if wrong := l.loader.row(text); wrong != "" && !l.refused[wrong] {
		l.refused[wrong] = true
		l.report("columns", 0, "%s: loaders take the columns from the first 10 MB, and refuse the file", wrong)
	}
	l.sample(ctx, text)
	if l.count == 0 {
		l.done.Clean++
	}
}

// mistaken are keys that loaders take a file for something else by.
var mistaken = [...]struct {
	keys []string
	what string
}{
	{[]string{"messages", "id", "source", "model", "system_prompt"}, "a log of prompts"},
	{[]string{"type", "message"}, "an agent's log"},
	{[]string{"type", "payload"}, "an agent's log"},
	{[]string{"messages", "prompt"}, "a prompt of preference data"},
	{[]string{"messages", "text"}, "plain text"},
	{[]string{"messages", "image"}, "a data set of images"},
}

// record looks at what loaders see of a record.
func (l *linter) record(record []field) {
	keys := make([]string, len(record))
	for i, f := range record {
		keys[i] = f.name
	}
	slices.Sort(keys)
	for _, m := range mistaken {
		if !slices.ContainsFunc(m.keys, func(k string) bool { return !slices.Contains(keys, k) }) {
			l.report("columns", 0, "%s together: loaders take the file for %s", strings.Join(m.keys, ", "), m.what)
		}
	}
	if l.columns == nil {
		l.columns = keys
	} else if l.emitter.uniform && !slices.Equal(l.columns, keys) {
		l.report("columns", 0, "the keys are %s, those of the first record %s", strings.Join(keys, ", "), strings.Join(l.columns, ", "))
	}
	l.fields(record)
}

// fields looks at the members of a record, and of the conversations inside of it.
func (l *linter) fields(record []field) {
	for _, f := range record {
		l.nothing(f, 0)
		l.kinds(f)
		switch f.name {
		case "messages", "prompt", "completion", "conversations", "rejected_messages", "preferred_output", "non_preferred_output":
			l.messages(f)
		case "chosen", "rejected":
			if l.emitter.Name != llamafactoryDPO.Name { // a turn there
				l.messages(f)
			}
		case "input", "positive", "negative":
			if inner, err := members(f.value); err == nil {
				l.fields(inner)
			}
		}
	}
}

// nothing reports a key that should rather be absent.
func (l *linter) nothing(f field, message int) {
	switch string(bytes.TrimSpace(f.value)) {
	case "null":
		l.report("null", message, "%q is null: leave it out", f.name)
	case "[]":
		l.report("empty_list", message, "%q is an empty list: leave it out", f.name)
	}
}

func (l *linter) messages(f field) {
	items, err := elements(f.value)
	if err != nil {
		l.report("messages", 0, "%q is %s: a list of messages is expected", f.name, f.value.Kind())
		return
	}
	for i, item := range items {
		m, err := members(item)
		if err != nil {
			l.report("messages", i+1, "a message that is %s", item.Kind())
			continue
		}
		role, _ := get(m, "role")
		who, _ := unquote(role)
		if l.summary == 0 && f.name != "prompt" && trainsSummary(m) {
			l.summary = i + 1
		}
		for _, f := range m {
			l.nothing(f, i+1)
			l.marks(f, chat.Role(who), i+1)
			switch f.name {
			case "content", "value":
				if k := f.value.Kind(); k != '"' && k != 'n' {
					l.report("content", i+1, "%q is %s: text is expected", f.name, k)
				}
			case "tool_calls":
				l.calls(f.value, i+1)
			}
		}
	}
}

// sample reads a record as its format writes it, else as an import would, and
// applies the checks.
func (l *linter) sample(ctx context.Context, text []byte) {
	switch {
	case l.emitter.Pairs():
		l.pair(text)
		return
	case l.emitter.Tree():
		l.tree(text)
		return
	}
	if s, err := l.emitter.Read(bytes.TrimSpace(text)); err == nil {
		s.exact = mayEndWithCall(s.Provenance)
		l.check(s)
		return
	}
	if l.summary > 0 {
		l.tellSummary(l.summary)
	}
	bad := ""
	in := newConversations(nil, func(i session.Issue) {
		if i.Severity == session.Bad && bad == "" {
			bad = i.Reason
		}
	})
	in.single = true
	if _, err := session.Read(ctx, bytes.NewReader(text), session.Options{MaxValue: l.maxValue}, session.State{}, in); err != nil {
		l.report("messages", 0, "%v", err)
		return
	}
	if bad != "" {
		l.report("messages", 0, "%s", bad)
	}
	conv := in.of("")
	if len(conv.messages) == 0 {
		l.report("messages", 0, "no message was found in the record")
		return
	}
	conv.number()
	s := New(&review.Segment{Start: 1, End: len(conv.messages)}, &review.Session{Tools: conv.meta.Tools}, conv.messages)
	rule(splitThoughts).apply("", s, l.emitter)
	if l.emitter.positional {
		rule(fillCallIDs).apply("", s, l.emitter)
	}
	l.check(s)
}

// pair reads a record of a pair and applies the checks to it.
func (l *linter) pair(text []byte) {
	p, err := l.emitter.readPair(bytes.TrimSpace(text))
	if err != nil {
		l.report("pair", 0, "no pair as %s has them: %v", l.emitter.Name, err)
		return
	}
	for _, f := range l.emitter.CheckPair(p) {
		l.report(f.Check, f.Message, "%s", f.Detail)
	}
}

// tree reads a record of a tree and applies the checks to it.
func (l *linter) tree(text []byte) {
	t := &Tree{}
	if err := l.emitter.tree.decode(t, bytes.TrimSpace(text)); err != nil {
		l.report("tree", 0, "no tree as %s has them: %v", l.emitter.Name, err)
		return
	}
	for _, f := range l.emitter.CheckTree(t) {
		l.report(f.Check, f.Message, "%s", f.Detail)
	}
}

func (l *linter) check(s *Sample) {
	for _, f := range l.emitter.Check(s) {
		l.report(f.Check, f.Message, "%s", f.Detail)
	}
}
