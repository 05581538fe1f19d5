package outcome

import (
	"strings"
	"unicode"

	"winnow/core/rawjson"
)

// Call is what is known of a call when its result is judged: what its tool is
// for and what its command prints. It holds no text. The zero Call is one of
// an unknown tool.
type Call struct {
	kind  kind
	flags flags
}

// kind is what a tool is for: what its results look like.
type kind uint8

const (
	service   kind = iota // anything with an answer of its own: an API
	shell                 // commands
	code                  // a piece of a program
	runsTests             // tests, builds, linters
	edits                 // files
	reads                 // files, lists
	searches              // files, pages
	web                   // pages
	reports               // agents
	thinks                // notes, plans: nothing can fail
)

// quotes reports whether results show what others have written.
func (k kind) quotes() bool { return k == reads || k == searches || k == web || k == reports }

// flags are what a command is like.
type flags uint8

const (
	runs     flags = 1 << iota // something may fail in it other than to show a text
	masked                     // its exit status says little of what it ran
	looks                      // it ends with a search, which exits with 1 without a hit
	looked                     // a search is in it
	compares                   // it ends with a comparison, which exits with 1 for a difference
)

func (c Call) has(f flags) bool { return c.flags&f != 0 }

// CallOf looks at a call: the name of its tool and its arguments as they were
// recorded, which may be no JSON.
func CallOf(name, arguments string) Call {
	c := Call{kind: kindOf(name)}
	arguments = strings.TrimSpace(clip(arguments, argumentsMost))
	if c.kind == edits && strings.Contains(clip(arguments, 256), `"view"`) {
		c.kind = reads
	}
	if c.kind != service && c.kind != shell && c.kind != code {
		return c
	}
	command, ok := commandIn(name, arguments, c.kind == service)
	if !ok {
		if c.kind != service {
			c.flags = runs | masked // whatever it was
		}
		return c
	}
	if c.kind == service {
		c.kind = shell
	}
	if c.kind == shell {
		c.flags = commandFlags(command)
	} else {
		c.flags = runs
	}
	return c
}

// argumentsMost and commandMost are how much of arguments and of a command in
// them is read, in bytes.
const (
	argumentsMost = 1 << 16
	commandMost   = 4096
)

// commandNames are members of arguments that hold a command, in the order in
// which they count.
var commandNames = []string{"command", "cmd", "commands", "keystrokes", "script", "code", "chars"}

// commandIn returns the command in the arguments of a call. Of an unknown tool
// only what looks like one counts: the text that SWE-agent records, which begins
// with the name of the tool, and what agents write as tags or as keystrokes.
func commandIn(name, arguments string, unknown bool) (string, bool) {
	if rawjson.IsText(arguments) {
		arguments = unquote(arguments)
	}
	if !rawjson.IsObject(arguments) {
		if _, after, ok := strings.Cut(arguments, "<parameter=command>"); ok {
			command, _, _ := strings.Cut(after, "</parameter>")
			return command, true
		}
		if rawjson.IsList(arguments) || unknown && (name == "" || !strings.HasPrefix(arguments, name)) {
			return "", false
		}
		return clip(arguments, commandMost), arguments != ""
	}
	for _, member := range commandNames {
		if unknown && member != "commands" && member != "command" {
			continue
		}
		val := rawjson.Get(arguments, member)
		switch {
		case rawjson.IsText(val):
			if unknown && name != "" {
				return "", false
			}
			return unquote(clip(val, commandMost)), true
		case rawjson.IsList(val):
			if unknown && !strings.Contains(val, `"keystrokes"`) {
				return "", false
			}
			return listed(clip(val, commandMost)), true
		}
	}
	return "", false
}

