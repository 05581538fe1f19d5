package train

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// An object of JSON, or a dict as Python prints one: names and texts stand in quotes of
// either kind, and what is neither a text, a number nor an object is read over.

// most is how deep objects are read, and how many values they have at most together.
const (
	mostDeep   = 8
	mostValues = 1000
)

// dict reads an object at the beginning of a text, and returns what follows. Its values
// are strings, float64s, which may be no numbers, objects of these, and nil.
func dict(text string) (m map[string]any, rest string, ok bool) {
	d := dictReader{text: text, left: mostValues}
	m, ok = d.object(0)
	return m, d.text, ok
}

type dictReader struct {
	text string // what is left
	left int    // values that may come
}

// take reads a sign, after white space.
func (d *dictReader) take(sign byte) bool {
	d.text = strings.TrimLeft(d.text, " \t\r\n")
	if d.text == "" || d.text[0] != sign {
		return false
	}
	d.text = d.text[1:]
	return true
}

func (d *dictReader) object(deep int) (map[string]any, bool) {
	if deep > mostDeep || !d.take('{') {
		return nil, false
	}
	m := map[string]any{}
	for !d.take('}') {
		if len(m) > 0 && !d.take(',') {
			return nil, false
		}
		if len(m) > 0 && d.take('}') { // Python's may end so
			break
		}
		name, ok := d.quoted()
		if !ok || !d.take(':') {
			return nil, false
		}
		if m[name], ok = d.value(deep); !ok {
			return nil, false
		}
	}
	return m, true
}

func (d *dictReader) value(deep int) (any, bool) {
	if d.left--; d.left < 0 || deep > mostDeep {
		return nil, false
	}
	d.text = strings.TrimLeft(d.text, " \t\r\n")
	if d.text == "" {
		return nil, false
	}
	switch d.text[0] {
	case '{':
		return d.object(deep + 1)
	case '[', '(':
		return nil, d.list(deep + 1)
	case '"', '\'':
		return d.quoted()
	}
	return d.word()
}

// list reads over a list.
func (d *dictReader) list(deep int) bool {
	end := byte(']')
	if d.text[0] == '(' {
		end = ')'
	}
	d.text = d.text[1:]
	for n := 0; !d.take(end); n++ {
		if n > 0 && !d.take(',') {
			return false
		}
		if n > 0 && d.take(end) {
			break
		}
		if _, ok := d.value(deep); !ok {
			return false
		}
	}
	return true
}

// word is a number, or a name of which nothing is known. NumPy prints np.float64(0.5).
func (d *dictReader) word() (any, bool) {
	end := strings.IndexAny(d.text, ",}])")
	if end < 0 {
		return nil, false
	}
	word := strings.TrimSpace(d.text[:end])
	if name, inner, found := strings.Cut(word, "("); found && d.text[end] == ')' {
		end++
		if word = strings.TrimSpace(inner); !strings.Contains(name, "float") && !strings.Contains(name, "int") && name != "tensor" {
			word = "None"
		}
	}
	d.text = d.text[end:]
	if word == "" || strings.ContainsAny(word, "{[('\":") {
		return nil, false
	}
	if v, err := strconv.ParseFloat(word, 64); err == nil {
		return v, true
	}
	return nil, true
}

// quoted is a text in quotes.
func (d *dictReader) quoted() (string, bool) {
	d.text = strings.TrimLeft(d.text, " \t\r\n")
	if d.text == "" || d.text[0] != '"' && d.text[0] != '\'' {
		return "", false
	}
	quote := d.text[0]
	var b strings.Builder
	for i := 1; i < len(d.text); i++ {
		switch c := d.text[i]; {
		case c == quote:
			d.text = d.text[i+1:]
			return strings.ToValidUTF8(b.String(), "\ufffd"), true
		case c == '\\' && i+1 < len(d.text):
			i += d.escaped(&b, i+1)
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// escaped writes what stands after a \ at a place, and returns how long that is.
func (d *dictReader) escaped(b *strings.Builder, at int) int {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[d.text[at]]
	if n := at + 1 + digits; digits > 0 && n <= len(d.text) {
		if v, err := strconv.ParseUint(d.text[at+1:n], 16, 32); err == nil && v <= utf8.MaxRune {
			b.WriteRune(rune(v))
			return 1 + digits
		}
	}
	switch c := d.text[at]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	default:
		b.WriteByte(c)
	}
	return 1
}
