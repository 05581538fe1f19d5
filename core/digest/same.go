package digest

import (
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"winnow/core/phrases"
	"winnow/core/rawjson"
)

// part is something that a call does. A later success makes a failure good if it
// does all its parts: in one call, or in several.
type part struct {
	key  uint64
	wide uint64 // of what does more than this and this too, 0 for none
}

// does are the keys that a success of parts has.
type does struct {
	parts []part
	wide  []uint64 // what it does of any kind, as all tests of a project
}

// keyOf is what is kept of a text that only has to be the same: commands are
// long, and there may be many.
func keyOf(words ...string) uint64 {
	sum := fnv.New64a()
	for _, w := range words {
		sum.Write([]byte(w))
		sum.Write([]byte{0})
	}
	return sum.Sum64()
}

func one(words ...string) does { return does{parts: []part{{key: keyOf(words...)}}} }

// fail notes that a call failed.
func (d *Draft) fail(c *call) {
	c.open, c.want = true, c.does.parts
	for _, p := range c.want {
		d.failed[p.key] = append(d.failed[p.key], c)
		if p.wide != 0 {
			d.failed[p.wide] = append(d.failed[p.wide], c)
		}
	}
}

// succeed closes the failures that a call makes good.
func (d *Draft) succeed(c *call) {
	done := func(key uint64) {
		for _, one := range d.failed[key] {
			one.want = slices.DeleteFunc(slices.Clone(one.want), func(p part) bool { return p.key == key || p.wide == key })
			one.open = len(one.want) > 0
		}
		delete(d.failed, key)
	}
	for _, p := range c.does.parts {
		done(p.key)
	}
	for _, key := range c.does.wide {
		done(key)
	}
}

// doesCommand says what a command of a shell does: the commands it is made of
// that do more than look or prepare, else all of them. What cuts their output, where they
// run and with which environment counts for nothing.
func doesCommand(command string) does {
	const most = 64 // parts told apart
	var d does
	var idle []part
	for _, text := range simpleCommands(phrases.Clip(command, argMost)) {
		f := canonical(text)
		for _, key := range f.keys {
			p := part{key: keyOf("shell", key)}
			if f.wide != "" {
				p.wide = keyOf("shell", f.wide, "*")
			}
			if f.idle || partKind(text) == looks {
				idle = append(idle, p)
			} else {
				d.parts = append(d.parts, p)
			}
		}
		if f.all {
			d.wide = append(d.wide, keyOf("shell", f.wide, "*"))
		}
		if len(d.parts)+len(idle) >= most {
			break
		}
	}
	if len(d.parts) == 0 {
		d.parts = idle
	}
	if len(d.parts) == 0 {
		d.parts = one("shell", strings.Join(strings.Fields(command), " ")).parts
	}
	return d
}

// form is a simple command as it is compared.
type form struct {
	keys []string // what it does, none for nothing
	wide string   // what several commands do parts of: the tests of a project
	all  bool     // this one does all of that
	idle bool     // it only prepares what follows
}

// canonical writes a simple command in the form in which it is compared: of git
// what it does, as the words of a commit change when it is tried again, and a
// push takes another way.
func canonical(command string) form {
	words := strings.Fields(command)
	for len(words) > 0 && (isAssignment(words[0]) || prefixes[words[0]]) {
		if words[0] == "timeout" && len(words) > 1 {
			words = words[1:]
		}
		words = words[1:]
	}
	if len(words) == 0 || words[0] == "cd" || words[0] == "pushd" || strings.HasPrefix(words[0], "#") {
		return form{}
	}
	sub := append(words[:len(words):len(words)], "", "")[1:]
	switch {
	case words[0] == "git":
		return gitForm(words)
	case words[0] == "go" && (sub[0] == "test" || sub[0] == "vet" || sub[0] == "build"):
		return goForm(words)
	case words[0] == "gh" && (sub[0] == "pr" || sub[0] == "release") && sub[1] == "create", words[0] == "npm" && sub[0] == "publish":
		return form{keys: []string{strings.Join(words[:min(3, len(words))], " ")}}
	}
	return form{keys: []string{longPaths.ReplaceAllString(strings.Join(words, " "), "$1$2")}, idle: words[0] == "mkdir" || words[0] == "sleep"}
}

// prefixes stand before a command and change nothing of what it does.
var prefixes = set("env", "time", "nohup", "command", "timeout", "sudo", "then", "do", "else", "if", "!")

func isAssignment(word string) bool {
	name, _, found := strings.Cut(word, "=")
	return found && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// goForm drops the flags that say only how much is printed, how often and how
// fast.
func goForm(words []string) form {
	f := form{wide: "go " + words[1], all: true}
	kept := []string{f.wide}
	for i := 2; i < len(words); i++ {
		name, _, valued := strings.Cut(words[i], "=")
		switch name {
		case "-v", "-race", "-json", "-failfast", "-cover":
			continue
		case "-count", "-timeout", "-parallel", "-p":
			if !valued {
				i++
			}
			continue
		case "-run", "-skip", "-tags", "-bench":
			f.all = false
		}
		kept = append(kept, words[i])
	}
	f.keys = []string{strings.Join(kept, " ")}
	f.all = f.all && slices.Contains(kept, "./...")
	return f
}

// gitForm returns what a command of git does, with the files or branches where
// these matter.
func gitForm(words []string) form {
	words = words[1:]
	for len(words) > 1 && strings.HasPrefix(words[0], "-") {
		if words[0] == "-C" || words[0] == "-c" {
			words = words[1:]
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return form{keys: []string{"git"}}
	}
	does, rest := "git "+words[0], words[1:]
	switch words[0] {
	case "push":
		if slices.ContainsFunc(rest, isTag) {
			does += " a tag"
		}
		return form{keys: []string{does}}
	case "commit", "fetch", "pull", "rebase", "merge", "cherry-pick":
		if slices.Contains(rest, "--abort") {
			does += " --abort"
		}
		return form{keys: []string{does}, idle: words[0] == "fetch"}
	case "add", "rm", "restore":
		// The same file has another path in another folder.
		f := form{wide: does}
		for _, w := range rest {
			if w == "." || w == "-A" || w == "--all" || w == "-u" {
				f.all = true
			}
			if !strings.HasPrefix(w, "-") || w == "-A" || w == "--all" || w == "-u" {
				f.keys = append(f.keys, does+" "+path.Base(w))
			}
		}
		return f
	}
	return form{keys: []string{"git " + strings.Join(words, " ")}}
}

// isTag reports whether an argument of a push names tags.
func isTag(word string) bool {
	word = strings.TrimPrefix(word, "refs/tags/")
	return word == "--tags" || word == "--follow-tags" || len(word) > 1 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9'
}

// doesArguments says what a call to an interface does: what changes something is
// known by what it changes, as it is tried again with other values; what looks,
// by all it looks for.
func doesArguments(name, args string, k kind) does {
	keys := []string{name}
	for key, val := range rawjson.Members(args) {
		low := strings.ToLower(key)
		if k != looks && !rawjson.IsObject(val) && !rawjson.IsList(val) && (low == "id" || strings.HasSuffix(low, "_id")) && !strings.Contains(low, "user") && !hasMoney(low) {
			return one(name, key, text(val))
		}
		if k == looks || !hasMoney(low) {
			keys = append(keys, key, strings.TrimSpace(text(val)))
		}
	}
	return one(keys...)
}

// hasMoney reports whether the name of a value is one of how something is paid.
func hasMoney(name string) bool {
	return slices.ContainsFunc([]string{"payment", "amount", "price", "total"}, func(part string) bool { return strings.Contains(name, part) })
}
