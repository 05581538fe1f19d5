package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// Marks in filled text for what is drawn anew at every use of a line. They
// stand before the number of digits; none of them occurs in text.
const (
	markHex     = 1
	markDecimal = 2
	markClock   = 3
)

// filler turns templates into lines.
type filler struct{ rng *rand.Rand }

// pieces are the names that templates may use. Each appends its text to b.
var pieces = map[string]func(f filler, b []byte) []byte{
	"noun":   func(f filler, b []byte) []byte { return append(b, f.pick(nouns)...) },
	"verb":   func(f filler, b []byte) []byte { return append(b, f.pick(verbs)...) },
	"adj":    func(f filler, b []byte) []byte { return append(b, f.pick(adjectives)...) },
	"person": func(f filler, b []byte) []byte { return append(b, f.pick(people)...) },
	"level":  func(f filler, b []byte) []byte { return append(b, f.pick(levels)...) },
	"status": func(f filler, b []byte) []byte { return append(b, f.pick(statuses)...) },
	"type":   func(f filler, b []byte) []byte { return append(b, f.pick(types)...) },
	"ext":    func(f filler, b []byte) []byte { return append(b, f.pick(extensions)...) },
	"pkg":    func(f filler, b []byte) []byte { return append(b, f.pick(folders)...) },
	"zh":     func(f filler, b []byte) []byte { return append(b, f.pick(chinese)...) },
	"emoji":  func(f filler, b []byte) []byte { return append(b, f.pick(emoji)...) },
	"Verb":   func(f filler, b []byte) []byte { return append(b, capital(f.pick(verbs))...) },
	"name":   func(f filler, b []byte) []byte { return f.identifier(b, false) },
	"Name":   func(f filler, b []byte) []byte { return f.identifier(b, true) },
	"snake":  func(f filler, b []byte) []byte { return f.snake(b) },
	"const":  func(f filler, b []byte) []byte { return append(b, strings.ToUpper(string(f.snake(nil)))...) },
	"path":   func(f filler, b []byte) []byte { return f.path(b) },
	"str":    func(f filler, b []byte) []byte { return f.quoted(b) },
	"int":    func(f filler, b []byte) []byte { return append(b, markDecimal, byte(1+f.rng.IntN(3))) },
	"big":    func(_ filler, b []byte) []byte { return append(b, markDecimal, 7) },
	"hex":    func(_ filler, b []byte) []byte { return append(b, markHex, 8) },
	"clock":  func(_ filler, b []byte) []byte { return append(b, markClock, clockLen) },
	"ms":     func(_ filler, b []byte) []byte { return append(b, markDecimal, 2, '.', markDecimal, 2) },
	"size":   func(f filler, b []byte) []byte { return append(b, markDecimal, 3, "KMG"[f.rng.IntN(3)]) },
	"ip": func(_ filler, b []byte) []byte {
		return append(b, "10.0."+string([]byte{markDecimal, 2, '.', markDecimal, 2})...)
	},
	"uuid": func(_ filler, b []byte) []byte {
		return append(b, markHex, 8, '-', markHex, 4, '-', '4', markHex, 3, '-', 'a', markHex, 11)
	},
	"date": func(f filler, b []byte) []byte {
		return append(strconv.AppendInt(append(b, "2026-0"...), int64(1+f.rng.IntN(9)), 10), "-1"+strconv.Itoa(f.rng.IntN(10))...)
	},
	"host": func(f filler, b []byte) []byte { return append(append(b, f.pick(folders)...), '-', markDecimal, 2) },
	"url":  func(f filler, b []byte) []byte { return append(append(b, "example.org/"...), f.pick(nouns)...) },
}

// pick draws a word; the front of the list is likelier.
func (f filler) pick(words []string) string {
	x := f.rng.Float64()
	return words[int(x*(0.35+0.65*x)*float64(len(words)))]
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

func (f filler) identifier(b []byte, exported bool) []byte {
	first := f.pick(verbs)
	if exported {
		first = capital(first)
	}
	b = append(b, first...)
	for range 1 + f.rng.IntN(2) {
		b = append(b, capital(f.pick(nouns))...)
	}
	return b
}

func (f filler) snake(b []byte) []byte {
	b = append(append(append(b, f.pick(adjectives)...), '_'), f.pick(nouns)...)
	if f.rng.IntN(3) == 0 {
		b = append(append(b, '_'), f.pick(nouns)...)
	}
	return b
}

func (f filler) path(b []byte) []byte {
	for range 1 + f.rng.IntN(3) {
		b = append(append(b, f.pick(folders)...), '/')
	}
	return append(append(append(append(b, f.pick(nouns)...), '_'), f.pick(nouns)...), f.pick(extensions)...)
}

func (f filler) quoted(b []byte) []byte {
	b = append(append(append(append(b, '"'), f.pick(verbs)...), ' '), f.pick(nouns)...)
	return append(append(append(b, ": "...), f.pick(adjectives)...), '"')
}

// fill returns the text of a template. Braces around something that is no
// piece stay as they are.
func (f filler) fill(b []byte, template string) []byte {
	for {
		before, rest, found := strings.Cut(template, "{")
		b = append(b, before...)
		if !found {
			return b
		}
		name, after, closed := strings.Cut(rest, "}")
		piece := pieces[name]
		if !closed || piece == nil {
			b, template = append(b, '{'), rest
			continue
		}
		b, template = piece(f, b), after
	}
}
