package compress

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/models"
	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/llm/llmtest"
)

// vector is a case of compression.jsonl.
type vector struct {
	Name, Kind string
	Flaws      []string `json:"reference_flaws"`
	Tokenizer  string
	Config     struct {
		Target     int     `json:"target_max_tokens"`
		Summary    int     `json:"summary_target_tokens"`
		System     bool    `json:"first_system"`
		Human      bool    `json:"first_human"`
		GPT        bool    `json:"first_gpt"`
		Tool       bool    `json:"first_tool"`
		Last       int     `json:"last_n_turns"`
		Retries    int     `json:"max_retries"`
		Notice     bool    `json:"add_summary_notice"`
		NoticeText string  `json:"summary_notice_text"`
		Per        bool    `json:"per_trajectory"`
		Timeout    float64 `json:"per_trajectory_timeout"`
	}
	Replies []reply
	Marked  []struct {
		Marker  string
		Replies []reply
	} `json:"replies_by_marker"`
	Input    json.RawMessage
	Expected struct {
		Outcome   string
		Requests  int
		Metrics   map[string]any
		Output    json.RawMessage
		Files     map[string][]any
		Aggregate map[string]any
	}
}

type reply struct {
	Content *string
	Error   bool
	Reason  string `json:"finish_reason"`
	Hang    bool
}

// counter counts as a case says.
type counter string

func (c counter) Name() string { return string(c) }

func (c counter) Count(text string) int {
	switch runes := utf8.RuneCountInString(text); c {
	case "chars4":
		return (runes + 3) / 4
	case "words":
		return len(strings.Fields(text))
	default:
		return runes / 4
	}
}

// serve is a server that answers as a case says.
func (v *vector) serve(t *testing.T) *llmtest.Server {
	var mu sync.Mutex
	k := map[string]int{}
	return llmtest.Start(t, llmtest.Func(func(q llmtest.Request) llmtest.Reply {
		mu.Lock()
		defer mu.Unlock()
		replies, marker := v.Replies, ""
		for _, m := range v.Marked {
			if strings.Contains(q.Last(), m.Marker) {
				replies, marker = m.Replies, m.Marker
				break
			}
		}
		r := replies[min(k[marker], len(replies)-1)]
		k[marker]++
		switch {
		case r.Hang:
			return llmtest.Hang()
		case r.Error:
			return llmtest.Status(500, "it fails")
		case r.Content == nil:
			return llmtest.Reasoned("")
		case r.Reason == "length":
			return llmtest.Finished(*r.Content, r.Reason)
		}
		return llmtest.Answer(*r.Content)
	}))
}

