package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/train"
)

// hidden holds what a terminal may obey or does not show: ESC and BEL, DEL, C1,
// bidi controls, invisible characters, joiners, selectors, tags.
const hidden = "\x1b]0;x\a \x7f \u0085\u009b31m \u061c\u200e\u202e\u2066\u2069 \u00ad\u034f\u115f\u180b\u200b\u2060\u2064\u3164\ufeff\uffa0\ufff9 \u2028\u2029 👩\u200d💻❤\ufe0f \U000e0041\U000e0100\U0001d173"

// unsafeIn returns the first character that JSON on standard output may not
// hold, -1 for none.
func unsafeIn(out string) rune {
	for _, r := range out {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return r
		}
	}
	return -1
}

// TestJSONHidesNothing: whatever prints JSON escapes what a terminal may obey or
// does not show, on a terminal or not; the value is the same.
func TestJSONHidesNothing(t *testing.T) {
	b := newBench(t)
	name := strings.NewReplacer("\x1b", "", "\a", "", "\x7f", "", "\u2028", "", "\u2029", "").Replace(hidden)
	session := func(text string) string {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		calls := `[{"id":"c1","type":"function","function":{"name":"cat","arguments":"{\"f\":\"` + name + `\"}"}}]`
		return `{"title":"` + name + `","model":"m` + name + `","messages":[{"role":"user","content":` + string(quoted) + `},{"role":"assistant","content":"","tool_calls":` + calls +
			`},{"role":"tool","tool_call_id":"c1","content":` + string(quoted) + `},{"role":"assistant","content":"again","tool_calls":` + strings.ReplaceAll(calls, "c1", "c2") +
			`},{"role":"tool","tool_call_id":"c2","content":` + string(quoted) + `},{"role":"assistant","content":"done"},{"role":"user","content":"next ` + name + `"},{"role":"assistant","content":"it is done now ` + name + `"}]}` + "\n"
	}
	words := make([]string, 80)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
	}
	text := "write the words of it " + strings.Join(words, " ") + hidden
	path := b.file("a"+name+"/one.jsonl", session(text)+session(text+" again and")+"not JSON "+name+"\n")
	export := filepath.Join(b.vars["HOME"], "x"+name+".jsonl")
	b.file("broken"+name+".toml", "")
	b.vars["WINNOW_REVIEWER"] = "ann" + name

	ran := map[string]bool{}
	said := 0
	is := func(args ...string) string {
		t.Helper()
		code := b.run(args...)
		out := b.stdout.String()
		if code == exitUsage || out == "" {
			t.Errorf("winnow %q: exit status %d, %d bytes: %s", args, code, len(out), b.stderr.String())
		}
		if r := unsafeIn(out); r >= 0 {
			t.Errorf("winnow %q prints %U", args, r)
		}
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) && !json.Valid([]byte(out)) {
				t.Errorf("winnow %q: no JSON: %s", args, line)
				break
			}
		}
		if strings.Contains(out, `\u202e`) {
			said++
		}
		ran[args[0]] = true
		if (args[0] == "compress" || args[0] == "memories" || args[0] == "runs") && !strings.HasPrefix(args[1], "-") {
			ran[args[1]] = true
		}
		return out
	}
	is("import", path, "--json")
	is("segment", "--json")
	is("score", "--json")
	is("learn", "--json")
	var row tell.Segment
	if err := json.Unmarshal([]byte(strings.SplitN(is("list", "--json"), "\n", 2)[0]), &row); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(row.SessionFile, name) {
		t.Errorf("the path is %q", row.SessionFile)
	}
	var whole struct {
		Messages []struct{ Content string }
	}
	if err := json.Unmarshal([]byte(is("show", row.ID, "--json")), &whole); err != nil || whole.Messages[0].Content != text {
		t.Errorf("%v: the text is %q", err, whole.Messages)
	}
	is("compress", "--to", "50", "--tail", "1", "--by", "clear", "--json")
	is("compress", "show", row.ID, "--json")
	is("compress", "accept", row.ID, "--json")
	is("compress", "reset", row.ID, "--json")
	is("note", row.ID, "seen "+hidden, "--json")
	is("tag", row.ID, "--add", "keep", "--json")
	is("tag", "--json")
	is("topic", row.ID, "of "+name, "--json")
	is("mask", row.ID, "2", "--json")
	is("edit", row.ID, "1", "--text", b.file("text"+name, "other words"+hidden), "--note", "why "+hidden, "--json")
	is("edit", row.ID, "1", "--insert", b.file("more", "more"+hidden), "--role", "user", "--json")
	is("show", row.ID, "--json")
	is("graph", row.ID, "--json")
	is("diff", row.ID, "--json")
	is("redact", "--find", "other", "--with", "[some]"+hidden, "--yes", "--json")
	is("undo", "--json") // exports leave out what holds it still
	is("show", row.ID, "--recorded", "--json")
	for _, verdict := range []string{"reject", "unsure", "approve"} {
		is(verdict, row.ID, "--json")
	}
	is("undo", "--json")
	is("redo", "--json")
	is("split", row.ID, "4", "--json")
	is("move", b.listed("")[1].ID, "3", "--json")
	is("merge", b.listed("")[1].ID, "--json")
	is("log", "--json")
	is("approve", "--filter", "messages>0", "--yes", "--json")
	row = b.listed("")[0]
	is("reset", row.ID, "--json")
	is("approve", row.ID, "--json")
	is("extract", "--again", "--json")
	is("memories", "add", "--kind", "fact", "--segment", row.ID, "--cite", "2", "--title", "of "+hidden, "Of core/clean.go: "+hidden, "--json")
	is("memories", "archive", "--filter", "grade>=0", "--yes", "--json")
	is("memories", "--filter", "status:archived", "--json")
	is("stats", "--json")
	is("stats", "--by", "model", "--json")
	is("sessions", "--json")
	is("ledger", "--json")
	is("ledger", "--lines", "--json")
	b.uploaded("up"+name, "s"+name)
	is("ledger", "--uploads", "--json")
	is("similar", "--json")
	is("export", "-o", export, "--as", "openai", "--json")
	is("export", "-o", export, "--check", "--json")
	is("export", "--lint", export, "--json")
	is("convert", export, "-o", export+"2", "--to", "sharegpt", "--json")
	is("log", "--exports", "--json")
	for _, c := range []string{"config", "themes", "version", "doctor"} {
		is(c, "--json")
	}
	is("run", "--json")
	is("jobs", "--json")
	b.hasRun(train.Run{Backend: train.ByOpenAI, Status: train.Running, Base: "m" + name, Error: hidden, Host: name, Params: map[string]string{"a": hidden}, Command: []string{hidden}})
	is("runs", "stop", "1", "--json")
	is("runs", "note", "1", "seen "+hidden, "--json")
	b.hasRun(train.Run{Backend: train.ByCommand, Status: train.Succeeded, Model: name})
	is("runs", "promote", "2", "--json")
	is("runs", "show", "1", "--json")
	is("runs", "--json")
	b.vars["WINNOW_TRAIN_BACKEND"] = "openai" // which needs no command
	is("train", "--check", "--base", name, "--json")
	is("rescue", export+".db", "--json")
	if said < 20 {
		t.Errorf("%d outputs only hold what is to be escaped", said)
	}
	var all func(*cobra.Command)
	all = func(c *cobra.Command) {
		if c.Flags().Lookup("json") != nil && !ran[c.Name()] && !slices.Contains([]string{"review", "restore", "serve", "resume"}, c.Name()) { // they need a screen, a stale segment, a client, and a trainer
			t.Errorf("winnow %s --json was not tried", c.Name())
		}
		for _, c := range c.Commands() {
			all(c)
		}
	}
	all((&cli{}).rootCommand())
	b.exactData(row.ID, export)
}

// exactData: training data and stored text are exact in files and pipes; a
// terminal gets them escaped, or shown.
func (b *bench) exactData(id, file string) {
	b.t.Helper()
	for _, tty := range []bool{false, true} {
		b.env.stdoutTTY, b.env.width = tty, 80
		for _, args := range [][]string{
			{"export", "-o", "-", "--as", "openai"}, {"convert", file, "-o", "-", "--to", "openai"}, {"show", id, "--raw"},
		} {
			b.run(args...)
			out := b.stdout.String()
			if tty == strings.ContainsAny(out, "\x7f\u009b\u202e\u200b\U000e0041") || !strings.Contains(out, "write the words") {
				b.t.Errorf("winnow %q, terminal %t: %q", args, tty, out)
			}
		}
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "\u009b31m") {
		b.t.Errorf("%v: the file is not exact: %s", err, data)
	}
}
