package session_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// mutations is how many damaged files are read.
const mutations = 100_000

// TestMutations reads the sample files of all formats with random damage: bits
// flipped, stretches cut out or doubled, lines swapped. Nothing of it panics,
// or loses count, or depends on where the file was when it was first read.
func TestMutations(t *testing.T) {
	samples := ownSamples(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range mutations / (slower * slower) {
		src := bytes.Clone(samples[i%len(samples)])
		for range 1 + rng.IntN(4) {
			src = mutate(rng, src)
		}
		checkRead(t, src, rng.IntN(len(src)+1))
		if t.Failed() {
			t.Fatalf("mutation %d:\n%q", i, src)
		}
	}
}

// maxSample is the size of the samples that are mutated: many small files find
// more than a few large ones.
const maxSample = 8 << 10

// ownSamples are the sample files that belong to the project, cut to
// maxSample.
func ownSamples(t *testing.T) (samples [][]byte) {
	for _, dir := range []string{"formats", "sessions"} {
		err := filepath.WalkDir(filepath.Join("..", "..", "testdata", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(path) == ".golden" {
				return err
			}
			b, err := os.ReadFile(path)
			samples = append(samples, b[:min(len(b), maxSample)])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(samples) == 0 {
		t.Fatal("no samples")
	}
	return samples
}

// mutate damages a source in one place.
func mutate(rng *rand.Rand, src []byte) []byte {
	if len(src) == 0 {
		return []byte{'{'}
	}
	at := rng.IntN(len(src))
	to := min(len(src), at+1+rng.IntN(200))
	switch rng.IntN(6) {
	case 0:
		src[at] ^= 1 << rng.IntN(8)
	case 1:
		src = src[:at]
	case 2:
		src = append(src[:at], src[to:]...)
	case 3:
		src = bytes.Join([][]byte{src[:to], src[at:to], src[to:]}, nil)
	case 4:
		lines := bytes.SplitAfter(src, []byte{'\n'})
		a, b := rng.IntN(len(lines)), rng.IntN(len(lines))
		lines[a], lines[b] = lines[b], lines[a]
		src = bytes.Join(lines, nil)
	case 5:
		const marks = "{}[]\",:\\\n\x00 0-tfnu"
		src[at] = marks[rng.IntN(len(marks))]
	}
	return src
}
