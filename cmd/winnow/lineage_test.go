//go:build unix

package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/export/lineage"
	"winnow/core/rawjson"
	"winnow/store"
)

// exportedRow is what is compared of a row.
type exportedRow struct {
	ID       string
	Messages []struct{ Role, Content string }
}

// TestRowsLeadBackToTheirMessages follows rows of a data set by its manifest:
// to the segment in the database, its fingerprint, and the lines of the file
// that they were recorded in.
func TestRowsLeadBackToTheirMessages(t *testing.T) {
	v := exportSource(t, "16MB")
	set := filepath.Join(t.TempDir(), "set")
	v.export("-o", set+"/", "--shard-size", "1M", "--split", "train=0.7,test=0.3")
	s, err := store.Open(t.Context(), v.db, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	shards := map[string][]exportedRow{}
	var samples []lineage.Sample
	head, err := lineage.ReadFile(set, func(m *lineage.Sample) error {
		samples = append(samples, *m)
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range head.Files {
		data, err := os.ReadFile(filepath.Join(set, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		if f.SHA256 != fmt.Sprintf("%x", sha256.Sum256(data)) || f.Bytes != int64(len(data)) {
			t.Errorf("the sum of %s is wrong", f.Path)
		}
		for line := range strings.Lines(string(data)) {
			var row exportedRow
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			shards[f.Path] = append(shards[f.Path], row)
		}
		if len(shards[f.Path]) != f.Rows {
			t.Errorf("%s has %d rows, not %d", f.Path, len(shards[f.Path]), f.Rows)
		}
	}
	const follow = 100
	if len(samples) < follow || len(head.Files) < 4 {
		t.Fatalf("%d samples in %d files", len(samples), len(head.Files))
	}
	for i := range follow {
		m := &samples[i*len(samples)/follow]
		followRow(t, v, s, m, shards[m.File][m.Row-1])
	}
}

// followRow compares a row with the messages that its manifest names.
func followRow(t *testing.T, v *victim, s *store.Store, m *lineage.Sample, row exportedRow) {
	t.Helper()
	if row.ID != m.Sample || len(row.Messages) != len(m.Messages) {
		t.Fatalf("row %d of %s is %s with %d messages, the manifest says %s with %d", m.Row, m.File, row.ID, len(row.Messages), m.Sample, len(m.Messages))
	}
	seg, err := s.Segment(t.Context(), m.Segment)
	if err != nil {
		t.Fatal(err)
	}
	if seg.Fingerprint != m.Fingerprint || seg.Start != m.Start || seg.End != m.End || seg.SessionFile != restored(v, m.SessionFile) {
		t.Errorf("segment %s: %+v, the manifest says %+v", seg.ID, seg, m)
	}
	messages, err := s.Messages(t.Context(), seg.Body, seg.Start, seg.End)
	if err != nil {
		t.Fatal(err)
	}
	if got := chat.DigestOf(messages).Fingerprint; seg.Nth == 1 && got != m.Fingerprint {
		t.Errorf("segment %s: fingerprint %s, of its messages %s", seg.ID, m.Fingerprint, got)
	}
	users := 0
	for i, n := range m.Messages {
		if n < seg.Start { // the system message of the session
			continue
		}
		recorded := &messages[n-seg.Start]
		if string(recorded.Role) != row.Messages[i].Role {
			t.Errorf("segment %s, message %d: %s, recorded as %s", seg.ID, n, row.Messages[i].Role, recorded.Role)
		}
		if recorded.Role == chat.User {
			if users++; recorded.Content != row.Messages[i].Content {
				t.Errorf("segment %s, message %d is not as recorded", seg.ID, n)
			}
		}
	}
	if users == 0 {
		t.Errorf("segment %s has no user message", seg.ID)
	}
	inSource(t, restored(v, m.Source), m.FirstLine, &messages[0])
	if lines := strings.HasSuffix(m.Source, ".jsonl"); lines != (m.LastLine > 0) {
		t.Errorf("%s: last line %d", m.Source, m.LastLine)
	}
	if m.LastLine > 0 {
		inSource(t, restored(v, m.Source), m.LastLine, &messages[len(messages)-1])
	}
}

// restored puts the home folder back into a path of a manifest.
func restored(v *victim, path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok {
		return filepath.Dir(v.db) + rest
	}
	return path
}

// inSource checks that a line of a file holds the content of a message.
func inSource(t *testing.T, path string, line int64, m *chat.Message) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for n := int64(1); ; n++ {
		text, err := in.ReadString('\n')
		if n == line {
			begin := strings.Trim(string(rawjson.AppendString(nil, firstWords(m.Content))), `"`)
			if !strings.Contains(text, begin) {
				t.Errorf("%s:%d does not hold %q", path, line, begin)
			}
			return
		}
		if err != nil {
			t.Fatalf("%s has no line %d", path, line)
		}
	}
}

func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 1)], " ")
}
