package edit

import (
	"slices"
	"strconv"

	"winnow/core/amend"
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/tui/draw"
)

// choice is what one may do with a message.
type choice struct {
	do     amend.Do
	field  string // that Text is for, as edit.SetField names it
	label  string
	text   string        // of the field, as it stands
	start  string        // that an editor begins with, if it is another one
	file   string        // that an editor gets
	hint   string        // instead of a text
	places []amend.Place // that it is about
	role   chat.Role     // of an inserted message
	ranged bool          // the last message is asked for
}

// choicesOf are those of what stands at a place, the default one first among its
// fields.
func choicesOf(at *At, st *Standing) (list []choice, standard int) {
	here := amend.Place{N: at.N, Part: at.Part}
	waits := st.Edit != nil && st.Edit.Clash
	switch {
	case at.Dropped > 0:
		to := at.N + at.Dropped - 1
		all := choice{do: amend.Revert, label: "bring back", hint: "what was recorded: " + draw.Plural(at.Dropped, "message"), places: []amend.Place{{N: at.N, To: to}}}
		if list = append(list, all); at.Dropped > 1 {
			for _, n := range [...]int{at.N, to} {
				list = append(list, choice{do: amend.Revert, label: "bring back message " + draw.Grouped(n), hint: "alone", places: []amend.Place{{N: n}}})
			}
		}
		return append(list, inserts(at, st, to)...), 0
	case waits:
		list = append(list,
			choice{do: amend.Keep, label: "keep yours", hint: "the edit is made anew over what is recorded now", places: []amend.Place{here}},
			choice{do: amend.Theirs, label: "take theirs", hint: "the edit is removed, the recorded text stays", places: []amend.Place{here}})
		again, _ := fields(&st.Message, here)
		for _, c := range again {
			c.label = "edit again: " + c.label
			c.start, _ = edit.Field(&st.Edit.Message, c.field)
			list = append(list, c)
		}
		return list, 0
	}
	list, standard = fields(&st.Message, here)
	if at.ranges() {
		list = slices.Insert(list, 0, at.dropRange())
		standard = 0
	}
	switch {
	case at.Part > 0:
		list = append(list, choice{do: amend.Drop, label: "take it out", hint: "it was added", places: []amend.Place{here}})
	case st.Edit != nil:
		list = append(list, choice{do: amend.Revert, label: "bring back", hint: "what was recorded", places: []amend.Place{here}})
		fallthrough
	default:
		list = append(list, choice{do: amend.Drop, label: "drop the message", places: []amend.Place{here}})
	}
	if len(st.Family) > 1 {
		list = append(list, choice{do: amend.Drop, label: "drop call and results", hint: "messages " + names(st.Family), places: st.Family})
	}
	if at.Part == 0 && at.N < st.Last {
		list = append(list, choice{do: amend.Drop, label: "drop up to a message", hint: "this one and those after it, up to one that you name", places: []amend.Place{here}, ranged: true})
	}
	return append(list, inserts(at, st, at.N)...), standard
}

// fields are those of a message that can be changed.
func fields(m *chat.Message, here amend.Place) (list []choice, standard int) {
	set := func(field, label, text, file string) {
		list = append(list, choice{do: amend.Text, field: field, label: label, text: text, file: file, places: []amend.Place{here}})
	}
	set("content", "content", m.Content, "content.md")
	if m.Role == chat.Assistant {
		set("reasoning", "reasoning", m.Reasoning, "reasoning.md")
	}
	if m.Content == "" && len(m.ToolCalls) > 0 {
		standard = len(list)
	}
	for i := range m.ToolCalls {
		k := strconv.Itoa(i + 1)
		set("args:"+k, "call "+k+": "+clean.Line(draw.Head(m.ToolCalls[i].Name)), m.ToolCalls[i].Arguments, "arguments.json")
	}
	if m.Role == chat.Tool {
		set("name", "name", m.Name, "name.txt")
	}
	return list, standard
}

// inserts are the messages that may be put after message n, the likelier one first.
func inserts(at *At, st *Standing, n int) (list []choice) {
	roles := []chat.Role{chat.Assistant, chat.User}
	if st.Message.Role == chat.Assistant {
		roles = []chat.Role{chat.User, chat.Assistant}
	}
	behind := ""
	if k := len(st.Family); k > 0 && st.Family[k-1].N > n { // nothing parts a call from its results
		n, behind = st.Family[k-1].N, ", after the results of its calls"
	}
	for _, role := range roles {
		list = append(list, choice{do: amend.Insert, label: "insert after it", hint: whose(role) + behind, file: "content.md", places: []amend.Place{{N: n}}, role: role})
	}
	if at.N == 1 && at.Part == 0 {
		list = append(list, choice{do: amend.Insert, label: "insert before it", hint: whose(chat.System), file: "content.md", places: []amend.Place{{}}, role: chat.System})
	}
	return list
}

func whose(role chat.Role) string {
	switch role {
	case chat.Assistant:
		return "an answer of the assistant"
	case chat.System:
		return "a system message"
	}
	return "a prompt of the user"
}

// names lists places.
func names(list []amend.Place) (text string) {
	for i, p := range list {
		if i > 0 {
			text += ", "
		}
		text += p.String()
	}
	return text
}

// writes reports whether a text is written for it.
func (c *choice) writes() bool { return c.do == amend.Text || c.do == amend.Insert }

// begins is the text that an editor begins with.
func (c *choice) begins() string {
	if c.start != "" {
		return c.start
	}
	return c.text
}

// problem says why the field can't have a text, "" if it can.
func (c *choice) problem(text string) string {
	if c.do != amend.Text {
		return ""
	}
	if err := edit.CheckField(c.field, text); err != nil {
		return clean.Line(err.Error())
	}
	return ""
}

// ended takes the line end off that an editor puts after the last line, if the field
// had none.
func (c *choice) ended(text string) string {
	cut, ends := cutLineEnd(text)
	if _, had := cutLineEnd(c.begins()); ends && !had {
		return cut
	}
	return text
}

func cutLineEnd(text string) (cut string, ends bool) {
	n := len(text)
	switch {
	case n == 0 || text[n-1] != '\n':
		return text, false
	case n > 1 && text[n-2] == '\r':
		return text[:n-2], true
	}
	return text[:n-1], true
}

const (
	// shortest is how long a field may be to be typed in a line.
	shortest = 400 // bytes: a few lines of a terminal
	// large is from what size on an editor is asked for twice.
	large = 1 << 20
)

// typed says why a field can't be typed in a line, "" if it can.
func (c *choice) typed() string {
	if !c.writes() {
		return "there is nothing to type"
	}
	text := c.begins()
	if len(text) > shortest {
		return "it is too long to be typed here"
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] == 0x7f {
			return "it has more than a line: an editor changes it"
		}
	}
	return ""
}
