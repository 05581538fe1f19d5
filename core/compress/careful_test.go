package compress

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// priced counts the tokens of a case: of contents alone.
type priced struct{ v *vector }

func (priced) Name() string { return "vector" }
func (priced) Rest() int    { return 0 }

func (p priced) Text(text string) int {
	if text == "" {
		return 0
	}
	n, err := p.v.count(text)
	if err != nil {
		return utf8.RuneCountInString(text) / 4
	}
	return n
}

func (p priced) Message(m *chat.Message) int { return p.Text(m.Content) }

// turnRoles are the roles of turns, ours and those of kindred formats.
var turnRoles = map[string]chat.Role{
	"system": chat.System, "human": chat.User, "gpt": chat.Assistant, "tool": chat.Tool, "user": chat.User, "assistant": chat.Assistant,
	"function_call": chat.Assistant, "observation": chat.Tool, "function_response": chat.Tool,
}

// messages are the turns of an entry.
func (v *vector) messages() (all []chat.Message, turns []string) {
	for turn := range rawjson.Elements(rawjson.Get(string(v.Input), "conversations")) {
		from, value := rawjson.Get(turn, "from"), rawjson.Get(turn, "value")
		m := chat.Message{N: len(all) + 1}
		if rawjson.IsText(from) {
			m.Role = chat.Role(rawjson.Unquote(from))
		}
		if role, ok := turnRoles[string(m.Role)]; ok {
			m.Role = role
		}
		if rawjson.IsText(value) {
			m.Content = rawjson.Unquote(value)
		}
		all, turns = append(all, m), append(turns, turn)
	}
	return all, turns
}

// options are the careful mode as a case configures it: a case has one region and
// one round.
func (v *vector) options() Options {
	o := Defaults()
	f := &v.Config
	o.Target, o.Summary, o.Tail, o.Form, o.Regions, o.Rounds, o.Price = f.Target, f.Summary, f.Last, Fold, 1, 1, priced{v}
	o.Head = []chat.Role{}
	for role, on := range map[chat.Role]bool{chat.System: f.System, chat.User: f.Human, chat.Assistant: f.GPT, chat.Tool: f.Tool} {
		if on {
			o.Head = append(o.Head, role)
		}
	}
	slices.Sort(o.Head)
	if f.Notice {
		o.Notice = f.NoticeText
	}
	ask := v.asked()
	o.By = Model{Model: "vector", Attempts: f.Retries, Ask: func(ctx context.Context, r Request) (string, error) {
		reply, err := ask(ctx, r.Prompt())
		if err == nil && reply.Cut {
			err = ErrLength
		}
		return reply.Content, err
	}}
	return o
}

// entry is what was made of a case as an entry, with the summary in the user's
// role, as the published program has it.
func (v *vector) entry(t *testing.T, r *Result, messages []chat.Message, turns []string) []byte {
	var list []any
	for i := range r.Samples[0].Pieces {
		p := &r.Samples[0].Pieces[i]
		if p.Origin == Summary {
			list = append(list, map[string]any{"from": "human", "value": p.Stand.Content})
			continue
		}
		for k := p.From; k < p.To; k++ {
			turn := parsed(t, []byte(turns[k])).(map[string]any)
			if p.Origin == Noticed {
				turn["value"] = p.Stand.Content
			}
			list = append(list, turn)
		}
	}
	entry := parsed(t, v.Input).(map[string]any)
	entry["conversations"] = list
	m := r.Metrics(len(messages), v.Config.Target)
	if m.WasCompressed && v.Config.Per {
		entry["compression_metrics"] = parsed(t, m.AppendJSON(nil))
	}
	out, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestVectorsCarefully checks that the careful mode comes to the same where the
// published program has no flaw, and that nothing is lost where it has.
func TestVectorsCarefully(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Kind == "directory" {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			messages, turns := v.messages()
			r := Compress(t.Context(), messages, v.options())
			if err := wrong(messages, &r); err != nil {
				t.Error(err)
			}
			if len(v.Flaws) > 0 {
				return
			}
			want := &v.Expected
			if (r.Outcome == Compressed) != want.Compressed || (r.Outcome == UnderTarget) != (want.Outcome == "under_target") {
				t.Errorf("outcome %s (%s, %v), want %s", r.Outcome, r.Reason, r.Findings, want.Outcome)
			}
			var region, kept []int
			for _, g := range r.Regions {
				region = append(region, g.From, g.To)
			}
			for _, p := range r.Samples[0].Pieces {
				for k := p.From; k < p.To && p.Origin != Summary; k++ {
					kept = append(kept, k)
				}
			}
			if !slices.Equal(region, want.Region) || !slices.Equal(kept, want.Kept) {
				t.Errorf("region %v of %v, want %v of %v", region, kept, want.Region, want.Kept)
			}
			m := r.Metrics(len(messages), v.Config.Target)
			sameJSON(t, "metrics", m.AppendJSON(nil), want.Metrics)
			sameJSON(t, "output", v.entry(t, &r, messages, turns), want.Output)
		})
	}
}

