package reader

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/core/session"
	"winnow/tui/draw"
	"winnow/tui/reader/gist"
)

// about is what is known of the session that a segment is part of.
type about struct {
	session  review.Session // without its tools
	offered  int            // tools
	tools    string         // their names, as many as are shown
	parent   review.Session // ID "" without one that is here; no more of it than tells which it is
	children []review.Child
}

// loadAbout reads what surrounds a session. What can't be read is left out:
// the messages are what counts.
func loadAbout(ctx context.Context, fetch Fetch, id string) *about {
	a := &about{}
	if id == "" {
		return a
	}
	s, err := fetch.Session(ctx, id)
	if err != nil {
		return a
	}
	names := review.ToolNames(s.Tools)
	a.offered, a.tools = len(names), toolList(names)
	s.Tools, s.Metadata, s.Title = "", short(s.Metadata, metadataBytes), short(s.Title, gist.Most)
	a.session = s
	if s.Parent != "" {
		if p, err := fetch.Session(ctx, s.Parent); err == nil {
			a.parent = review.Session{ID: p.ID, Title: titleOf(ctx, fetch, &p), File: p.File}
		}
	}
	if a.children, err = fetch.Children(ctx, id); err != nil {
		a.children = nil
	}
	for i := range a.children {
		a.children[i].Title = short(a.children[i].Title, gist.Most)
	}
	return a
}

const (
	// promptWithin is how far from its beginning the prompt that names a
	// session is looked for, and promptBytes the size up to which it is read.
	promptWithin, promptBytes = 16, 256 << 10
)

// titleOf names a session by its title, else by its first prompt, as the list
// does; "" if it has neither.
func titleOf(ctx context.Context, fetch Fetch, s *review.Session) string {
	if s.Title != "" || s.Messages == 0 {
		return short(s.Title, gist.Most)
	}
	heads, err := fetch.Heads(ctx, s.Body, 1, min(s.Messages, promptWithin))
	if err != nil {
		return ""
	}
	for i := range heads {
		if h := &heads[i]; h.Part == 0 && IsPrompt(h) && h.ContentLen <= promptBytes {
			m, err := fetch.Messages(ctx, s.Body, h.N, h.N)
			i := slices.IndexFunc(m, func(m chat.Message) bool { return m.N == h.N && m.Part == 0 })
			if err != nil || i < 0 {
				return ""
			}
			said, _ := m[i].BesideSummary()
			if title := segment.Title(said); title != "" {
				return title
			}
		}
	}
	return ""
}

// short returns the beginning of a text in memory of its own: what recorders
// wrote about sessions may be megabytes, and many of them are remembered.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.Clone(gist.Beginning(s, most)) + " ..."
}

// aboutsKept bounds the sessions whose surroundings are remembered.
const aboutsKept = 64

// learn remembers what surrounds a session. If that is news, its documents are
// made anew.
func (r *Reader) learn(body int64, id string, a *about) {
	if a == nil {
		return
	}
	old := r.abouts[id]
	if old != nil && reflect.DeepEqual(old, a) {
		return
	}
	if old != nil {
		r.shelf.drop(body, 0)
	}
	if len(r.abouts) >= aboutsKept {
		clear(r.abouts)
	}
	r.abouts[id] = a
}

// lead adds what the session is, above the first message of a segment.
func (a *about) lead(d *document, zone *time.Location) {
	if a.session.ID == "" {
		return
	}
	if a.parent.ID != "" {
		d.add(a.origin())
	}
	d.add(a.summary(zone))
	d.blocks[len(d.blocks)-1].size = "" // how many lines that is tells nothing
	a.strays(d)
}

// follow adds the sessions that come from a message, below it.
func (a *about) follow(d *document, m *chat.Message) {
	for i := range a.children {
		if c := &a.children[i]; comesFrom(c, m) {
			d.add(childBlockOf(c))
		}
	}
}

// straysShown is how many sessions are shown above the first message that
// belong nowhere in it; the others are counted. More would push it off the
// screen.
const straysShown = 8

// strays adds the sessions that come from this one nobody knows where: what
// started them has not answered, or the answer does not say.
func (a *about) strays(d *document) {
	n := 0
	for i := range a.children {
		c := &a.children[i]
		if c.At > 0 || c.Call != "" {
			continue
		}
		if n++; n <= straysShown {
			d.add(childBlockOf(c))
		}
	}
	if more := n - straysShown; more > 0 {
		d.add(block{kind: markBlock, label: "and " + draw.Plural(more, "more sub-agent")})
	}
}

