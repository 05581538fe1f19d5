package compress

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// Extract has a list of what was done stand for messages, a line for each, and
// each name that later messages use and that would be gone. It asks no model.
type Extract struct {
	// Foresight leaves out what later messages chose: the names that they will
	// need. An agent that compresses itself cannot know them.
	Foresight bool
}

// Name returns "extract".
func (Extract) Name() string { return "extract" }

func (e Extract) made(m *Made) { m.Hindsight = !e.Foresight }

const (
	// shareOf is the part of what goes that a list may cost.
	shareOf = 3
	// listLeast is what a list is assumed to cost at least: its first line and a
	// name or two.
	listLeast = 24
)

func (Extract) assume(o *Options, tokens int) int {
	return min(o.Summary, max(listLeast, tokens/shareOf))
}

func (Extract) choose(s *session, excess int) []Region { return s.summarize(excess) }

func (e Extract) write(_ context.Context, s *session, regions []Region, r *Result) error {
	names := make([][]need, len(regions))
	if !e.Foresight {
		for _, n := range s.needs(regions, false) {
			names[n.region] = append(names[n.region], n)
		}
	}
	r.Findings = nil
	for k := range regions {
		g := &regions[k]
		g.Text = s.list(g, names[k])
	}
	return nil
}

// listed is what a person should look at in a list of what was done.
func (s *session) listed(g *Region) (found []Finding) {
	for _, hit := range s.o.secretsIn(g.Text) {
		found = append(found, Finding{Secret, s.messages[g.From].N, "the list of what was done holds a secret: " + hit.Rule})
	}
	return found
}

// leftOut ends the first line of a list.
const leftOut = " left out here."

// list writes what stands for a region: how many messages, the names that are
// needed, and as many lines as fit into the budget, from the last one back.
func (s *session) list(g *Region, needed []need) string {
	head := fmt.Sprintf("%s %d messages are", Prefix, g.To-g.From)
	if g.To-g.From == 1 {
		head = Prefix + " One message is"
	}
	head += leftOut
	budget := s.o.By.assume(s.o, g.Tokens)>>s.tight - s.o.Price.Text(head)
	for _, n := range needed {
		budget -= s.o.Price.Text(", " + n.name)
	}
	var lines []string
	for i := g.To - 1; i >= g.From && budget > 0; i-- {
		line := s.told(i)
		if line.text == "" {
			continue
		}
		if budget -= line.cost; budget < 0 {
			break
		}
		if line.secret == unlooked {
			line.secret = clean
			if len(s.o.secretsIn(line.text)) > 0 {
				line.secret = secretive
			}
		}
		if line.secret == clean {
			lines = append(lines, line.text)
		}
	}
	slices.Reverse(lines)
	told := map[string]bool{}
	for _, line := range lines {
		if len(needed) == 0 {
			break
		}
		eachName(line, func(name string, _ sort, _ bool) { told[name] = true })
	}
	lines = append([]string{head}, lines...)
	if names := s.needed(needed, told); names != "" {
		lines = append(lines, names)
	}
	return strings.Join(lines, "\n")
}

// needed lists the names that are needed and not told of yet, by what they were
// in.
func (s *session) needed(needed []need, told map[string]bool) string {
	var names []string
	for _, n := range needed {
		if !told[n.name] {
			told[n.name] = true
			names = append(names, n.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Needed later: " + strings.Join(names, ", ")
}

// lineMost is how much a line quotes at most, in bytes. What is longer is told
// of by its size: nothing is half cut.
const lineMost = 120

// told is the line of a message with its cost, made once.
func (s *session) told(i int) *line {
	l := &s.lines[i]
	if !l.made {
		l.made = true
		if l.text = s.line(i); l.text != "" {
			l.cost = s.o.Price.Text(l.text) + 1
		}
	}
	return l
}

// line is what a list says of a message.
type line struct {
	text   string
	cost   int
	made   bool
	secret looked
}

// looked says what is known of secrets in a line.
type looked uint8

const (
	unlooked looked = iota
	clean
	secretive
)

// line tells what a message did, in one line; "" for nothing worth a word.
func (s *session) line(i int) string {
	m := &s.messages[i]
	if m.Role == chat.Tool {
		return number(m) + s.toolOf(i) + ": " + s.cameOut(i) + ", " + printed(m.Content)
	}
	var parts []string
	for k := range m.ToolCalls {
		c := &m.ToolCalls[k]
		name := c.Name
		if name == "" || len(name) > lineMost || !plain(name) {
			name = "tool"
		}
		parts = append(parts, strings.TrimRight("called "+name+" "+mainOf(c.Arguments), " "))
	}
	if first := firstLine(m.Content); first != "" {
		parts = append(parts, "said: "+first)
	}
	if len(parts) == 0 {
		return ""
	}
	return number(m) + strings.Join(parts, "; ")
}

// number is what a line begins with: the number of the message as people write it,
// which those of another session, before a fork, do not have.
func number(m *chat.Message) string {
	switch {
	case m.N == 0:
		return ""
	case m.Part > 0:
		return fmt.Sprintf("#%d.%d ", m.N, m.Part)
	}
	return "#" + strconv.Itoa(m.N) + " "
}

// printed tells of a text by its size, its first and its last line.
func printed(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return "no output"
	}
	n := strings.Count(text, "\n") + 1
	first := firstLine(text)
	if n == 1 {
		if first != "" {
			return first
		}
		return strconv.Itoa(len(text)) + " bytes"
	}
	said := strconv.Itoa(n) + " lines"
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if first != "" {
		said += ": " + first
	}
	if last = quotable(last); last != "" {
		said += " … " + last
	}
	return said
}

// firstLine is the first line of a text that says anything, if it can be quoted:
// rules and fences say nothing.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if strings.ContainsFunc(line, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
			return quotable(line)
		}
	}
	return quotable(text)
}

// quotable is a line as it may be quoted, "" if it is too long or says nothing to
// a reader: tags that templates give a meaning, characters that are not printed.
func quotable(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > lineMost || !plain(line) || tagIn(line) != "" {
		return ""
	}
	return line
}

// plain reports whether a text has only characters that are printed.
func plain(text string) bool {
	for _, c := range text {
		if c == utf8.RuneError || c != '\t' && !unicode.IsPrint(c) {
			return false
		}
	}
	return true
}

// telling are the arguments that tell what a call does, the best first.
var telling = [...]string{"command", "cmd", "script", "code", "file_path", "path", "filename", "notebook_path", "absolute_path", "url", "query", "pattern", "regex", "thought", "description", "prompt", "task", "question", "subject", "expression"}

// argumentsMost is how long arguments are that are looked into.
const argumentsMost = 64 << 10

// mainOf is the argument that tells what a call does, else all of them if they
// are short.
func mainOf(arguments string) string {
	args := strings.TrimSpace(arguments)
	if len(args) > argumentsMost || !chat.IsObject(args) {
		return quotable(args)
	}
	for _, name := range telling {
		if v := rawjson.Get(args, name); rawjson.IsText(v) {
			return quotable(rawjson.Unquote(v))
		}
	}
	if args == "{}" {
		return ""
	}
	return quotable(args)
}
