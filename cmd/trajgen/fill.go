package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Marks in filled text for what is drawn anew at every use of a line. They
// come before the number of digits; none of them occurs in text.
const (
	markHex     = 1
	markDecimal = 2
	markClock   = 3
)

// filler turns templates into lines.
type filler struct{ rng *rand.Rand }

// words are the names in templates that stand for a word of a list.
var words = map[string][]string{
	"noun": nouns, "verb": verbs, "adj": adjectives, "person": people, "level": levels, "status": statuses, "type": types,
	"ext": extensions, "pkg": folders, "zh": chinese, "emoji": emoji,
}

// shapes are the names that stand for a template, or for marks.
var shapes = map[string]string{
	"str":   `"{verb} {noun}: {adj}"`,
	"url":   "example.org/{noun}",
	"host":  "{pkg}-" + marked(markDecimal, 2),
	"big":   marked(markDecimal, 7),
	"ms":    marked(markDecimal, 2) + "." + marked(markDecimal, 2),
	"ip":    "10.0." + marked(markDecimal, 2) + "." + marked(markDecimal, 2),
	"hex":   marked(markHex, 8),
	"uuid":  marked(markHex, 8) + "-" + marked(markHex, 4) + "-4" + marked(markHex, 3) + "-a" + marked(markHex, 11),
	"clock": marked(markClock, clockLen),
}

// marked is what is drawn anew at every use: so many digits.
func marked(mark, digits byte) string { return string([]byte{mark, digits}) }

// pick draws a word; the front of the list is likelier.
func (f filler) pick(words []string) string {
	x := f.rng.Float64()
	return words[int(x*(0.35+0.65*x)*float64(len(words)))]
}

// fill appends the text of a template. Braces around something that is no name
// stay as they are.
func (f filler) fill(b []byte, template string) []byte {
	for {
		before, rest, found := strings.Cut(template, "{")
		b = append(b, before...)
		if !found {
			return b
		}
		name, after, _ := strings.Cut(rest, "}")
		if with, ok := f.named(b, name); ok {
			b, template = with, after
		} else {
			b, template = append(b, '{'), rest
		}
	}
}

// named appends what a name stands for; ok is false if it is none.
func (f filler) named(b []byte, name string) (_ []byte, ok bool) {
	if list, ok := words[name]; ok {
		return append(b, f.pick(list)...), true
	}
	if shape, ok := shapes[name]; ok {
		return f.fill(b, shape), true
	}
	at := len(b)
	switch name {
	case "Verb", "Noun", "Name": // as the name in small letters, with a capital
		b = f.fill(b, "{"+strings.ToLower(name)+"}")
		b[at] -= 'a' - 'A'
	case "name":
		b = f.fill(b, "{verb}")
		for range 1 + f.rng.IntN(2) {
			b = f.fill(b, "{Noun}")
		}
	case "snake":
		b = f.fill(b, "{adj}_{noun}")
		if f.rng.IntN(3) == 0 {
			b = f.fill(b, "_{noun}")
		}
	case "const":
		b = f.fill(b, "{snake}")
		copy(b[at:], bytes.ToUpper(b[at:]))
	case "path":
		for range 1 + f.rng.IntN(3) {
			b = f.fill(b, "{pkg}/")
		}
		b = f.fill(b, "{noun}_{noun}{ext}")
	case "int":
		b = append(b, markDecimal, byte(1+f.rng.IntN(3)))
	case "size":
		b = append(b, markDecimal, 3, "KMG"[f.rng.IntN(3)])
	case "date":
		b = fmt.Appendf(b, "2026-0%d-1%d", 1+f.rng.IntN(9), f.rng.IntN(10))
	default:
		return b, false
	}
	return b, true
}
