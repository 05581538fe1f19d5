package compress

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"winnow/core/compress/compat"
)

// vector is a case of compression.jsonl.
type vector struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Flaws     []string `json:"reference_flaws"`
	Tokenizer string   `json:"tokenizer"`
	Config    struct {
		Target     int     `json:"target_max_tokens"`
		Summary    int     `json:"summary_target_tokens"`
		System     bool    `json:"first_system"`
		Human      bool    `json:"first_human"`
		GPT        bool    `json:"first_gpt"`
		Tool       bool    `json:"first_tool"`
		Last       int     `json:"last_n_turns"`
		Retries    int     `json:"max_retries"`
		Delay      float64 `json:"retry_delay"`
		Notice     bool    `json:"add_summary_notice"`
		NoticeText string  `json:"summary_notice_text"`
		Per        bool    `json:"per_trajectory"`
		Timeout    float64 `json:"per_trajectory_timeout"`
	} `json:"config"`
	Replies []reply `json:"replies"`
	Marked  []struct {
		Marker  string  `json:"marker"`
		Replies []reply `json:"replies"`
	} `json:"replies_by_marker"`
	Input    json.RawMessage `json:"input"`
	Expected struct {
		Outcome      string           `json:"outcome"`
		Compressed   bool             `json:"compressed"`
		Protected    []int            `json:"protected_indices"`
		Compressible []int            `json:"compressible"`
		Region       []int            `json:"region"`
		Kept         []int            `json:"kept_indices"`
		Summary      *int             `json:"summary_index"`
		TurnTokens   []int            `json:"turn_tokens"`
		Requests     int              `json:"requests"`
		Metrics      json.RawMessage  `json:"metrics"`
		Output       json.RawMessage  `json:"output"`
		Files        map[string][]any `json:"files"`
		Aggregate    map[string]any   `json:"aggregate"`
	} `json:"expected"`
}

type reply struct {
	Content *string `json:"content"`
	Error   bool    `json:"error"`
	Reason  string  `json:"finish_reason"`
	Hang    bool    `json:"hang"`
}

