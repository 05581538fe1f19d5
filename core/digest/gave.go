package digest

import (
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/phrases"
	"winnow/core/rawjson"
)

// take gives a call its result.
func (c *call) take(m *chat.Message) {
	c.answered = true
	c.chars = len(m.Content)
	found := outcome.Of(c.judged, m)
	c.outcome, c.evidence = found.Outcome, found.Evidence
	if c.outcome != outcome.OK {
		c.gave = complaint(m.Content)
		return
	}
	content := strings.TrimSpace(m.Content)
	if c.plain {
		content = output(content)
	}
	switch {
	case c.kind == thinks || len(c.files) > 0:
	case content == "":
		c.gave = "no output"
	case len(content) <= argMost && (content[0] == '{' || content[0] == '[') && rawjson.Valid(content):
		c.gave = values(content)
	case c.kind == checks:
		c.gave = verdictOf(content)
	case c.kind == looks && strings.Count(content, "\n") > 3:
		c.gave = strconv.Itoa(1+strings.Count(content, "\n")) + " lines"
	default:
		c.gave = lastLine(content)
	}
}

// complaint returns the line of a failed result that tells most.
func complaint(content string) string {
	content = strings.TrimSpace(content)
	if len(content) <= argMost && rawjson.IsObject(content) && rawjson.Valid(content) {
		return values(content)
	}
	content = strings.NewReplacer("<tool_use_error>", "", "</tool_use_error>", "").Replace(phrases.Clip(content, 64<<10))
	first := ""
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		low := strings.ToLower(line)
		switch {
		case line == "" || strings.HasPrefix(low, "exit code ") || strings.Trim(line, "=-_*# ") == "":
			continue
		case strings.Contains(low, "error") || strings.Contains(low, "fail") || strings.Contains(low, "not found") || strings.Contains(low, "fatal"):
			return word(line)
		case first == "":
			first = line
		}
	}
	return word(first)
}

// sums are words of the line in which a check says how it went.
var sums = [...]string{"passed", "failed", "tests:", "test result", "ok  ", "all checks", "no issues", "0 errors", "success", "built in", "done in", "finished", "compiled"}

// verdictOf returns the line in which a build or a test says how it went.
func verdictOf(content string) string {
	best, oks, empty := "", 0, 0
	for line := range strings.Lines(phrases.ClipLeft(content, 64<<10)) {
		low := strings.ToLower(line)
		if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "ok \t") || strings.HasPrefix(line, "ok  ") {
			if oks++; strings.Contains(line, "[no tests to run]") {
				empty++
			}
			continue
		}
		for _, sum := range sums {
			if strings.Contains(low, sum) {
				best = line
				break
			}
		}
	}
	switch {
	case oks > 0 && empty == oks:
		return plural(oks, "package") + ", no tests to run"
	case oks > 1 && empty > 0:
		return plural(oks-empty, "package") + " ok, " + strconv.Itoa(empty) + " without tests to run"
	case oks > 1:
		return strconv.Itoa(oks) + " packages ok"
	case oks == 1:
		return "ok"
	case best != "":
		return word(strings.TrimSpace(best))
	}
	return lastLine(content)
}

// lastLine returns the last line of a text that says something.
func lastLine(content string) string {
	content = phrases.ClipLeft(content, 16<<10)
	for content != "" {
		line := content
		i := strings.LastIndexByte(content, '\n')
		content, line = content[:max(0, i)], content[i+1:]
		if strings.Trim(line, " \t\r=-_*#`}])>") != "" {
			return word(strings.TrimSpace(line))
		}
	}
	return ""
}

// values tells of a JSON result what decides, else its own words.
func values(content string) string {
	if rawjson.IsList(content) {
		n := 0
		for range rawjson.Elements(content) {
			n++
		}
		inside := ""
		for one := range rawjson.Elements(content) {
			if rawjson.IsObject(one) {
				inside = scalars(one, wordsKept)
			} else {
				inside = word(text(one))
			}
			break
		}
		return word(strconv.Itoa(n) + " found: " + inside)
	}
	for _, name := range [...]string{"error", "output", "stdout", "content", "result", "message"} {
		if v := rawjson.Get(content, name); rawjson.IsText(v) && len(v) > 2 {
			return lastLine(rawjson.Unquote(v))
		}
	}
	return scalars(content, wordsKept)
}
