package compress

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"winnow/core/chat"
)

// TestLayers checks that the layers of a result make its samples again, and that
// whatever a person changes of them leaves what holds for all results.
func TestLayers(t *testing.T) {
	cases := 6000
	if !whole {
		cases = 1500
	}
	laid, moved, wrote, refused := 0, 0, 0, 0
	for n := range cases {
		rnd := rand.New(rand.NewPCG(uint64(n), 5))
		messages := randomConversation(rnd)
		o := randomOptions(rnd)
		o.By = []Strategy{Clear{}, Extract{}, Model{Ask: unruly(rnd), Attempts: 2}}[n%3]
		r := Compress(t.Context(), messages, o)
		if r.Outcome != Compressed {
			if r.Layers != nil {
				t.Fatalf("case %d: layers of nothing", n)
			}
			continue
		}
		laid++
		o.complete()
		again, err := Lay(messages, r.Layers, o)
		if err != nil {
			t.Fatalf("case %d: %v", n, err)
		}
		if !bytes.Equal(rows(messages, &r), rows(messages, &again)) || again.After != r.After || again.Over != r.Over || again.Dropped != r.Dropped || again.Made != r.Made {
			t.Fatalf("case %d: other samples:\n%+v\n%+v", n, r, again)
		}
		looked := newSession(messages, &o).looked(again)
		if _, asks := o.By.(Model); !asks && !reflect.DeepEqual(looked.Findings, r.Findings) && r.Findings != nil {
			t.Fatalf("case %d: other findings:\n%v\n%v", n, r.Findings, looked.Findings)
		}
		at := Place{Layer: rnd.IntN(len(r.Layers))}
		at.Region = rnd.IntN(len(r.Layers[at.Layer]))
		if rnd.IntN(2) == 0 {
			again, err = Write(messages, r.Layers, at, "lorem", o)
			wrote++
		} else {
			ends := Ends(messages)
			again, err = Move(messages, r.Layers, at, ends[rnd.IntN(len(ends))], ends[rnd.IntN(len(ends))], o)
			moved++
		}
		if err != nil {
			refused++
			continue
		}
		if err := errors.Join(wrong(messages, &again), unordered(messages, &again, o.NoMask), mispriced(messages, &again, o)); err != nil {
			t.Fatalf("case %d: %v\n%+v", n, err, again)
		}
	}
	if laid < cases/10 || moved < 100 || wrote < 100 || refused == 0 || refused > moved+wrote-100 {
		t.Errorf("%d laid, %d moved, %d written, %d refused", laid, moved, wrote, refused)
	}
	t.Log(laid, moved, wrote, refused)
}

