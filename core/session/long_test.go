package session_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"winnow/core/session"
)

// TestLongValues: a value that is longer than it may be is bad and told with its
// size, whatever it is in, and what comes after it is read.
func TestLongValues(t *testing.T) {
	text := strings.Repeat("x", 200)
	long := `{"role":"user","content":"` + text + `"}` // 228 bytes
	const told = "value larger than max_value = 100: "
	for name, c := range map[string]struct {
		src      string
		counts   session.Counts
		messages int
		reasons  []string
	}{
		"a line":                      {a1 + "\n" + long + "\n" + b1 + "\n", session.Counts{Read: 2, Bad: 1}, 2, []string{told + "228"}},
		"the last line":               {a1 + "\n" + long, session.Counts{Read: 1, Bad: 1}, 1, []string{told + "228"}},
		"blanks around it":            {"  " + long + "  \r\n" + b1 + "\n", session.Counts{Read: 1, Bad: 1}, 1, []string{told + "228"}},
		"several on a line":           {long + long + a1 + "\n" + b1, session.Counts{Read: 2}, 2, []string{told + "228"}},
		"many short ones on a line":   {strings.Repeat(a1, 9) + "\n", session.Counts{Read: 1}, 9, []string{"more than one value on the line"}},
		"an array on a line":          {"[" + a1 + "," + long + "," + b1 + "]\n", session.Counts{Read: 1}, 2, []string{told + "228"}},
		"the first of an array":       {"[" + long + "," + b1 + "]\n", session.Counts{Read: 1}, 1, []string{told + "228"}},
		"an array of lines":           {"[\n" + a1 + ",\n" + long + ",\n" + b1 + "\n]\n", session.Counts{Read: 2, Skipped: 2, Bad: 1}, 2, []string{"array bracket", told + "228", "array bracket"}},
		"a long array":                {"[" + strings.Repeat(a1+",", 9) + b1 + "]", session.Counts{Read: 1}, 10, nil},
		"text":                        {`"` + text + `"` + "\n" + b1, session.Counts{Read: 1, Bad: 1}, 1, []string{told + "202"}},
		"a number of an array":        {"[\n" + strings.Repeat("1", 200) + ",\n" + b1 + "]", session.Counts{Read: 1, Skipped: 1, Bad: 1}, 1, []string{"array bracket", told + "200"}},
		"a document":                  {"{\"messages\":[\n" + strings.Repeat(a1+",\n", 9) + b1 + "\n]}\n" + b1, session.Counts{Read: 1, Bad: 12}, 1, []string{told + "330"}},
		"a document in an array":      {"[\n{\"messages\":[\n" + strings.Repeat(a1+",\n", 9) + b1 + "\n]},\n" + b1 + "]", session.Counts{Read: 1, Skipped: 1, Bad: 12}, 1, []string{"array bracket", told + "330"}},
		"a line of a document":        {"{\"messages\":[\n" + long + ",\n" + b1 + "]}" + "\n" + b1, session.Counts{Read: 1, Bad: 3}, 1, []string{told + "280"}},
		"cut off":                     {long[:220] + "\n" + a1 + "\n" + b1, session.Counts{Read: 2, Bad: 1}, 2, []string{told + "220"}},
		"cut off before a value":      {`{"content":"` + text + `","a":` + "\n" + a1 + "\n" + b1, session.Counts{Read: 2, Bad: 1}, 2, []string{told + "218"}},
		"none after its beginning":    {long[:200] + `"]]]` + long + "\n" + a1, session.Counts{Read: 1, Bad: 1}, 1, []string{told + "432"}},
		"on a line with others":       {a1 + long + "\n" + b1, session.Counts{Read: 2}, 2, []string{told + "228"}},
		"as long as a value may be":   {`{"role":"user","content":"` + text[:72] + `"}` + "\n" + b1, session.Counts{Read: 2}, 2, nil},
		"a byte more than it may be":  {`{"role":"user","content":"` + text[:73] + `"}` + "\n" + b1, session.Counts{Read: 1, Bad: 1}, 1, []string{told + "101"}},
		"garbage that is not a value": {"x" + long + "\n" + b1, session.Counts{Read: 1, Bad: 1}, 1, []string{"not JSON"}},
	} {
		t.Run(name, func(t *testing.T) {
			opt := session.Options{MaxValue: 100}
			rec, res := readFrom(t, strings.NewReader(c.src), opt)
			var reasons []string
			for _, i := range rec.issues {
				reasons = append(reasons, i.Reason)
			}
			if res.State.Counts != c.counts || len(rec.msgs) != c.messages || !slices.Equal(reasons, c.reasons) {
				t.Errorf("%+v, %d messages, %q\nwant %+v, %d, %q", res.State.Counts, len(rec.msgs), reasons, c.counts, c.messages, c.reasons)
			}
			if left := strings.Contains(fmt.Sprint(reasons), told); left != (res.State.MaxValue == 100) {
				t.Errorf("the state has the limit %d", res.State.MaxValue)
			}
			checkLimited(t, []byte(c.src), 0, opt)
			for end := range len(c.src) {
				samePiecesWith(t, []byte(c.src), []int{end}, opt)
			}
		})
	}
}

