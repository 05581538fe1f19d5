package export

import (
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
)

// mended names what Options.Repair repairs.
const mended = "repair"

// mend replaces what no trainer takes and what would leave a sample out for
// ever: NULs, invalid UTF-8 and halves of surrogate pairs by U+FFFD, wherever
// they stand. In the JSON of arguments and tools raw control characters are
// escaped, and of members with one name the last one stays, as in all that
// reads JSON.
func mend(s *Sample, _ *Emitter, tell teller) {
	for m := range s.each {
		m.Calls = slices.Clone(m.Calls)
		m.texts(func(what string, text *string) {
			by := mendText
			if what == arguments {
				by = mendJSON
			}
			if out := by(*text); out != *text {
				*text = out
				tell(m, "%s: NULs and what no JSON may hold are replaced", what)
			}
		})
	}
	if mendBeside(s) {
		tell(nil, "NULs and what no JSON may hold are replaced beside the messages")
	}
}

// mendBeside mends what stands beside the messages.
func mendBeside(s *Sample) (changed bool) {
	for _, f := range [...]struct {
		text *string
		by   func(string) string
	}{
		{&s.Tools, mendJSON}, {&s.toolsRecorded, mendJSON}, {&s.Metadata, mendJSON}, {&s.Provenance, mendJSON},
		{&s.Topic, mendText}, {&s.Agent, mendText}, {&s.Model, mendText}, {&s.Started, mendText},
	} {
		out := f.by(*f.text)
		changed = changed || out != *f.text
		*f.text = out
	}
	return changed
}

const replacement = "\uFFFD"

func mendText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, replacement), "\x00", replacement)
}

// mendJSON mends a text of JSON and leaves all else in it as it is. What is no
// JSON even so is mended as a text.
func mendJSON(json string) string {
	out := mendStrings(strings.ToValidUTF8(json, replacement))
	switch v := jsontext.Value(out); {
	case v.IsValid():
		return out
	case v.IsValid(jsontext.AllowDuplicateNames(true)):
		return string(appendOnce(nil, out))
	}
	return mendText(out)
}

// mendStrings mends the strings in a text of JSON.
func mendStrings(json string) string {
	var b strings.Builder
	inside := false
	took := 0
	put := func(i, n int, text string) {
		b.WriteString(json[took:i])
		b.WriteString(text)
		took = i + n
	}
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case c == '"':
			inside = !inside
		case !inside:
		case c == 0:
			put(i, 1, replacement)
		case c < ' ':
			quoted, _ := jsontext.AppendQuote(nil, json[i:i+1])
			put(i, 1, string(quoted[1:len(quoted)-1]))
		case c == '\\':
			r, n := rawjson.Escape(json[i:])
			if n > 0 && r == 0 || utf16.IsSurrogate(r) { // a NUL, or half of a character
				put(i, n, replacement)
			}
			i += max(n, 2) - 1
		}
	}
	if took == 0 {
		return json
	}
	return b.String() + json[took:]
}

// appendOnce appends valid JSON with one member of each name in its objects.
func appendOnce(dst []byte, json string) []byte {
	json = strings.Trim(json, blanks)
	switch json[0] {
	case '{':
		dst = append(dst, '{')
		eachMember(json, func(name, value string) {
			dst = append(rawjson.AppendString(appendComma(dst), name), ':')
			dst = appendOnce(dst, value)
		})
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		for value := range rawjson.Elements(json) {
			dst = appendOnce(appendComma(dst), value)
		}
		return append(dst, ']')
	}
	return append(dst, json...)
}
