package reader

import "strings"

// codeFormOf draws the text of a block in colours: its code in those of the
// language, the rest as it is anyway. nil if there is no code in it.
func codeFormOf(b *block, language string, k *inks, width int) *form {
	f := &form{}
	found := false
	for at := 0; at <= len(b.text); {
		kind, end := b.part(at)
		text := b.text[at:end]
		var lines [][]inked
		if kind == plainSection {
			lines = inkCode(text, language, &k.syntax, k.muted)
			found = found || lines != nil
		}
		f.addPart(b, at, text, lines, k, width)
		at = end + 1
	}
	if !found {
		return nil
	}
	return f
}

// part returns what the lines from a place on are, and where they end, without
// the line feed.
func (b *block) part(at int) (kind sectionKind, end int) {
	for i := range b.sections {
		switch s := &b.sections[i]; {
		case s.from <= at:
			kind = s.kind
		default:
			return kind, s.from - 1
		}
	}
	return kind, len(b.text)
}

// addPart appends the rows of lines; without inks they have those of the block.
func (f *form) addPart(b *block, at int, text string, lines [][]inked, k *inks, width int) {
	var starts []int
	for i, line := range strings.Split(text, "\n") {
		runs := []inked{{line, k.body(b, at)}}
		switch {
		case lines != nil:
			runs = lines[i]
		case b.section(at) == jsonSection:
			runs = k.json(line)
		}
		starts = wrapLine(starts[:0], line, 0, len(line), width)
		for j, from := range starts {
			to := len(line)
			if j+1 < len(starts) {
				to = starts[j+1]
			}
			f.rows = append(f.rows, cutRuns(runs, from, from+len(strings.TrimRight(line[from:to], " "))))
			f.source = append(f.source, at+from)
		}
		at += len(line) + 1
	}
}

// cutRuns draws the bytes from..to of a line.
func cutRuns(runs []inked, from, to int) string {
	var out strings.Builder
	at := 0
	for _, r := range runs {
		start, end := max(from, at), min(to, at+len(r.text))
		if start < end {
			out.WriteString(r.ink.On(r.text[start-at : end-at]))
		}
		at += len(r.text)
	}
	return out.String()
}

// textOf returns what stands in a line.
func textOf(runs []inked) string {
	var out strings.Builder
	for _, r := range runs {
		out.WriteString(r.text)
	}
	return out.String()
}

// drawRuns draws a line.
func drawRuns(runs []inked) string {
	var out strings.Builder
	for _, r := range runs {
		out.WriteString(r.ink.On(r.text))
	}
	return out.String()
}

// json returns the inks of a line of JSON.
func (k *inks) json(line string) (runs []inked) {
	at := 0
	for _, t := range tokensOf(line) {
		ink := k.muted
		switch t.kind {
		case keyToken:
			ink = k.code
		case stringToken:
			ink = k.text
		case valueToken:
			ink = k.tool
		}
		runs = append(runs, inked{line[at:t.end], ink})
		at = t.end
	}
	return runs
}
