package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaskText returns places in a segment as Mark.Masked has them: "2,5".
func MaskText(places []int) string {
	var b strings.Builder
	for i, n := range places {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// ParseMask is the other way round. It fails on anything that MaskText does not
// write for ascending places from 1.
func ParseMask(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var places []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || strconv.Itoa(n) != part || len(places) > 0 && n <= places[len(places)-1] {
			return nil, fmt.Errorf("%q is no list of ascending places", text)
		}
		places = append(places, n)
	}
	return places, nil
}

// Masks reports whether a segment's message, by its number in the session, was
// switched off by a curator.
func (s *Segment) Masks(message int) bool {
	_, found := slices.BinarySearch(s.Masked, message-s.Start+1)
	return found
}

// MaskedWith returns the places of Masked with others switched off and on again.
// on wins. s keeps its own.
func (s *Segment) MaskedWith(off, on []int) []int {
	all := append(slices.Clone(s.Masked), off...)
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(n int) bool { return slices.Contains(on, n) })
	if len(all) == 0 {
		return nil
	}
	return all
}