// comesFrom reports whether a session belongs below a message: the one after
// which it begins, or the one that calls for it.
func comesFrom(c *review.Child, m *chat.Message) bool {
	if c.At > 0 {
		return c.At == m.N
	}
	return c.Call != "" && slices.ContainsFunc(m.ToolCalls, func(call chat.ToolCall) bool { return call.ID == c.Call })
}

// kindNames are what sessions are called that come from another.
var kindNames = map[session.Kind]string{
	session.Branch: "given-up branch", session.Subagent: "sub-agent", session.Continuation: "continued",
}

// NameOfKind says in words how a session comes from another.
func NameOfKind(k session.Kind) string {
	return cmp.Or(kindNames[k], "session")
}

func childBlockOf(c *review.Child) block {
	brief := gist.Line(c.Title)
	if brief == "" && c.Kind != session.Branch { // the id of a branch's first entry says nothing
		brief = gist.Line(c.NativeID)
	}
	return block{
		kind: linkBlock, label: NameOfKind(c.Kind), brief: brief,
		note: draw.Plural(c.Messages, "message"), link: Link{Session: c.ID, Title: cmp.Or(brief, NameOfKind(c.Kind))},
	}
}

// origin leads back to the session that this one comes from.
func (a *about) origin() block {
	title := cmp.Or(gist.Line(a.parent.Title), review.FileTitle(clean.Line(a.parent.File)))
	note := ""
	if at := a.session.Origin.At; at > 0 {
		note = "at message " + draw.Grouped(at)
	}
	label := NameOfKind(a.session.Origin.Kind) + " of"
	if a.session.Origin.Kind == session.Continuation {
		label = "continues"
	}
	return block{
		kind: linkBlock, label: label, brief: title, note: note,
		link: Link{Session: a.parent.ID, Title: title, At: a.session.Origin.At},
	}
}

// summary tells of the session in a line, and all that is known below it.
func (a *about) summary(zone *time.Location) block {
	s := &a.session
	outcome, verdict := "", ""
	if s.Completed != nil {
		outcome = "completed"
		if !*s.Completed {
			outcome, verdict = "failed", "failed"
		}
	}
	used := ""
	if s.Usage.Input+s.Usage.Output > 0 {
		used = draw.Grouped(int(s.Usage.Input)) + " tokens in, " + draw.Grouped(int(s.Usage.Output)) + " out"
	}
	offered := ""
	if a.offered > 0 {
		offered = draw.Plural(a.offered, "tool")
	}
	brief := joined(s.Format, gist.Line(s.Model), span(s.Started, s.Ended, zone), gist.Line(s.Dir), offered, used)

	var text strings.Builder
	row := func(name, value string) {
		if value != "" {
			text.WriteString(name + strings.Repeat(" ", max(1, 10-len(name))) + value + "\n")
		}
	}
	row("title", gist.Line(s.Title))
	row("file", clean.Line(s.File))
	row("agent", clean.Line(s.AgentID))
	row("format", s.Format)
	row("id", gist.Line(s.NativeID))
	row("model", gist.Line(s.Model))
	row("time", span(s.Started, s.Ended, zone))
	row("folder", gist.Line(s.Dir))
	row("outcome", outcome)
	row("used", used)
	if cached := s.Usage.Cached; cached > 0 {
		row("", draw.Grouped(int(cached))+" of the input from a cache")
	}
	row("tools", a.tools)
	row("metadata", clean.Line(s.Metadata))
	return block{kind: markBlock, label: "session", verdict: verdict, brief: brief, text: strings.TrimRight(text.String(), "\n")}
}

const (
	// metadataBytes and toolBytes bound what is shown of what a recorder
	// wrote about a session, which may be megabytes.
	metadataBytes, toolBytes = 4 << 10, 2 << 10
)

func toolList(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > toolBytes {
			return b.String() + "... (" + draw.Grouped(len(names)) + " in all)"
		}
		b.WriteString(gist.Line(name))
	}
	return b.String()
}

// span tells from when to when, with the day once if it is the same.
func span(started, ended string, zone *time.Location) string {
	from, ok := chat.ParseTime(started)
	if !ok {
		return ""
	}
	const day, clock = "2 Jan 2006", "15:04"
	from = from.In(zone)
	text := from.Format(day + " " + clock)
	to, ok := chat.ParseTime(ended)
	if !ok {
		return text
	}
	switch to = to.In(zone); {
	case to.Format(day+clock) == from.Format(day+clock):
		return text
	case to.Format(day) == from.Format(day):
		return text + "-" + to.Format(clock)
	}
	return text + " - " + to.Format(day+" "+clock)
}
