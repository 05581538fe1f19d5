package tui

import "strings"

//go:generate go test . -run ^TestKeysAreDocumented$ -update

// KeyTable returns all keys as Markdown tables, for the README.
func KeyTable() string {
	var tables []string
	eachSection(func(title string, of []Binding) {
		rows := []string{"| " + title + " | |", "|---|---|"}
		for _, b := range of {
			rows = append(rows, "| "+keysText(&b)+" | "+cell(b.Help)+" |")
		}
		tables = append(tables, strings.Join(rows, "\n")+"\n")
	})
	return strings.Join(tables, "\n")
}

// KeyPage returns all keys with the names of their actions and the commands
// that take words, as a page in Markdown.
func KeyPage() string {
	var b strings.Builder
	b.WriteString(keyPageHead)
	eachSection(func(title string, of []Binding) {
		b.WriteString("\n## " + title + "\n\n" + placesText(of[0].In) + "| Keys | Action | |\n|---|---|---|\n")
		for _, k := range of {
			b.WriteString("| " + keysText(&k) + " | `" + k.Name + "` | " + cell(k.Help) + " |\n")
		}
	})
	b.WriteString("\n## Commands that take words\n\n| Command | | Works in |\n|---|---|---|\n")
	for _, v := range (&App{}).verbs() {
		where := "list and reader"
		switch v.in {
		case inPages:
			where = "everywhere but in a text field"
		case inSegment | InJournal:
			where = "list, reader and journal"
		}
		b.WriteString("| `:" + strings.TrimSpace(v.name+" "+v.words) + "` | " + cell(v.help) + " | " + where + " |\n")
	}
	return b.String()
}

// keyPageHead is what the page of keys begins with.
const keyPageHead = `# Keys

` + "<!-- Made by go generate ./tui: change the bindings, not this page. -->" + `

` + "`?`" + ` shows the keys of the place one is in, ` + "`/`" + ` in it looks for words. ` + "`:`" + ` opens a
command line everywhere but in text fields: it takes the name of any action of
the place one is in, or a part of it that is meant for one only, and completes
with ` + "`tab`" + `. ` + "`:q`, `:q!` and `:wq`" + ` quit; a number goes to that message.

Other keys are set in the table ` + "`[keys]`" + ` of ` + "`config.toml`" + `, by the names of the
actions; what is shown on the screen follows:

` + "```toml" + `
[keys]
approve = ["Y", "ctrl+a"]          # in place of a
threshold-up = "ctrl+up"           # [ ] { } are far away on many keyboards
reader.next-prompt = "ctrl+n"      # only in this place, named below
copy = ""                          # no key: the command line is left
` + "```" + `

Without a place a name stands for all actions that are called so. Keys are
single characters, ` + "`enter` `tab` `esc` `space` `backspace` `insert` `delete` `up` `down` `left` `right` `home` `end` `pgup` `pgdown` `f1`…`f12`" + `,
with ` + "`ctrl+`, `alt+` and `shift+`" + ` before them. Two actions of one place cannot have
the same key, and the ways out, back and to this list cannot be left without
one. ` + "`winnow config`" + ` prints the keys that are set.
`

// placesText names the places of a context, where there are few.
func placesText(in Context) string {
	var names []string
	for one := InList; one < 1<<contexts; one <<= 1 {
		if in&one != 0 {
			names = append(names, "`"+places[one]+"`")
		}
	}
	if len(names) > 4 {
		return ""
	}
	return "In " + strings.Join(names, ", ") + ".\n\n"
}

func eachSection(f func(title string, of []Binding)) {
	keys := (&App{}).bindings()
	for _, s := range sections {
		var of []Binding
		for _, k := range keys {
			if k.In == s.in {
				of = append(of, k)
			}
		}
		if len(of) > 0 {
			f(s.title, of)
		}
	}
}

// keysText are the keys of a binding in Markdown; of one without keys, what is
// typed on the command line.
func keysText(b *Binding) string {
	if len(b.Keys) == 0 {
		return "`:" + b.Name + "`"
	}
	return "`" + cell(strings.Join(b.Keys, "` `")) + "`"
}

// cell is a text as it stands in a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
