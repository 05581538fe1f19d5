package digest

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/phrases"
	"winnow/core/rawjson"
)

// call is one call of a tool with what it gave.
type call struct {
	n        int // the message of its result, of the call itself without one
	tool     string
	arg      string // what matters of its arguments
	kind     kind
	file     string // what is changed
	add, del int    // lines
	key      string // what a success must share to make a failure good
	answered bool
	judged   outcome.Call
	outcome  outcome.Outcome
	open     bool   // a failure that no later success made good
	evidence string // how it failed
	gave     string // what it gave, "" for nothing worth a word
	chars    int
}

// matters are the arguments that tell what a call does, best first.
var matters = [...]string{"command", "cmd", "script", "code", "file_path", "path", "filename", "notebook_path", "absolute_path", "url", "query", "pattern", "regex", "thought", "description", "prompt", "task", "question", "subject", "expression", "skill"}

// argMost is in how many bytes of arguments something is looked for.
const argMost = 256 << 10

// callOf tells what a call does. Of what was called a hash is kept: commands are
// long, and there may be many.
func callOf(tc *chat.ToolCall) *call {
	c := describe(tc)
	sum := fnv.New64a()
	sum.Write([]byte(c.key))
	c.key = string(sum.Sum(nil))
	return c
}

func describe(tc *chat.ToolCall) *call {
	c := &call{tool: word(tc.Name), judged: outcome.CallOf(tc.Name, tc.Arguments)}
	args := strings.TrimSpace(tc.Arguments)
	name := bare(tc.Name)
	if len(args) > argMost || !chat.IsObject(args) {
		c.arg, c.kind = word(args), kindOf(tc.Name, args)
		c.key = name + "\x00" + phrases.Clip(args, wordsKept)
		if strings.Contains(phrases.Clip(args, wordsKept), "*** Begin Patch") {
			c.patch(args)
		}
		return c
	}
	main, value := mainOf(args)
	c.kind = kindOf(tc.Name, value)
	c.key = name
	switch {
	case shells[name]:
		value = withoutFolder(value)
		c.arg = word(shortCommand(value))
		c.key += "\x00" + strings.Join(strings.Fields(shortCommand(value)), " ")
		if strings.Contains(phrases.Clip(value, wordsKept), "*** Begin Patch") {
			c.patch(value)
		}
	case c.kind == changes && edits[name]:
		c.edit(args, value)
	case isPath(main):
		c.key += "\x00" + value
		c.arg = shortPath(value)
	case main == "pattern" || main == "regex":
		c.key += "\x00" + args
		c.arg = word(value)
		if at := text(rawjson.Get(args, "path")); at != "" {
			c.arg += " in " + shortPath(at)
		}
	case main != "":
		c.arg = word(value)
	default:
		c.arg = scalars(args, wordsKept)
	}
	return c
}

func isPath(name string) bool {
	return name == "file_path" || name == "path" || name == "filename" || name == "notebook_path" || name == "absolute_path"
}

// mainOf returns the argument that tells most, "" without one. A call to an
// interface has none: all its arguments tell.
func mainOf(args string) (name, value string) {
	for _, name := range matters {
		switch v := rawjson.Get(args, name); {
		case rawjson.IsText(v):
			return name, rawjson.Unquote(v)
		case rawjson.IsList(v) && (name == "command" || name == "cmd"):
			var words []string
			for one := range rawjson.Elements(v) {
				words = append(words, text(one))
			}
			if len(words) > 2 && (words[1] == "-lc" || words[1] == "-c") {
				words = words[2:]
			}
			return name, strings.Join(words, " ")
		}
	}
	return "", ""
}

// text returns a value without its quotes.
func text(v string) string {
	if rawjson.IsText(v) {
		return rawjson.Unquote(v)
	}
	return v
}

// withoutFolder leaves out the change of folder that a command begins with.
func withoutFolder(command string) string {
	command = strings.TrimSpace(command)
	if strings.HasPrefix(command, "cd ") {
		if at := strings.Index(command, "&&"); at > 0 && !strings.ContainsAny(command[:at], "\n;|") {
			return strings.TrimSpace(command[at+2:])
		}
	}
	return command
}

var (
	// longPaths are paths of many folders, cutTails what only shortens the output
	// of a command.
	longPaths = regexp.MustCompile(`(^|[\s"'=(])~?/(?:[\w.@+-]+/){2,}([\w.@+-]+/[\w.@+-]+)`)
	cutTails  = regexp.MustCompile(`\s*(?:2>&1|2>/dev/null)?\s*(?:\|\s*(?:head|tail|cat)(?:\s+-(?:n\s*)?\d+|\s+-\d+)?\s*|2>&1\s*|2>/dev/null\s*)$`)
)

// shortCommand leaves out of a command what only cuts its output, and the
// beginnings of long paths.
func shortCommand(command string) string {
	command = phrases.Clip(command, 4*wordsKept)
	for {
		cut := cutTails.ReplaceAllString(command, "")
		if cut == command || cut == "" {
			break
		}
		command = cut
	}
	return longPaths.ReplaceAllString(command, "$1$2")
}

