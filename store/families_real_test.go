package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/core/hub"
)

// told is what lines of Claude Code say: ids of calls and results, and texts.
type told struct{ calls, results, texts map[string]bool }

// tell reads lines as plainly as can be.
func tell(lines [][]byte) told {
	all := told{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, line := range lines {
		var e struct {
			Type    string
			Message struct{ Content json.RawMessage }
		}
		if json.Unmarshal(line, &e) != nil || e.Type != "user" && e.Type != "assistant" {
			continue
		}
		var text string
		if json.Unmarshal(e.Message.Content, &text) == nil {
			all.texts[strings.TrimSpace(text)] = true
			continue
		}
		var blocks []struct {
			Type, Text, ID string
			ToolUseID      string `json:"tool_use_id"`
		}
		if json.Unmarshal(e.Message.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			switch b.Type {
			case "text":
				all.texts[strings.TrimSpace(b.Text)] = true
			case "tool_use":
				all.calls[b.ID] = true
			case "tool_result":
				all.results[b.ToolUseID] = true
			}
		}
	}
	delete(all.texts, "")
	return all
}

// missing returns what an agent's sessions do not hold, and what each says.
func (a *told) missing(t *testing.T, s *Store, agent string) (lost, sessions []string) {
	rows, err := s.sessionRows(t.Context(), "SELECT "+sessionColumns+" FROM trajectory_records WHERE source_agent_id = ?", agent)
	if err != nil {
		t.Fatal(err)
	}
	calls, results := map[string]int{}, map[string]int{}
	var said strings.Builder
	for _, row := range rows {
		list, err := s.Messages(t.Context(), row.Body, 1, row.Messages)
		if err != nil {
			t.Fatal(err)
		}
		var own strings.Builder
		for i := range list {
			m := &list[i]
			own.WriteString(string(m.Role) + "\x00" + m.Content + "\x01")
			for _, c := range m.ToolCalls {
				calls[c.ID]++
				own.WriteString(c.ID + "\x02")
			}
			results[m.ToolCallID]++
		}
		said.WriteString(own.String())
		sessions = append(sessions, own.String())
	}
	for id := range a.calls {
		if calls[id] != 1 {
			lost = append(lost, fmt.Sprintf("call %s is there %d times", id, calls[id]))
		}
	}
	for id := range a.results {
		if results[id] != 1 {
			lost = append(lost, fmt.Sprintf("result %s is there %d times", id, results[id]))
		}
	}
	all := said.String()
	for text := range a.texts {
		if !strings.Contains(all, text) {
			lost = append(lost, fmt.Sprintf("text %.60q is lost", text))
		}
	}
	slices.Sort(sessions)
	return lost, sessions
}

// TestRealSessionsInPieces: real sessions cut anywhere, in files that overlap or
// not, in any order: every call, result and text is in a session, once.
func TestRealSessionsInPieces(t *testing.T) {
	names, err := filepath.Glob(filepath.FromSlash("../../shared/data/claude-code/*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Skip("the real sessions are not beside the checkout")
	}
	cases, most := 2, int64(1<<20)
	if n, err := strconv.Atoi(os.Getenv("CUTS")); err == nil {
		cases, most = n, 1<<30
	}
	first := 0
	if n, err := strconv.Atoi(os.Getenv("CUT")); err == nil {
		first = n
	}
	s := openTemp(t)
	for seed := first; seed < first+cases; seed++ {
		random := rand.New(rand.NewPCG(uint64(seed), 3))
		dir := t.TempDir()
		var paths []string
		var lines [][]byte
		for n, name := range names {
			if info, err := os.Stat(name); err != nil || info.Size() > most {
				continue
			}
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list := bytes.SplitAfter(src, []byte("\n"))
			lines = append(lines, list...)
			for from, part := 0, 0; from < len(list); part++ {
				end := min(len(list), from+1+random.IntN(len(list)))
				at := max(0, from-random.IntN(2)*random.IntN(20)) // some overlap
				path := filepath.Join(dir, fmt.Sprintf("%d-%d.jsonl", n, part))
				if err := os.WriteFile(path, bytes.Join(list[at:end], nil), 0o600); err != nil {
					t.Fatal(err)
				}
				paths, from = append(paths, path), end
			}
		}
		want := tell(lines)
		var before []string
		for way := range 2 {
			agent := fmt.Sprintf("%d-%d", seed, way)
			random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
			im := &hub.Importer{Store: s, Clock: newClock().Now, Agent: agent, Jobs: 2}
			step := 1 + way*len(paths)
			for some := range slices.Chunk(paths, step) {
				if _, err := im.Import(t.Context(), some, nil); err != nil {
					t.Fatal(err)
				}
			}
			lost, sessions := want.missing(t, s, agent)
			for i := range lost[:min(len(lost), 20)] {
				t.Errorf("case %d, way %d: %s", seed, way, lost[i])
			}
			if way == 0 {
				before = sessions
			} else if !slices.Equal(before, sessions) {
				t.Errorf("case %d: %d sessions one after the other, %d at once, or others", seed, len(before), len(sessions))
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	clean(t, s)
}