// vectors reads the cases in the folder that WINNOW_VECTORS names, else beside
// the project if they are there.
func vectors(t *testing.T) (all []vector) {
	dir := os.Getenv("WINNOW_VECTORS")
	if dir == "" {
		dir = "../../../shared/vectors"
	}
	data, err := os.ReadFile(filepath.Join(dir, "compression.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(data)) {
		var v vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

var errFails = errors.New("fails")

// count is the tokenizer of a case.
func (v *vector) count(text string) (int, error) {
	switch runes := utf8.RuneCountInString(text); v.Tokenizer {
	case "chars4":
		return (runes + 3) / 4, nil
	case "chars4floor":
		return runes / 4, nil
	case "words":
		return len(strings.Fields(text)), nil
	}
	return 0, errFails
}

// asked answers requests as a case says. prompt chooses among its replies.
func (v *vector) asked() func(ctx context.Context, prompt string) (compat.Reply, error) {
	var mu sync.Mutex // who hangs is not waited for
	k := map[string]int{}
	return func(ctx context.Context, prompt string) (compat.Reply, error) {
		replies, marker := v.Replies, ""
		for _, m := range v.Marked {
			if strings.Contains(prompt, m.Marker) {
				replies, marker = m.Replies, m.Marker
				break
			}
		}
		mu.Lock()
		r := replies[min(k[marker], len(replies)-1)]
		k[marker]++
		mu.Unlock()
		switch {
		case r.Hang:
			<-ctx.Done()
			return compat.Reply{}, ctx.Err()
		case r.Error:
			return compat.Reply{}, errFails
		case r.Content == nil:
			return compat.Reply{Cut: r.Reason == "length"}, nil
		}
		return compat.Reply{Content: *r.Content, Cut: r.Reason == "length"}, nil
	}
}

// compressor is the compatibility mode as a case configures it.
func (v *vector) compressor() *compat.Compressor {
	c := compat.Defaults()
	f := &v.Config
	c.TargetMaxTokens, c.SummaryTargetTokens, c.LastNTurns = f.Target, f.Summary, f.Last
	c.FirstSystem, c.FirstHuman, c.FirstGPT, c.FirstTool = f.System, f.Human, f.GPT, f.Tool
	c.MaxRetries, c.RetryDelay, c.PerTrajectory = f.Retries, f.Delay, f.Per
	c.AddSummaryNotice, c.SummaryNoticeText = f.Notice, f.NoticeText
	ask := v.asked()
	return &compat.Compressor{
		Config: c, Flaws: compat.All, Count: v.count, Timeout: time.Duration(f.Timeout * float64(time.Second)),
		Ask:  func(ctx context.Context, r compat.Request) (compat.Reply, error) { return ask(ctx, r.Prompt) },
		Wait: func(context.Context, time.Duration) error { return nil },
	}
}

// TestVectors checks the compatibility mode: what the published program makes of
// an entry, to the number.
func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			if v.Kind == "directory" {
				v.directory(t)
				return
			}
			want := &v.Expected
			r := v.compressor().Entry(t.Context(), v.Input)
			if string(r.Outcome) != want.Outcome || r.Metrics.WasCompressed != want.Compressed {
				t.Errorf("outcome %s (%v), want %s", r.Outcome, r.Err, want.Outcome)
			}
			if want.Protected != nil && !slices.Equal(r.Plan.Protected, want.Protected) {
				t.Errorf("protected %v, want %v", r.Plan.Protected, want.Protected)
			}
			if want.Compressible != nil && !slices.Equal([]int{r.Plan.From, r.Plan.To}, want.Compressible) {
				t.Errorf("compressible [%d, %d), want %v", r.Plan.From, r.Plan.To, want.Compressible)
			}
			if !slices.Equal(r.Plan.Tokens, want.TurnTokens) {
				t.Errorf("tokens %v, want %v", r.Plan.Tokens, want.TurnTokens)
			}
			region, kept := r.Region()
			if r.Outcome != compat.Failed && (!slices.Equal(region, want.Region) || r.Metrics.Calls != want.Requests) {
				t.Errorf("region %v, %d requests; want %v, %d", region, r.Metrics.Calls, want.Region, want.Requests)
			}
			if !slices.Equal(kept, want.Kept) {
				t.Errorf("kept %v, want %v", kept, want.Kept)
			}
			if at := want.Summary; at != nil && *at != r.Summary || at == nil && r.Summary >= 0 {
				t.Errorf("summary at %d, want %v", r.Summary, at)
			}
			sameJSON(t, "metrics", r.Metrics.AppendJSON(nil), want.Metrics)
			sameJSON(t, "output", r.Entry, want.Output)
			sameOrder(t, r.Entry, want.Output)
		})
	}
}

// directory runs a folder of files.
func (v *vector) directory(t *testing.T) {
	var input struct {
		Files map[string]string `json:"files"`
	}
	if err := json.Unmarshal(v.Input, &input); err != nil {
		t.Fatal(err)
	}
	var sum compat.Aggregate
	c := v.compressor()
	for name, want := range v.Expected.Files {
		var out bytes.Buffer
		err := c.Copy(t.Context(), &out, strings.NewReader(input.Files[name]), &sum, func(int, *compat.Result) {})
		if err != nil {
			t.Fatal(err)
		}
		lines := []any{}
		for line := range strings.Lines(out.String()) {
			lines = append(lines, parsed(t, []byte(line)))
		}
		if !reflect.DeepEqual(lines, want) {
			t.Errorf("%s: %v, want %v", name, lines, want)
		}
	}
	got := parsed(t, sum.AppendJSON(nil)).(map[string]any)
	delete(got, "processing")
	delete(v.Expected.Aggregate, "processing")
	if !reflect.DeepEqual(got, v.Expected.Aggregate) {
		t.Errorf("aggregate %v, want %v", got, v.Expected.Aggregate)
	}
}

func parsed(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return v
}

func sameJSON(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if len(want) == 0 || string(want) == "null" {
		return
	}
	if a, b := parsed(t, got), parsed(t, want); !reflect.DeepEqual(a, b) {
		t.Errorf("%s %s, want %s", what, got, want)
	}
}

// sameOrder checks the order of the names.
func sameOrder(t *testing.T, got, want []byte) {
	t.Helper()
	names := func(data []byte) (all []string) {
		d := json.NewDecoder(bytes.NewReader(data))
		for {
			token, err := d.Token()
			if err != nil {
				return all
			}
			if s, ok := token.(string); ok {
				all = append(all, s)
			}
		}
	}
	if a, b := names(got), names(want); !slices.Equal(a, b) {
		t.Errorf("names and texts are in another order: %v, want %v", a, b)
	}
}
