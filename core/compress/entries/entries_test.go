package entries

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/token"
)

type turnJSON struct {
	From  string `json:"from"`
	Value string `json:"value"`
}

// trajectory is an entry with batches of calls, some of them parallel.
func trajectory(t *testing.T, rounds int) string {
	turns := []turnJSON{{"system", "You are an agent."}, {"human", "Mend TASK0003, please."}}
	for i := range rounds {
		call := fmt.Sprintf("<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"src/part%d.go\"}}\n</tool_call>", i)
		result := func(k int) string {
			return fmt.Sprintf("<tool_response>\n{\"tool_call_id\": \"c%d\", \"name\": \"read_file\", \"content\": %q}\n</tool_response>", k, strings.Repeat(fmt.Sprintf("line of part%d\n", i), 40))
		}
		if i%3 == 1 {
			turns = append(turns, turnJSON{"gpt", "<think>\nHm.\n</think>\n" + call + "\n" + call}, turnJSON{"tool", result(1) + "\n" + result(2)})
			continue
		}
		turns = append(turns, turnJSON{"gpt", "I look at the next.\n" + call}, turnJSON{"tool", result(i)})
	}
	turns = append(turns, turnJSON{"gpt", "src/part3.go was wrong; it is mended."})
	b, err := json.Marshal(map[string]any{"id": 7, "conversations": turns, "reward": 1})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func turnsOf(t *testing.T, entry []byte) []turnJSON {
	t.Helper()
	var e struct{ Conversations []turnJSON }
	if err := json.Unmarshal(entry, &e); err != nil {
		t.Fatalf("%v: %s", err, entry)
	}
	return e.Conversations
}

func small(by compress.Strategy, target int) *Compressor {
	counter, _ := token.Named("chars/4")
	o := compress.Defaults()
	o.By, o.Target, o.Summary, o.Tail = by, target, 200, 3
	return &Compressor{Options: o, Counter: counter, Metrics: true}
}

func total(turns []turnJSON) (n int) {
	for _, t := range turns {
		n += token.Estimate(t.Value)
	}
	return n
}

// TestClear checks that results are cleared in their places and all else stays.
func TestClear(t *testing.T) {
	in := trajectory(t, 8)
	before := turnsOf(t, []byte(in))
	r := small(compress.Clear{}, total(before)/2).Row(t.Context(), []byte(in))
	if r.Outcome != compat.Compressed || r.Err != nil {
		t.Fatalf("%s %v", r.Outcome, r.Err)
	}
	after := turnsOf(t, r.Entry)
	cleared := 0
	for i := range before {
		switch {
		case before[i] == after[i]:
		case before[i].From != "tool" || strings.Count(before[i].Value, "<tool_response>\n{\"tool_call_id\"") != strings.Count(after[i].Value, "<tool_response>\n{\"tool_call_id\""):
			t.Errorf("turn %d: %s", i, after[i].Value)
		default:
			cleared += strings.Count(after[i].Value, `"content": "[cleared: read_file, `)
		}
	}
	if len(after) != len(before) || cleared < 4 {
		t.Errorf("%d turns of %d, %d cleared", len(after), len(before), cleared)
	}
	m := r.Metrics
	if m.CompressedTokens != total(after) || m.OriginalTokens != total(before) || m.StillOverLimit || m.TurnsRemoved != 0 || !strings.Contains(string(r.Entry), `"reward": 1`) {
		t.Errorf("%+v, want %d tokens", m, total(after))
	}
}

// TestExtract checks that whole batches go, and that what is needed later is told.
func TestExtract(t *testing.T) {
	in := trajectory(t, 12)
	before := turnsOf(t, []byte(in))
	for part := 2; part < 7; part++ {
		r := small(compress.Extract{}, total(before)/part).Row(t.Context(), []byte(in))
		after := turnsOf(t, r.Entry)
		if r.Outcome != compat.Compressed || r.Metrics.CompressedTokens != total(after) || r.Metrics.CompressedTurns != len(after) || r.Metrics.StillOverLimit {
			t.Fatalf("%s %v %+v, %d turns of %d tokens", r.Outcome, r.Err, r.Metrics, len(after), total(after))
		}
		summaries := 0
		for i := range after {
			if after[i].From == "tool" && strings.Count(after[i].Value, "<tool_response>") != strings.Count(after[i-1].Value, "<tool_call>") {
				t.Errorf("results of turn %d have lost their calls", i)
			}
			if after[i].From == "human" && i > 1 {
				summaries++
				if !strings.HasPrefix(after[i].Value, compress.Prefix) || after[i-1].From == "human" || strings.Contains(after[i].Value, "<tool") {
					t.Errorf("turn %d: %s", i, after[i].Value)
				}
			}
		}
		if summaries != 1 || !strings.Contains(string(r.Entry), "called read_file src/part") {
			t.Errorf("%d summaries: %s", summaries, r.Entry)
		}
	}
}

// TestKept checks what stays as it is, byte for byte, with its outcome.
func TestKept(t *testing.T) {
	fails := compress.Model{Ask: func(context.Context, compress.Request) (string, error) { return " ", nil }}
	for in, want := range map[string]compat.Outcome{
		`{"conversations": [}`: compat.Failed, ` {"conversations" :[] }`: compat.UnderTarget, `[1]`: compat.Failed, `{"messages": []}`: compat.Failed,
		`{"conversations": {"a": 1}}`: compat.Failed, `{"conversations": [{"from": "gpt", "value": 5}]}`: compat.Failed,
		`{"conversations": [{"from": "gpt", "value": "` + strings.Repeat("long ", 200) + `"}]}`: compat.Nothing,
		trajectory(t, 9): compat.Unsummarized,
	} {
		r := small(fails, 100).Row(t.Context(), []byte(in))
		if r.Outcome != want || string(r.Entry) != in || (want == compat.Unsummarized) != (r.Metrics.Calls > 0) {
			t.Errorf("%s, want %s: %.80s", r.Outcome, want, r.Entry)
		}
	}
}

// TestRecorded checks what is recorded, to half of its tokens: nothing is lost but
// what a text stands for.
func TestRecorded(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "data", "hermes", "trajectory_samples.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	outcomes := map[string]int{}
	for line := range strings.Lines(string(data)) {
		before := turnsOf(t, []byte(line))
		for _, by := range []compress.Strategy{compress.Clear{}, compress.Extract{}} {
			r := small(by, total(before)/2).Row(t.Context(), []byte(line))
			outcomes[by.Name()+" "+string(r.Outcome)]++
			after := turnsOf(t, r.Entry)
			if r.Metrics.CompressedTokens != total(after) || len(after) != r.Metrics.CompressedTurns || total(after) > total(before) {
				t.Fatalf("%+v, %d tokens in %d turns", r.Metrics, total(after), len(after))
			}
			users := func(turns []turnJSON) (all string) {
				for _, t := range turns {
					if t.From == "human" && !strings.HasPrefix(t.Value, compress.Prefix) {
						all += t.Value
					}
				}
				return all
			}
			if users(after) != users(before) {
				t.Fatal("a request is lost")
			}
		}
	}
	t.Log(outcomes)
}
