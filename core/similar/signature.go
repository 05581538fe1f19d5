// Package similar tells which texts are nearly the same, without comparing
// each with each.
//
// A text becomes the set of its shingles: all runs of five words. Two texts
// are as similar as the share of shingles that both have among those that
// either has (Jaccard: 0 nothing in common, 1 the same). A Signature is a
// sample of the set, the same size for every text, drawn so that the share of
// equal entries of two signatures estimates how similar their texts are.
// Clusters finds the similar ones among many.
//
// Everything here is deterministic: the same texts give the same signatures
// and clusters, on any machine.
package similar

import (
	"encoding/binary"
	"math/bits"
)

// bins is the number of entries of a signature, a power of two. For texts of many more
// shingles the estimate errs by sqrt(j(1-j)/bins): 0.02 at a similarity of 0.7
// (standard error). For texts of up to some hundred shingles most entries stand
// for one shingle, and it errs by less.
const (
	binBits = 9
	bins    = 1 << binBits
)

// least is how many entries of a signature the shingles of a text must fill, to
// be compared by them. In a text of fewer it depends on where a word stands
// whether others that lack it are alike: 29 shingles are the fewest of which a
// changed word, which is in five at most, always leaves 0.7. What fills fewer
// entries has a signature of its own, drawn from all its words: nothing is like
// it but the same words in the same order.
const least = 29

// Signature stands for the shingles of a text, in 512 bytes: 100,000 of them
// take 51 MB. Shingles are dealt to the entries by their hash; an entry is what
// is left of the smallest hash that fell to it, 1 to 255, or 0 if none did. The
// zero Signature is that of a text without any word.
type Signature [bins]byte

// IsZero reports whether there was no word in the text.
func (s *Signature) IsZero() bool { return *s == Signature{} }

// Similarity estimates how similar two texts are, 0 to 1. Texts of the same
// words have 1. A text without a word is similar to none. Two entries that
// differ look alike once in 255 times: the estimate is too high by at most
// 0.004.
func Similarity(a, b *Signature) float64 {
	same, used := 0, 0
	for i := 0; i < bins; i += 8 {
		s, u := compare(a, b, i)
		same += s
		used += u
	}
	if used == 0 {
		return 0
	}
	return float64(same) / float64(used)
}

// alike reports whether the similarity is at least threshold. Most pairs that
// are far from it are told from the first entries.
func alike(a, b *Signature, threshold float64) bool {
	same, used := 0, 0
	for i := 0; i < bins; i += 8 {
		s, u := compare(a, b, i)
		same += s
		used += u
		// Even if all that follow are the same, is it too little?
		if rest := bins - i - 8; float64(same+rest) < threshold*float64(used+rest) {
			return false
		}
	}
	return used > 0 && float64(same) >= threshold*float64(used)
}

// compare counts, of eight entries from i on, those that are the same in both
// and not empty, and those that either has.
func compare(a, b *Signature, i int) (same, used int) {
	x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
	empty := zeroBytes(x | y)
	return zeroBytes(x^y) - empty, 8 - empty
}

// zeroBytes counts the bytes of x that are 0.
func zeroBytes(x uint64) int {
	const low = 0x7f7f7f7f7f7f7f7f
	return 8 - bits.OnesCount64(((x&low+low)|x)&^low)
}
