package keys

import "strings"

// Page returns all keys with the names of their actions and the commands
// that take words, as a page in Markdown.
func (t *Table) Page(verbs []Binding) string {
	var b strings.Builder
	b.WriteString(keyPageHead)
	for _, s := range t.Sections {
		head := "\n## " + s.Title + "\n\n" + t.placesText(s.In) + "| Keys | Action | |\n|---|---|---|\n"
		for _, k := range t.Rows {
			if k.In == s.In {
				b.WriteString(head + "| " + KeysText(&k) + " | `" + k.Name + "` | " + cell(k.Help) + " |\n")
				head = ""
			}
		}
	}
	b.WriteString("\n## Commands that take arguments\n\n| Command | | Works in |\n|---|---|---|\n")
	for _, v := range verbs {
		where := "list and reader"
		switch v.In {
		case InPages:
			where = "everywhere but in a text field"
		case InSegment | InJournal:
			where = "list, reader and journal"
		}
		b.WriteString("| `:" + v.Name + "` | " + cell(v.Help) + " | " + where + " |\n")
	}
	return b.String()
}

// keyPageHead is what the page of keys begins with.
const keyPageHead = `# Keys

` + "<!-- Made by go generate ./tui: change the bindings, not this page. -->" + `

` + "`?`" + ` shows the keys of the place you are in, ` + "`/`" + ` there searches them. ` + "`:`" + ` opens a
command line everywhere but in text fields: type the name of any action of the
place you are in, or a part of it that no other name has, and complete it with
` + "`tab`" + `. ` + "`:q`, `:q!` and `:wq`" + ` quit; a number goes to that message.

Choose other keys in the table ` + "`[keys]`" + ` of ` + "`config.toml`" + `, by the names of the
actions; the screen shows the keys you chose:

` + "```toml" + `
[keys]
approve = ["Y", "ctrl+a"]          # in place of a
threshold-up = "ctrl+up"           # [ ] { } are far away on many keyboards
reader.next-prompt = "ctrl+n"      # only in this place, named below
copy = ""                          # no key: the command line is left
` + "```" + `

Without a place a name means every action that has it. Keys are
single characters, ` + "`enter` `tab` `esc` `space` `backspace` `insert` `delete` `up` `down` `left` `right` `home` `end` `pgup` `pgdown` `f1`…`f12`" + `,
with ` + "`ctrl+`, `alt+` and `shift+`" + ` before them. Two actions of one place cannot have
the same key, and the actions that quit, go back and show the keys must keep
one. ` + "`winnow config`" + ` prints the keys that are set.
`

// placesText names the places of a context, where there are few.
func (t *Table) placesText(in Place) string {
	var names []string
	for _, one := range t.All() {
		if in&one != 0 {
			names = append(names, "`"+t.Places[one]+"`")
		}
	}
	if len(names) > 4 {
		return ""
	}
	return "In " + strings.Join(names, ", ") + ".\n\n"
}

// KeysText are the keys of a binding in Markdown; of one without keys, what is
// typed on the command line.
func KeysText(b *Binding) string {
	if len(b.Keys) == 0 {
		return "`:" + b.Name + "`"
	}
	return "`" + cell(strings.Join(b.Keys, "` `")) + "`"
}

// cell is a text as it stands in a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
