package secret

import (
	"strings"
	"unicode/utf8"
)

// besideMost is how far from a secret in its line another one is looked for
// that shows only when the first is replaced, in bytes.
const besideMost = 1 << 10

// beside returns the secrets that show in the lines of hits once these are
// replaced.
func (s *Scanner) beside(text string, hits []Hit) (more []Hit) {
	for i := 0; i < len(hits); {
		line := span{lineStart(text, hits[i].Start), lineEnd(text, hits[i].End)}
		first := i
		for i++; i < len(hits) && hits[i].Start < line.end; i++ {
			line.end = lineEnd(text, hits[i].End)
		}
		more = append(more, s.besideIn(text, line, hits[first:i])...)
	}
	return more
}

func (s *Scanner) besideIn(text string, line span, hits []Hit) (more []Hit) {
	own := make([]Hit, len(hits))
	for i, h := range hits {
		own[i] = Hit{Rule: h.Rule, Start: h.Start - line.start, End: h.End - line.start}
	}
	masked := Replace(text[line.start:line.end], own, func(h Hit) string { return Placeholder(h.Rule, 1) })
	passed, shift := 0, line.start // of the hits before a place
	for _, h := range s.findOnce(masked) {
		// Where the line is cut, anything may seem to begin or end.
		if h.Start == 0 && line.start > 0 && text[line.start-1] != '\n' || h.End == len(masked) && line.end < len(text) && text[line.end] != '\n' {
			continue
		}
		for passed < len(hits) && hits[passed].Start-shift < h.Start {
			shift += hits[passed].End - hits[passed].Start - len(Placeholder(hits[passed].Rule, 1))
			passed++
		}
		more = append(more, Hit{Rule: h.Rule, Start: h.Start + shift, End: h.End + shift})
	}
	return more
}

func lineStart(text string, at int) int {
	from := max(0, at-besideMost)
	if i := strings.LastIndexByte(text[from:at], '\n'); i >= 0 {
		return from + i + 1
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	return from
}

func lineEnd(text string, at int) int {
	to := min(len(text), at+besideMost)
	if i := strings.IndexByte(text[at:to], '\n'); i >= 0 {
		return at + i
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return to
}
