package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/rawjson"
	"winnow/core/token"
)

// way is a way to shorten; the published one without a strategy.
type way struct {
	name string
	by   compress.Strategy
	form compress.Form
	goal bool // it must lose neither requests nor names
}

var ways = []way{
	{name: "the published program"},
	{name: "clear, split", by: compress.Clear{}},
	{name: "extract, split", by: compress.Extract{}, goal: true},
	{name: "extract, fold", by: compress.Extract{}, form: compress.Fold, goal: true},
	{name: "extract without hindsight, split", by: compress.Extract{Foresight: true}},
}

// tally counts what became of runs.
type tally struct {
	shortened, over, cannot, losing, lost, dangling, names, untrained, answers, samples int
}

// lines reads a file of JSON values, one a line.
func lines(name string) (all []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func entries(name string) ([]string, error) { return lines(name) }

// conversations reads messages as chat APIs have them.
func conversations(name string) (all [][]chat.Message, err error) {
	list, err := lines(name)
	for _, line := range list {
		var messages []chat.Message
		for m := range rawjson.Elements(rawjson.Get(line, "messages")) {
			role, _ := chat.ParseRole(rawjson.Unquote(rawjson.Get(m, "role")))
			one := chat.Message{N: len(messages) + 1, Role: role, Name: text(m, "name"), ToolCallID: text(m, "tool_call_id"), Content: text(m, "content")}
			for c := range rawjson.Elements(rawjson.Get(m, "tool_calls")) {
				f := rawjson.Get(c, "function")
				one.ToolCalls = append(one.ToolCalls, chat.ToolCall{ID: text(c, "id"), Name: text(f, "name"), Arguments: text(f, "arguments")})
			}
			messages = append(messages, one)
		}
		all = append(all, messages)
	}
	return all, err
}

func text(object, name string) string {
	if v := rawjson.Get(object, name); rawjson.IsText(v) {
		return rawjson.Unquote(v)
	}
	return ""
}

// published shortens trajectories as the published program does.
func (t *tally) published(entries []string, part float64, summary int, counter token.Counter) error {
	for _, entry := range entries {
		turns := turnsOf(entry)
		total := 0
		for i := range turns {
			total += counter.Count(turns[i].Content)
		}
		c := &compat.Compressor{Config: compat.Defaults(), Flaws: compat.All}
		c.Config.TargetMaxTokens, c.Config.SummaryTargetTokens, c.Config.AddSummaryNotice = int(part*float64(total)), summary, false
		c.Count = func(text string) (int, error) { return counter.Count(text), nil }
		filler := counter.Truncate(strings.Repeat("so it was done and ", summary), summary-8)
		c.Ask = func(context.Context, compat.Request) (compat.Reply, error) { return compat.Reply{Content: filler}, nil }
		r := c.Entry(context.Background(), []byte(entry))
		for i := range turns {
			if turns[i].Role == chat.Assistant {
				t.answers++
			}
		}
		t.samples++
		if !r.Metrics.WasCompressed {
			continue
		}
		t.shortened++
		if r.Metrics.StillOverLimit {
			t.over++
		}
		lost := 0
		for _, m := range turns[r.Plan.Start:r.Plan.End] {
			switch m.Role {
			case chat.User:
				lost++
			case chat.Assistant:
				t.untrained++
			}
		}
		t.count(lost, compress.Lost(turns, []compress.Region{{From: r.Plan.Start, To: r.Plan.End, Text: filler}}, ""))
	}
	return nil
}

func (t *tally) count(lost int, names map[int][]string) {
	t.lost += lost
	if lost > 0 {
		t.losing++
	}
	if len(names) > 0 {
		t.dangling++
	}
	for _, list := range names {
		t.names += len(list)
	}
}

// turnsOf reads the turns of a trajectory as messages.
func turnsOf(entry string) (all []chat.Message) {
	roles := map[string]chat.Role{"system": chat.System, "human": chat.User, "gpt": chat.Assistant, "tool": chat.Tool}
	for turn := range rawjson.Elements(rawjson.Get(entry, "conversations")) {
		all = append(all, chat.Message{N: len(all) + 1, Role: roles[text(turn, "from")], Content: text(turn, "value")})
	}
	return all
}

// ours shortens conversations as winnow does.
func (t *tally) ours(all [][]chat.Message, part float64, summary int, counter token.Counter, w way) error {
	for n, messages := range all {
		o := compress.Defaults()
		price := compress.Plain{Counter: counter}
		total := 0
		users := 0
		for i := range messages {
			total += price.Message(&messages[i])
			switch messages[i].Role {
			case chat.User:
				users++
			case chat.Assistant:
				t.answers++
			}
		}
		o.Target, o.Summary, o.By, o.Form, o.Price = int(part*float64(total)), summary, w.by, w.form, price
		r := compress.Compress(context.Background(), messages, o)
		t.samples += len(r.Samples)
		t.untrained += r.Dropped
		if r.Outcome != compress.Compressed {
			continue
		}
		t.shortened++
		if r.After > o.Target {
			t.over++
			if compress.Look(messages, o).Least > o.Target {
				t.cannot++
			}
		}
		last := &r.Samples[len(r.Samples)-1]
		if got := len(last.Expand(messages)); got != len(messages) {
			return fmt.Errorf("run %d: %d of %d messages", n+1, got, len(messages))
		}
		for row := range last.Rows(messages) {
			if row.Origin == compress.Recorded && row.Message.Role == chat.User {
				users--
			}
		}
		t.count(users, compress.Lost(messages, r.Regions, ""))
	}
	return nil
}