// asked returns the model of a server, as a YAML file names it.
func asked(t *testing.T, server *llmtest.Server) *Drafted {
	t.Helper()
	env := &config.Env{GOOS: "linux", User: func() string { return "" }, Lookup: func(string) (string, bool) { return "", false }}
	conf, err := config.Read(env, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	who, err := models.SummarizerAt(conf, "tiny", server.URL, "", "", 4, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return &Drafted{Model: who.Model, Say: who.Say}
}

func (v *vector) job(t *testing.T) (f *Files, server *llmtest.Server) {
	c := compat.Defaults()
	g := &v.Config
	c.TargetMaxTokens, c.SummaryTargetTokens, c.LastNTurns = g.Target, g.Summary, g.Last
	c.FirstSystem, c.FirstHuman, c.FirstGPT, c.FirstTool = g.System, g.Human, g.GPT, g.Tool
	c.MaxRetries, c.PerTrajectory, c.AddSummaryNotice, c.SummaryNoticeText = g.Retries, g.Per, g.Notice, g.NoticeText
	server = v.serve(t)
	return &Files{
		Config: c, Flaws: compat.All, Counter: counter(v.Tokenizer), Model: asked(t, server), Metrics: true, AtOnce: 4,
		Timeout: time.Duration(g.Timeout * float64(time.Second)), Now: time.Now,
		Shown: func(int64, int64, int) {}, Told: func(Kept) {}, wait: func(context.Context, time.Duration) error { return nil },
	}, server
}

// TestVectors runs the cases through the job: files in, files out, a server for a
// model.
func TestVectors(t *testing.T) {
	dir := os.Getenv("WINNOW_VECTORS")
	if dir == "" {
		dir = "../../../../shared/vectors"
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
		t.Run(v.Name, func(t *testing.T) {
			files := map[string]string{"one.jsonl": ""}
			want := map[string][]any{"one.jsonl": {}}
			if v.Kind == "directory" {
				var input struct{ Files map[string]string }
				if err := json.Unmarshal(v.Input, &input); err != nil {
					t.Fatal(err)
				}
				files, want = input.Files, v.Expected.Files
			} else {
				var one bytes.Buffer
				if err := json.Compact(&one, v.Input); err != nil {
					t.Fatal(err)
				}
				files["one.jsonl"] = one.String()
				want["one.jsonl"] = []any{parsed(t, v.Expected.Output)}
			}
			v.check(t, files, want)
		})
	}
}

func (v *vector) check(t *testing.T, files map[string]string, want map[string][]any) {
	f, server := v.job(t)
	f.In = t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(f.In, name), text)
	}
	f.Out = filepath.Join(t.TempDir(), "out")
	r, err := f.Run(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range want {
		got := []any{}
		for line := range strings.Lines(read(t, filepath.Join(f.Out, name))) {
			got = append(got, parsed(t, []byte(line)))
		}
		if !reflect.DeepEqual(got, list) {
			t.Errorf("%s: %v\nwant %v", name, got, list)
		}
	}
	sum := parsed(t, []byte(read(t, r.Metrics))).(map[string]any)
	delete(sum, "processing")
	delete(v.Expected.Aggregate, "processing")
	if v.Expected.Aggregate != nil && !reflect.DeepEqual(sum, v.Expected.Aggregate) {
		t.Errorf("aggregate %v\nwant %v", sum, v.Expected.Aggregate)
	}
	if v.Kind == "directory" {
		return
	}
	if server.Count() != v.Expected.Requests {
		t.Errorf("%d requests, want %d", server.Count(), v.Expected.Requests)
	}
	if v.Expected.Outcome != "error_kept" {
		tokens := sum["tokens"].(map[string]any)
		if tokens["total_before"] != v.Expected.Metrics["original_tokens"] || tokens["total_after"] != v.Expected.Metrics["compressed_tokens"] {
			t.Errorf("%v, want %v", tokens, v.Expected.Metrics)
		}
	}
	if r.Rows != r.Compressed+r.UnderTarget+r.Kept+r.Lost {
		t.Errorf("counts do not add up: %+v", r)
	}
}

func parsed(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return v
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// long is a row of so many calls with results, the k-th of a file.
func long(k, calls int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"id":%d,"conversations":[{"from":"system","value":"You are an agent."},{"from":"human","value":"Mend part %d."}`, k, k)
	for i := range calls {
		fmt.Fprintf(&b, `,{"from":"gpt","value":"I look at it, and then go on with the next of them."},{"from":"tool","value":"%s %d"}`, strings.Repeat("words of it ", 12), i)
	}
	b.WriteString(`,{"from":"gpt","value":"done"}]}`)
	return b.String()
}

// failing are what models do instead of a summary, with what is told of the row.
var failing = map[string]struct {
	reply     llmtest.Reply
	published string // reason, by the published rules; "" if it publishes the answer
	careful   string // by winnow's
}{
	"hangs":          {llmtest.Hang(), "took longer than", "took longer than"},
	"cuts off":       {llmtest.Cut(), "broke off", "broke off"},
	"nothing":        {llmtest.Answer(" \n"), "empty", "says nothing"},
	"null":           {llmtest.Reasoned("thoughts"), "empty", "says nothing"},
	"length":         {llmtest.Finished("half a sum", "length"), "cut off", "cut off"},
	"status 429":     {llmtest.Status(429, "slow down", "Retry-After-Ms", "1"), "429", "429"},
	"status 500":     {llmtest.Status(500, "broken"), "500", "500"},
	"garbage":        {llmtest.Garbage(), "not in OpenAI's form", "not in OpenAI's form"},
	"another":        {llmtest.Answer("Der Agent hat sich die Teile nacheinander angesehen und ist dann mit dem nächsten weitergegangen, bis alles fertig war."), "", "in de"},
	"invented":       {llmtest.Answer("The agent looked at the parts and mended src/never/there.go with TICKET-99812."), "", "nowhere"},
	"call":           {llmtest.Answer("<tool_call>\n{\"name\": \"read\", \"arguments\": {}}\n</tool_call>"), "", "<tool_call>"},
	"JSON of one":    {llmtest.Answer(`{"name": "read", "arguments": {"part": "1"}}`), "", "a call of a tool"},
	"ten times":      {llmtest.Answer(strings.Repeat("The agent looked at the parts and then went on with the next of them. ", 80)), "", "tokens"},
	"refusal":        {llmtest.Refused("I will not do that"), "refuses", "refuses"},
	"content filter": {llmtest.Finished("", "content_filter"), "filter", "filter"},
}

// TestFailingModels checks that a row stays as it is when no summary comes that may
// be used, that it is told with the reason, and that all others are there.
func TestFailingModels(t *testing.T) {
	for name, bad := range failing {
		for _, published := range []bool{true, false} {
			t.Run(fmt.Sprint(name, published), func(t *testing.T) {
				t.Parallel()
				server := llmtest.Start(t, llmtest.Func(func(q llmtest.Request) llmtest.Reply { return bad.reply }))
				f := &Files{
					Config: compat.Defaults(), Counter: counter("chars4"), Model: asked(t, server), Metrics: true, AtOnce: 2,
					Timeout: 2 * time.Second, Now: time.Now, Shown: func(int64, int64, int) {}, wait: func(context.Context, time.Duration) error { return nil },
				}
				if name == "hangs" {
					f.Timeout = 50 * time.Millisecond
				}
				f.Config.TargetMaxTokens, f.Config.SummaryTargetTokens = 400, 60
				want := bad.published
				if !published {
					f.By, want = compress.Model{Ask: f.Model.Ask, Model: "tiny"}, bad.careful
				}
				var told []Kept
				f.Told = func(k Kept) { told = append(told, k) }
				f.In = filepath.Join(t.TempDir(), "in.jsonl")
				f.Out = filepath.Join(t.TempDir(), "out.jsonl")
				in := long(1, 2) + "\nbroken\n" + long(2, 12) + "\n\n" + long(3, 1) + "\n"
				put(t, f.In, in)
				r, err := f.Run(t.Context(), false)
				if err != nil {
					t.Fatal(err)
				}
				if r.Rows != 4 || r.UnderTarget != 2 || r.Rows != r.Compressed+r.UnderTarget+r.Kept+r.Lost {
					t.Errorf("%+v", r)
				}
				out := read(t, f.Out)
				if want == "" {
					if r.Compressed != 1 || strings.Count(out, "\n") != 4 {
						t.Errorf("%+v\n%s", r, out)
					}
					return
				}
				if want := strings.Replace(in, "\n\n", "\n", 1); out != want {
					t.Errorf("%s\nwant %s", out, want)
				}
				if len(told) != 2 || told[1].Line != 3 || !strings.Contains(told[1].Reason, want) {
					t.Errorf("%+v, want %s", told, want)
				}
			})
		}
	}
}

// TestSample checks how many rows are drawn, and that the same seed draws the same.
func TestSample(t *testing.T) {
	var in strings.Builder
	for i := range 40 {
		fmt.Fprintf(&in, "{\"id\":%d,\"conversations\":[]}\n", i)
		if i%10 == 0 {
			in.WriteString("\nbroken\n")
		}
	}
	name := filepath.Join(t.TempDir(), "in.jsonl")
	run := func(text string, percent float64, seed int64) []string {
		put(t, name, text)
		f := &Files{In: name, Out: filepath.Join(t.TempDir(), "out"), Config: compat.Defaults(), Counter: counter("words"), Percent: percent, Seed: seed,
			By: compress.Clear{}, Now: time.Now, Shown: func(int64, int64, int) {}, Told: func(Kept) {}}
		if _, err := f.Run(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		return strings.Fields(read(t, f.Out))
	}
	a, b, c := run(in.String(), 27, 42), run(in.String(), 27, 42), run(in.String(), 27, 43)
	if len(a) != 10 || !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) || strings.Contains(strings.Join(a, ""), "broken") {
		t.Errorf("%v\n%v\n%v", a, b, c)
	}
	if n := len(run(in.String(), 0.1, 42)); n != 1 {
		t.Errorf("%d rows of a small part", n)
	}
	if n := len(run("", 10, 42)); n != 0 {
		t.Errorf("%d rows of none", n)
	}
}

// TestDraftsAreOfOneAnswer checks that those that want one answer at once ask for it
// once, that it is kept, and that one who does not wait spoils it for nobody.
func TestDraftsAreOfOneAnswer(t *testing.T) {
	kept, err := openDrafts(filepath.Join(t.TempDir(), "out.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked, release := 0, make(chan struct{})
	d := &Drafted{Drafts: kept, Model: "m", Say: func(ctx context.Context, _ string) (string, error) {
		mu.Lock()
		asked++
		first := asked == 1
		mu.Unlock()
		if first {
			<-ctx.Done()
			return "", ctx.Err()
		}
		<-release
		return "said", nil
	}}
	impatient, leave := context.WithCancel(t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		if _, err := d.get(impatient, "key", "prompt"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	for d.waits("key") == nil {
		time.Sleep(time.Millisecond)
	}
	for range 8 {
		group.Go(func() {
			if text, err := d.get(t.Context(), "key", "prompt"); text != "said" || err != nil {
				t.Error(text, err)
			}
		})
	}
	leave()
	close(release)
	group.Wait()
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	name := kept.f.Name()
	kept.close(false)
	put(t, name, read(t, name)+`{"key":"half`)
	again, err := openDrafts(strings.TrimSuffix(strings.Replace(name, ".out", "out", 1), ".winnow-drafts"))
	if err != nil {
		t.Fatal(err)
	}
	defer again.close(true)
	if err := again.PutDraft(t.Context(), "other", "m", "more"); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"key": "said", "other": "more"} {
		if text, ok, err := again.Draft(t.Context(), key); text != want || !ok || err != nil {
			t.Errorf("%s: %q %v %v", key, text, ok, err)
		}
	}
}

// waits returns the request for a key that is under way.
func (d *Drafted) waits(key string) *flight {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.flying[key]
}
