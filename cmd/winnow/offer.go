package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/core/places"
	"winnow/tui/draw"
)

// machine is where sessions are looked for.
func (p *cli) machine() *places.Machine {
	dir, err := p.env.dir()
	if err != nil {
		dir = ""
	}
	return &places.Machine{Home: p.env.Home(), Dir: dir, Getenv: p.env.Get, Short: p.env.ShortPath}
}

// tellPlaces says on stderr where sessions were found and how they are
// imported: what the screen would have offered.
func (p *cli) tellPlaces(ctx context.Context) error {
	m := p.machine()
	found, err := m.Find(ctx)
	if err != nil {
		return err
	}
	var words []string
	for _, place := range found {
		size, err := m.Measure(ctx, place)
		if err != nil {
			return err
		}
		if size.Files == 0 {
			continue
		}
		p.warn("%s: %s in %s", place.Agent, foundText(size), place.Name)
		if !place.Doubtful {
			words = append(words, p.pathWords(place)...)
		}
	}
	if len(words) > 0 {
		p.warn("%s loads them", p.command("import "+strings.Join(words, " ")))
	}
	return nil
}

// foundText says what a place holds: 1,204 files (310.0 MB).
func foundText(s places.Size) string {
	if s.More {
		return fmt.Sprintf("%s+ files (%s+)", draw.Grouped(s.Files), draw.Bytes(s.Bytes))
	}
	return fmt.Sprintf("%s (%s)", draw.Plural(s.Files, "file"), draw.Bytes(s.Bytes))
}

// pathWords writes a place as words for a shell: by its name, which may be a
// pattern, if a shell takes that as it is.
func (p *cli) pathWords(place places.Place) []string {
	if plain := strings.ReplaceAll(place.Name, "*", ""); print.Quoted(plain) == plain && filepath.Separator == '/' {
		return []string{place.Name}
	}
	words := make([]string, len(place.Paths))
	for i, path := range place.Paths {
		words[i] = print.Quoted(path)
	}
	return words
}
