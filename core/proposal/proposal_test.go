package proposal

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/compress"
)

// worked is a session in which an agent reads files.
func worked(n int) Conversation {
	c := Conversation{Tools: `[{"type":"function","function":{"name":"read_file"}}]`}
	add := func(m chat.Message) {
		m.N = len(c.Messages) + 1
		c.Messages = append(c.Messages, m)
	}
	add(chat.Message{Role: chat.System, Content: "You read files."})
	add(chat.Message{Role: chat.User, Content: "Read all of them."})
	for i := range n {
		id := fmt.Sprint("call_", i)
		add(chat.Message{Role: chat.Assistant, Content: "I look at the next one.", ToolCalls: []chat.ToolCall{{ID: id, Name: "read_file", Arguments: fmt.Sprintf(`{"path":"src/part%d.go"}`, i)}}})
		add(chat.Message{Role: chat.Tool, ToolCallID: id, Content: strings.Repeat(fmt.Sprintf("line %d of it\n", i), 40)})
	}
	add(chat.Message{Role: chat.Assistant, Content: "All of them are read."})
	return c
}

func options() compress.Options {
	o := compress.Defaults()
	o.Target, o.Summary = 900, 100
	return o
}

func made(t *testing.T, c Conversation, o compress.Options) Proposal {
	t.Helper()
	p := Make(t.Context(), "seg", chat.Digest{Fingerprint: "f"}, c, o)
	if p.Status != Proposed || len(p.Layers) == 0 {
		t.Fatalf("%+v", p)
	}
	return p
}

// TestMake checks what a proposal tells, and that it is of its messages alone.
func TestMake(t *testing.T) {
	c := worked(12)
	for _, form := range []compress.Form{compress.Split, compress.Fold} {
		o := options()
		o.Form = form
		p := made(t, c, o)
		if p.After >= p.Before || p.Made.Form != form.String() || !p.Fits(c) || (p.Dropped > 0) != (form == compress.Fold) {
			t.Errorf("%+v", p)
		}
		samples, err := p.Lay(c, compress.Options{})
		if err != nil || len(samples) != p.Samples || samples[len(samples)-1].Tokens != p.After {
			t.Errorf("%v: %+v", err, samples)
		}
		kept, err := json.Marshal(p)
		var read Proposal
		if err = errors.Join(err, json.Unmarshal(kept, &read)); err != nil || !reflect.DeepEqual(read, p) {
			t.Errorf("%v: what is kept is not what was made:\n%+v\n%+v", err, read, p)
		}
		other := worked(12)
		other.Messages[5].Content += "."
		if _, err := p.Lay(other, o); !errors.Is(err, ErrStale) {
			t.Errorf("laid over other messages: %v", err)
		}
	}
	if p := Make(t.Context(), "seg", chat.Digest{}, worked(1), options()); p.Outcome != compress.UnderTarget {
		t.Errorf("%+v", p)
	}
	o := options()
	o.Tail = 100
	if p := Make(t.Context(), "seg", chat.Digest{}, c, o); p.Status != Failed || p.Outcome != compress.Nothing {
		t.Errorf("%+v", p)
	}
}

// TestChanged checks that what a person changes is counted and to be judged anew,
// and leaves the proposal that they looked at.
func TestChanged(t *testing.T) {
	c, o := worked(12), options()
	o.Form = compress.Fold
	p := made(t, c, o)
	p.Status, p.Judge, p.Judged = Accepted, "kim", time.Unix(1, 0)
	before := fmt.Sprintf("%+v", p)
	g := p.Layers[0][0]
	written, err := p.Rewrite(c, compress.Options{}, compress.Place{}, "The files are read one by one.")
	if err != nil {
		t.Fatal(err)
	}
	if written.Status != Proposed || written.Judge != "" || !written.Judged.IsZero() || !written.Changed || written.Layers[0][0].Text != compress.Prefix+" The files are read one by one." {
		t.Errorf("%+v", written)
	}
	longer, err := p.Nudge(c, compress.Options{}, compress.Place{}, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	if to := longer.Layers[0][0].To; to != g.To+2 || longer.After >= p.After || longer.Made != p.Made {
		t.Errorf("it ends at %d, before it did at %d: %+v", to, g.To, longer)
	}
	if back, err := longer.Nudge(c, compress.Options{}, compress.Place{}, true, -1); err != nil || !reflect.DeepEqual(back.Layers, p.Layers) {
		t.Errorf("%v: to and fro is not back: %+v", err, back.Layers)
	}
	if _, err := p.Nudge(c, compress.Options{}, compress.Place{}, false, -5); err == nil || !strings.Contains(err.Error(), "it stays") {
		t.Errorf("%v", err)
	}
	if _, err := p.Nudge(c, compress.Options{}, compress.Place{Layer: 1}, false, 1); err == nil {
		t.Error("a region that is not there was moved")
	}
	if fmt.Sprintf("%+v", p) != before {
		t.Error("the proposal itself is another now")
	}
}