// listed returns the command in a list: of words, of which a shell gets the
// last, or of keystrokes.
func listed(list string) string {
	var words []string
	for val := range rawjson.Elements(list) {
		switch {
		case rawjson.IsText(val):
			words = append(words, unquote(val))
		case rawjson.IsObject(val):
			if keys := rawjson.Get(val, "keystrokes"); rawjson.IsText(keys) {
				words = append(words, unquote(keys)+";")
			}
		}
	}
	if len(words) > 2 && isShell(words[0]) {
		return words[len(words)-1]
	}
	return strings.Join(words, " ")
}

func isShell(program string) bool {
	switch strings.TrimSuffix(base(program), ".exe") {
	case "bash", "sh", "zsh", "dash", "fish", "powershell", "pwsh", "cmd":
		return true
	}
	return false
}

// base returns the name of a program without its folder.
func base(program string) string { return program[strings.LastIndexAny(program, `/\`)+1:] }

// wordKinds says by words in its name what a tool is for; the first row of
// which a word is in the name counts.
var wordKinds = []struct {
	kind  kind
	words string
}{
	{thinks, " think thinking thought sequentialthinking todowrite todoread "},
	{shell, " bash shell terminal exec command commands powershell zsh console stdin bashoutput tmux "},
	{code, " python ipython jupyter interpreter repl python3 "},
	{edits, " edit editor multiedit notebookedit patch strreplace "},
	{searches, " grep glob rg lsp search websearch find codebase "},
	{web, " webfetch fetch browse browser scrape crawl navigate url "},
	{runsTests, " test tests pytest build lint compile "},
}

// filing are words that make a tool one for files with a word for what it does.
var filing = " file files directory dir folder notebook "

// whole names of tools whose words say little.
var wholeKinds = map[string]kind{
	"read": reads, "cat": reads, "view": reads, "ls": reads, "list": reads, "open": reads, "write": edits, "create": edits, "insert": edits, "replace": edits,
	"task": reports, "agent": reports, "spawn_agent": reports, "wait_agent": reports, "sh": shell, "cmd": shell, "run": shell, "execute": shell, "process": shell,
	"execute_code": code, "run_code": code, "code_execution": code, "code": code, "exitplanmode": service, "skill": reports, "oracle": reports,
	"todowrite": thinks, "todoread": thinks, "update_plan": thinks, "apply_diff": edits, "str_replace_editor": edits, "str_replace_based_edit_tool": edits, "apply_patch": edits,
}

// kindOf tells what a tool is for by its name.
func kindOf(name string) kind {
	if i := strings.LastIndex(name, "__"); i >= 0 && i+2 < len(name) {
		name = name[i+2:] // of a server
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && i+1 < len(name) {
		name = name[i+1:] // of a namespace
	}
	if len(name) > nameMost {
		return service
	}
	if k, ok := wholeKinds[strings.ToLower(name)]; ok {
		return k
	}
	padded := spaced(name)
	for _, row := range wordKinds {
		if shares(padded, row.words) {
			return row.kind
		}
	}
	if shares(padded, filing) {
		if shares(padded, " write create delete remove update insert append replace save move rename copy modify ") {
			return edits
		}
		return reads
	}
	return service
}

// nameMost is how long the name of a tool is looked at, in bytes.
const nameMost = 128

// spaced returns the words of a name in lower case with spaces around each.
func spaced(name string) string {
	var b strings.Builder
	b.WriteByte(' ')
	lower := false
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r, lower = ' ', false
		} else if unicode.IsUpper(r) {
			if lower {
				b.WriteByte(' ')
			}
			lower = false
		} else {
			lower = true
		}
		b.WriteRune(unicode.ToLower(r))
	}
	b.WriteByte(' ')
	return b.String()
}

// shares reports whether two lists of words with spaces around them have one in
// common.
func shares(a, b string) bool {
	for word := range strings.FieldsSeq(a) {
		if strings.Contains(b, " "+word+" ") {
			return true
		}
	}
	return false
}

func clip(s string, most int) string {
	if len(s) > most {
		return s[:most]
	}
	return s
}