// wrong checks what holds for every result: see the errors.
func wrong(messages []chat.Message, r *Result) error {
	if len(r.Samples) == 0 {
		return errors.New("a row is lost")
	}
	trained := map[int]int{}
	for i := range r.Samples {
		s := &r.Samples[i]
		if err := wrongSample(messages, s); err != nil {
			return err
		}
		for _, p := range s.Pieces {
			for k := p.From; k < p.To && p.Train && p.Stand == nil; k++ {
				if messages[k].Role == chat.Assistant {
					trained[k]++
				}
			}
		}
	}
	if len(r.Samples[len(r.Samples)-1].Expand(messages)) != len(messages) {
		return errors.New("the last sample is not of all messages")
	}
	for k, n := range trained {
		if n > 1 {
			return errors.New("an answer trains twice: " + messages[k].Content)
		}
	}
	answers := 0
	for i := range messages {
		if messages[i].Role == chat.Assistant {
			answers++
		}
	}
	if lost := answers - len(maps.Collect(maps.All(trained))); lost != r.Dropped {
		return errors.New("answers are not trained, and nobody says so")
	}
	for _, g := range r.Regions {
		if g.Cost >= g.Tokens {
			return errors.New("a text costs what it stands for")
		}
	}
	if r.After > r.Before || r.Outcome == Compressed && r.After == r.Before {
		return errors.New("it grew")
	}
	return nil
}

// wrongSample checks one sample: its pieces follow each other, users and the
// system are there word for word, no call is parted from its result.
func wrongSample(messages []chat.Message, s *Sample) error {
	at := 0
	for _, p := range s.Pieces {
		if p.From != at || p.To <= p.From {
			if len(messages) > 0 {
				return errors.New("pieces leave a gap")
			}
		}
		at = p.To
	}
	var users []string
	for row := range s.Rows(messages) {
		m := &row.Message
		if row.Origin == Summary && row.Train || row.Train && m.Role != chat.Assistant {
			return errors.New("what is no answer is trained")
		}
		if m.Role == chat.User && row.Origin == Recorded {
			users = append(users, m.Content)
		}
	}
	var want []string
	for i := range messages[:at] {
		if messages[i].Role == chat.User {
			want = append(want, messages[i].Content)
		}
	}
	if !slices.Equal(users, want) {
		return errors.New("a message of the user is lost or changed")
	}
	return wrongCalls(messages[:at], s)
}

// wrongCalls checks that calls and results that were together still are.
func wrongCalls(messages []chat.Message, s *Sample) error {
	gone := make([]bool, len(messages))
	for _, p := range s.Pieces {
		for k := p.From; k < p.To; k++ {
			gone[k] = p.Origin == Summary
		}
	}
	places, results := answered(messages), make([]int, len(messages))
	for i, at := range places {
		switch {
		case at.message >= 0 && gone[i] != gone[at.message]:
			return errors.New("a call is parted from its result")
		case at.message < 0 && messages[i].Role == chat.Tool && gone[i]:
			return errors.New("a result without a call is gone")
		case at.message >= 0:
			results[at.message]++
		}
	}
	for i := range messages {
		if gone[i] && results[i] < len(messages[i].ToolCalls) {
			return errors.New("a call without its result is gone")
		}
	}
	return nil
}