// TestLongValuesOfAnyEncoding: the limit is one of text, however that is packed.
func TestLongValuesOfAnyEncoding(t *testing.T) {
	src := a1 + "\n" + `{"role":"user","content":"` + strings.Repeat("é", 200) + `"}` + "\n" + b1 + "\n"
	for name, packed := range map[string][]byte{"gzip": gzipped(src), "zstd": zstandard(t, src), "utf-16": inUTF16(src, true), "utf-16 in gzip": gzipped(string(inUTF16(src, false)))} {
		text, _, err := session.Decode(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		rec, res := readFrom(t, text, session.Options{MaxValue: 400})
		if want := (session.Counts{Read: 2, Bad: 1}); res.State.Counts != want || len(rec.msgs) != 2 || rec.issues[0].Length != 428 {
			t.Errorf("%s: %+v, %d messages, %+v", name, res.State.Counts, len(rec.msgs), rec.issues)
		}
	}
}

// checkLimited reads a source in two ways and in two pieces: nothing depends on how
// it comes.
func checkLimited(t *testing.T, src []byte, split int, opt session.Options) {
	t.Helper()
	rec, res := readFrom(t, bytes.NewReader(src), opt)
	if res.Seen == "binary data" {
		return
	}
	checkTotals(t, src, rec, res)
	slow, slowRes := readFrom(t, iotest.OneByteReader(bytes.NewReader(src)), opt)
	if !reflect.DeepEqual(slow.issues, rec.issues) || !reflect.DeepEqual(slow.msgs, rec.msgs) || !reflect.DeepEqual(slowRes, res) {
		t.Errorf("byte by byte: %+v %+v\nwant %+v %+v", slowRes, slow.issues, res, rec.issues)
	}
	samePiecesWith(t, src, []int{split}, opt)
}

// TestMutationsWithALimit reads damaged samples with small limits.
func TestMutationsWithALimit(t *testing.T) {
	samples := ownSamples(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range mutations / max(50, slower*slower) {
		src := bytes.Clone(samples[i%len(samples)])
		for range rng.IntN(5) {
			src = mutate(rng, src)
		}
		checkLimited(t, src, rng.IntN(len(src)+1), session.Options{MaxValue: int64(20 + rng.IntN(2000))})
		if t.Failed() {
			t.Fatalf("mutation %d:\n%q", i, src)
		}
	}
}

// FuzzLimit reads anything with any limit.
func FuzzLimit(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), uint16(len(s)/2), uint16(30))
	}
	f.Fuzz(func(t *testing.T, src []byte, split, limit uint16) {
		if len(src) > 0 {
			checkLimited(t, src, int(split)%len(src), session.Options{MaxValue: 20 + int64(limit)})
		}
	})
}

// repeated gives a text again and again, so that it need not be in memory.
func repeated(text string, times int) io.Reader {
	parts := make([]io.Reader, times)
	for i := range parts {
		parts[i] = strings.NewReader(text)
	}
	return io.MultiReader(parts...)
}

// TestLongValuesAreNotKept: memory depends on the limit, not on the value.
func TestLongValuesAreNotKept(t *testing.T) {
	const limit, size = 1 << 20, 64 / min(slower, 4)
	stretch := strings.Repeat("x", 1<<20)
	for name, parts := range map[string][3]string{
		"a line":              {`{"role":"user","content":"`, stretch, `"}`},
		"many fields":         {`{"role":"user"`, strings.Repeat(`,"a":1`, 1<<17), `}`},
		"a line of an array":  {"[\n" + `{"role":"user","content":"`, stretch, "\"}\n]"},
		"a line of a value":   {"{\"messages\":[\n" + `{"role":"user","content":"`, stretch, "\"}\n]}"},
		"a value of lines":    {"{\"messages\":[\n1", strings.Repeat(",1\n", 1<<18), "]}"},
		"text":                {`"`, stretch, `"`},
		"a number":            {"[1", strings.Repeat("1", 1<<20), "]"},
		"a number of a value": {`{"a":1`, strings.Repeat("1", 1<<20), "}"},
		"without an end":      {`{"role":"user","content":"`, stretch, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := io.MultiReader(strings.NewReader(parts[0]), repeated(parts[1], size), strings.NewReader(parts[2]+"\n"+a1+"\n"))
			sink := &nowhere{}
			peak := peakWhile(t, func() error {
				_, err := session.Read(t.Context(), in, session.Options{MaxValue: limit}, session.State{}, sink)
				return err
			})
			t.Logf("%d KB", peak>>10)
			if peak > 6*limit+uncollected || sink.msgs != 1 {
				t.Errorf("a limit of %d KB takes %d KB, %d messages", limit>>10, peak>>10, sink.msgs)
			}
		})
	}
}