// TestChanges checks what a person may change, and what the refusals say.
func TestChanges(t *testing.T) {
	messages := worked(12)
	messages[14].Role, messages[14].ToolCalls = chat.User, nil
	messages[15] = chat.Message{N: 16, Role: chat.Assistant, Content: "Yes."}
	o := halved(messages, Extract{})
	r := Compress(t.Context(), messages, o)
	if r.Outcome != Compressed || len(r.Layers) != 1 {
		t.Fatalf("%+v", r)
	}
	first := r.Layers[0][0]
	for name, move := range map[string]struct {
		from, to int
		says     string
	}{
		"a call without its result": {first.From, first.From + 1, "stay together"},
		"a user's message":          {first.From, 15, "is a user's: it stays"},
		"the system's message":      {0, first.To, "is the system's: it stays"},
		"nothing":                   {first.From, first.From, "no message would be left out"},
		"what is not there":         {first.From, len(messages) + 1, "no message would be left out"},
	} {
		if _, err := Move(messages, r.Layers, Place{}, move.from, move.to, o); err == nil || !strings.Contains(err.Error(), move.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	shorter, err := Move(messages, r.Layers, Place{}, first.From+2, first.To, o)
	if err != nil {
		t.Fatal(err)
	}
	g := shorter.Layers[0][0]
	if g.From != first.From+2 || g.Text == first.Text || !strings.HasPrefix(g.Text, Prefix) || shorter.After <= r.After {
		t.Errorf("%+v", g)
	}
	if r.Layers[0][0] != first {
		t.Error("what was moved before is another now")
	}
	written, err := Write(messages, r.Layers, Place{}, "The user wants QX9911 in src/nowhere/at_all.go.", o)
	if err != nil {
		t.Fatal(err)
	}
	if g := written.Layers[0][0]; g.Text != Prefix+" The user wants QX9911 in src/nowhere/at_all.go." || !g.Written {
		t.Errorf("%+v", g)
	}
	found := map[string]bool{}
	for _, f := range written.Findings {
		found[f.Check] = true
	}
	if !found[Invented] || !found[Dangling] {
		t.Errorf("%v", written.Findings)
	}
	moved, err := Move(messages, written.Layers, Place{}, first.From+2, first.To, o)
	if err != nil || moved.Layers[0][0].Text != written.Layers[0][0].Text || moved.Findings[0].Check != Moved {
		t.Errorf("%v: what a person wrote is written anew, or nobody is told: %v", err, moved.Findings)
	}
	if again, err := Write(messages, moved.Layers, Place{}, "It is read.", o); err != nil || len(again.Findings) > 0 && again.Findings[0].Check == Moved {
		t.Errorf("%v: what is written anew is told to be for other messages: %v", err, again.Findings)
	}
	for text, says := range map[string]string{" \n": "says nothing", Prefix: "says nothing", strings.Repeat("word ", 5000): "save nothing"} {
		if _, err := Write(messages, r.Layers, Place{}, text, o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	cleared := Compress(t.Context(), messages, halved(messages, Clear{}))
	if _, err := Write(messages, cleared.Layers, Place{}, "text", o); err == nil {
		t.Error("the line of a result was written")
	}
	if _, err := Move(messages, cleared.Layers, Place{}, 0, 1, o); err == nil {
		t.Error("what is cleared was moved")
	}
}

// TestForeignLayers checks that layers of other messages are refused and never
// panic.
func TestForeignLayers(t *testing.T) {
	for n := range 2000 {
		rnd := rand.New(rand.NewPCG(uint64(n), 7))
		messages := randomConversation(rnd)
		var layers [][]Region
		for range rnd.IntN(4) {
			var layer []Region
			for range rnd.IntN(4) {
				layer = append(layer, Region{From: rnd.IntN(40) - 3, To: rnd.IntN(40) - 3, Text: "x", Role: chat.User, Cleared: rnd.IntN(3) == 0})
			}
			layers = append(layers, layer)
		}
		o := randomOptions(rnd)
		if r, err := Lay(messages, layers, o); err == nil {
			if err := wrong(messages, &r); err != nil {
				t.Fatalf("case %d: %v", n, err)
			}
		}
		_, _ = Write(messages, layers, Place{rnd.IntN(4), rnd.IntN(4)}, "x", o)
		_, _ = Move(messages, layers, Place{rnd.IntN(4), rnd.IntN(4)}, rnd.IntN(40), rnd.IntN(40), o)
	}
}

// TestSplitGoesOn checks that a result which is too long alone does not keep what is
// in front of it from being split.
func TestSplitGoesOn(t *testing.T) {
	messages := worked(40)
	messages[41].Content = strings.Repeat("It is long. ", 2000)
	o := Defaults()
	o.Target, o.Summary = 3000, 100
	r := Compress(t.Context(), messages, o)
	over := 0
	for i := range r.Samples {
		if r.Samples[i].Tokens > o.Target {
			over++
		}
	}
	if first := r.Samples[0].Tokens; r.Outcome != Compressed || first > o.Target || over > 3 || !r.Over {
		t.Errorf("%s, %d samples, the first costs %d tokens, %d are over", r.Outcome, len(r.Samples), first, over)
	}
}