// shortPath returns the end of a path.
func shortPath(path string) string {
	parts := strings.Split(strings.TrimRight(path, "/"), "/")
	return word(strings.Join(parts[max(0, len(parts)-2):], "/"))
}

// edit tells what a tool that changes files does: which, and by how many lines.
func (c *call) edit(args, value string) {
	path := value
	for _, name := range [...]string{"file_path", "path", "filename", "notebook_path", "absolute_path", "target_file"} {
		if v := rawjson.Get(args, name); rawjson.IsText(v) {
			path = rawjson.Unquote(v)
			break
		}
	}
	c.file = shortPath(path)
	c.arg = c.file
	c.key = "edit\x00" + path
	if command := text(rawjson.Get(args, "command")); command == "view" {
		c.kind, c.file = looks, ""
		return
	}
	pairs := []string{args}
	for _, name := range [...]string{"edits", "edit", "changes"} {
		if list := rawjson.Get(args, name); rawjson.IsList(list) {
			for one := range rawjson.Elements(list) {
				pairs = append(pairs, one)
			}
		}
	}
	for _, one := range pairs {
		if !rawjson.IsObject(one) {
			continue
		}
		was := firstText(one, "old_string", "oldText", "old_str", "oldString", "old_text", "search", "old_code")
		is := firstText(one, "new_string", "newText", "new_str", "newString", "new_text", "replace", "new_code", "new_source", "content", "contents", "file_text", "insert_text")
		add, del := changed(was, is)
		c.add, c.del = c.add+add, c.del+del
	}
	if p := firstText(args, "patch", "input", "diff"); p != "" {
		c.patch(p)
	}
}

func firstText(object string, names ...string) string {
	for _, name := range names {
		if v := rawjson.Get(object, name); rawjson.IsText(v) {
			return rawjson.Unquote(v)
		}
	}
	return ""
}

// patch counts the lines of a patch.
func (c *call) patch(patch string) {
	c.kind, c.key = changes, "edit"
	files := 0
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "*** Update File: "), strings.HasPrefix(line, "*** Add File: "), strings.HasPrefix(line, "*** Delete File: "), strings.HasPrefix(line, "+++ b/"):
			_, path, _ := strings.Cut(line, " ")
			if _, after, ok := strings.Cut(path, ": "); ok {
				path = after
			}
			if files++; files == 1 {
				c.file = shortPath(strings.TrimSpace(path))
				c.key += "\x00" + path
			}
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case strings.HasPrefix(line, "+"):
			c.add++
		case strings.HasPrefix(line, "-"):
			c.del++
		}
	}
	c.arg = c.file
	if files > 1 {
		c.arg += " and " + strconv.Itoa(files-1) + " more"
	}
}

// changed counts the lines that were added and removed, without those at the
// beginning and the end that stayed.
func changed(was, is string) (add, del int) {
	a, b := linesOf(was), linesOf(is)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(b), len(a)
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// scalars writes the members of an object that are no lists or objects as
// "name=value", those that name what is meant and what decides first.
func scalars(object string, most int) string {
	type member struct {
		text string
		rank int
	}
	var all []member
	at := map[string]int{}
	walk(object, 0, func(name, value string) {
		value = word(phrases.Clip(value, 60))
		if i, seen := at[name]; seen {
			all[i].text += "," + value
			return
		}
		at[name] = len(all)
		all = append(all, member{name + "=" + value, rank(name)})
	})
	slices.SortStableFunc(all, func(a, b member) int { return a.rank - b.rank })
	var out strings.Builder
	for _, m := range all {
		if out.Len() < most {
			out.WriteString(" " + m.text)
		}
	}
	return word(out.String())
}

// walk calls f for what is no list or object, a few levels deep. Of lists the
// first three elements count.
func walk(v string, depth int, f func(name, value string)) {
	const deepest = 3
	if depth > deepest {
		return
	}
	for key, val := range rawjson.Members(v) {
		name := key
		switch {
		case rawjson.IsObject(val):
			walk(val, depth+1, f)
		case rawjson.IsList(val):
			n := 0
			for one := range rawjson.Elements(val) {
				if n++; n > 3 {
					break
				}
				if rawjson.IsObject(one) {
					walk(one, depth+1, f)
				} else if !rawjson.IsList(one) {
					f(name, text(one))
				}
			}
		case rawjson.IsNull(val):
		default:
			if value := text(val); strings.TrimSpace(value) != "" {
				f(name, value)
			}
		}
	}
}

// deciding are parts of the names of values on which a decision rests, those
// that tell most first.
var deciding = [...][]string{
	{"error", "status"},
	{"amount", "price", "total", "balance", "cost", "refund", "cabin", "class", "insurance", "membership", "reason", "count"},
	{"date", "time", "reservation", "order", "flight", "user_id", "number", "payment", "id"},
}

// rank says how early a value is told: 0 is first.
func rank(name string) int {
	name = strings.ToLower(name)
	return slices.IndexFunc(append(deciding[:], []string{""}), func(parts []string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
	})
}
