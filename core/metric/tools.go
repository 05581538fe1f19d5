package metric

import (
	"strings"
	"unicode"

	"winnow/core/outcome"
)

// toolTable counts by tool. Names are kept once: of a message's text nothing
// may stay.
type toolTable struct {
	rows map[string]int
	list []toolInfo
}

// toolInfo is one tool.
type toolInfo struct {
	name    string
	stat    ToolStat
	effects effects
	about   vote // what work it is for
	hands   bool // it gives the work to a person
	shell   bool // what a call changes depends on the command it runs
}

const (
	// toolsMost bounds the tools that are told apart. An agent has a few dozen.
	toolsMost = 256
	// toolNameMost is how long a name is kept, in bytes: APIs allow 64 characters.
	toolNameMost = 128
	// otherTools stands for all beyond.
	otherTools = "(others)"
)

// row returns the row of a tool.
func (t *toolTable) row(name string) int {
	if row, ok := t.rows[name]; ok {
		return row
	}
	kept := name
	if len(kept) > toolNameMost {
		kept = strings.ToValidUTF8(kept[:toolNameMost], "")
	}
	if len(t.list) >= toolsMost {
		kept = otherTools
	}
	if row, ok := t.rows[kept]; ok {
		return row
	}
	kept = strings.Clone(kept)
	t.rows[kept] = len(t.list)
	info := toolInfo{name: kept, shell: RunsCommands(kept), hands: handsOver(kept), about: nameKind(kept)}
	if !info.shell {
		info.effects = nameEffects(kept)
	}
	t.list = append(t.list, info)
	return len(t.list) - 1
}

func (t *toolTable) info(row int) *toolInfo { return &t.list[row] }

func (t *toolTable) called(row int) { t.list[row].stat.Count++ }

func (t *toolTable) result(row int, failed bool, found outcome.Finding) {
	stat := &t.list[row].stat
	if failed {
		stat.Failure++
	} else {
		stat.Success++
	}
	switch found.Outcome {
	case outcome.Exit:
		stat.Exits++
	case outcome.Error:
		stat.Errors++
	}
}

// stats returns the counts by name. What has no name is "unknown".
func (t *toolTable) stats() map[string]ToolStat {
	stats := make(map[string]ToolStat, len(t.list))
	for i := range t.list {
		if t.list[i].stat == (ToolStat{}) {
			continue
		}
		name := t.list[i].name
		if strings.TrimSpace(name) == "" {
			name = "unknown"
		}
		s := stats[name]
		s.Count += t.list[i].stat.Count
		s.Success += t.list[i].stat.Success
		s.Failure += t.list[i].stat.Failure
		s.Errors += t.list[i].stat.Errors
		s.Exits += t.list[i].stat.Exits
		stats[name] = s
	}
	return stats
}

// nameWords cuts the name of a tool into its words, in lower case:
// "mcp__github__get_issue" and "getIssue" both hold "get".
func nameWords(name string, f func(word string) (more bool)) {
	var word strings.Builder
	lower := false
	flush := func() bool {
		w := word.String()
		word.Reset()
		return w == "" || f(w)
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if !flush() {
				return
			}
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			if !flush() {
				return
			}
		}
		lower = !unicode.IsUpper(r)
		word.WriteRune(unicode.ToLower(r))
	}
	flush()
}

// shown is the name of a tool in a reason: short, and never with a citation in it.
func (t *toolTable) shown(row int) string {
	name := t.list[row].name
	if strings.TrimSpace(name) == "" {
		return "a tool without a name"
	}
	if len(name) > toolShown {
		name = strings.ToValidUTF8(name[:toolShown], "") + "…"
	}
	return strings.ReplaceAll(name, "#", "＃")
}

// toolShown is how much of a name a reason holds, in bytes.
const toolShown = 40
