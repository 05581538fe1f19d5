package tui

import (
	"strings"
)

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
		b.WriteString("\n## " + title + "\n\n| Keys | Action | |\n|---|---|---|\n")
		for _, k := range of {
			b.WriteString("| " + keysText(&k) + " | `" + k.Name + "` | " + cell(k.Help) + " |\n")
		}
	})
	b.WriteString("\n## Commands that take words\n\n| Command | | Works in |\n|---|---|---|\n")
	for _, v := range (&App{}).verbs() {
		where := "list and reader"
		if v.in == inPages {
			where = "everywhere but in a text field"
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
`

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
