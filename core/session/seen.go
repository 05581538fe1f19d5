package session

import (
	"bytes"
	"fmt"
	"strings"
)

// tally keeps what is needed to say why a source gave no session.
type tally struct {
	messages, metas int64
	binary          bool
	object          bool   // it begins as JSON does
	text            string // what kind of text it looks like, "" unknown
	reasons         []reasonCount
}

type reasonCount struct {
	reason string
	n      int64
}

// maxReasons bounds the reasons counted; the first ones are enough for a
// phrase.
const maxReasons = 32

func (t *tally) count(reason string) {
	if t.messages > 0 {
		return
	}
	if i := strings.LastIndex(reason, ": column "); i >= 0 {
		reason = reason[:i]
	}
	for i := range t.reasons {
		if t.reasons[i].reason == reason {
			t.reasons[i].n++
			return
		}
	}
	if len(t.reasons) < maxReasons {
		t.reasons = append(t.reasons, reasonCount{reason, 1})
	}
}

// phrase tells what was in a source of that many lines.
func (t *tally) phrase(lines int64) string {
	most := reasonCount{}
	for _, r := range t.reasons {
		if r.n > most.n && r.reason != reasonBlank && r.reason != "array bracket" {
			most = r
		}
	}
	switch {
	case t.binary:
		return "binary data"
	case lines == 0:
		return "empty file"
	case t.metas > 0:
		return "only metadata lines"
	case strings.HasPrefix(most.reason, CompanionFile):
		return most.reason
	case most.n > 0:
		what := strings.Replace(most.reason, "no message: keys ", "objects with keys ", 1)
		what = strings.TrimPrefix(what, noSession)
		switch {
		case what == "unfinished value":
			what = "unfinished JSON"
		case what == reasonNotJSON && t.text != "":
			what = t.text + ", " + reasonNotJSON
		}
		return fmt.Sprintf("%s: %s", counted(lines), what)
	case len(t.reasons) > 0:
		return "only blank lines"
	}
	if !t.object {
		return "one unfinished line, which begins no JSON object"
	}
	return "one unfinished line"
}

func counted(lines int64) string {
	if lines == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", lines)
}

const reasonNotJSON = "not JSON"

// textKind tells from its head what a text without JSON looks like, "" if it
// could be anything.
func textKind(head []byte) string {
	first, rest, _ := bytes.Cut(bytes.TrimLeft(head, blanks), []byte{'\n'})
	second, _, whole := bytes.Cut(rest, []byte{'\n'})
	switch lower := bytes.ToLower(first); {
	case bytes.HasPrefix(lower, []byte("<?xml")):
		return "XML"
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")):
		return "HTML"
	}
	if fields := bytes.Count(first, []byte{','}); fields > 0 && !bytes.ContainsAny(first, "{}[]().:") && (bytes.Count(second, []byte{','}) >= fields || !whole) {
		return "CSV"
	}
	for line := range bytes.Lines(head) {
		if bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("#")) && bytes.HasPrefix(bytes.TrimLeft(line, "#"), []byte(" ")) {
			return "Markdown"
		}
	}
	return ""
}

// magics are the first bytes of files that are common in folders of sessions
// and hold no text.
var magics = [...]string{"\x89PNG", "GIF8", "\xff\xd8\xff", "%PDF-", "PK\x03\x04", "\x7fELF", "SQLite format 3\x00", "BZh", "\xfd7zXZ", "7z\xbc\xaf", "PAR1", "OggS", "ARROW1"}

// isBinary reports whether a source that starts with head is no text: it has
// NUL bytes, and not only around lines. JSON with NUL bytes in it (an append
// that a crash cut) is text, whatever stands before it.
func isBinary(head []byte) bool {
	for _, magic := range magics {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	if bytes.IndexByte(bytes.Trim(head, blanks), 0) < 0 {
		return false
	}
	for line := range bytes.Lines(head) {
		if line = bytes.TrimLeft(line, blanks); len(line) > 0 && (line[0] == '{' || line[0] == '[') {
			return false
		}
	}
	return true
}

// blanks is what may stand around a value without being part of it.
const blanks = " \t\r\n\x00"
