package compress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/chat"
)

// someNames are what messages speak of.
var someNames = []string{"ZFA04Y", "mia_li_3668", "src/parse/main.go", "2024-05-20", "credit_card_4421486", "HTTPClient", "10.0.0.7", "4711", "SDZQKO"}

// conversation makes up what agents record, and some of what they should not:
// results without calls, calls without results, ids that are missing, users who
// speak between a call and its result.
type conversation struct {
	rnd      *rand.Rand
	messages []chat.Message
	calls    int
}

func (c *conversation) text(most int) string {
	var b strings.Builder
	for range c.rnd.IntN(most) {
		switch c.rnd.IntN(12) {
		case 0:
			b.WriteString(someNames[c.rnd.IntN(len(someNames))])
			b.WriteByte(' ')
		case 1:
			b.WriteString("größe 文件 \n")
		default:
			b.WriteString("lorem ")
		}
	}
	return b.String()
}

func (c *conversation) add(m chat.Message) {
	m.N = len(c.messages) + 1
	c.messages = append(c.messages, m)
}

// call adds an answer with calls and what follows it.
func (c *conversation) call() {
	n, ids := 1+c.rnd.IntN(3), c.rnd.IntN(4) > 0
	m := chat.Message{Role: chat.Assistant, Content: c.text(10), Reasoning: c.text(10)}
	for range n {
		c.calls++
		call := chat.ToolCall{Name: "read_file", Arguments: fmt.Sprintf(`{"path":%q}`, c.text(4))}
		if ids {
			call.ID = fmt.Sprint("call_", c.calls)
		}
		m.ToolCalls = append(m.ToolCalls, call)
	}
	c.add(m)
	for _, k := range c.rnd.Perm(n) {
		switch c.rnd.IntN(12) {
		case 0:
			continue // no result
		case 1:
			c.add(chat.Message{Role: chat.User, Content: c.text(5)})
		}
		c.add(chat.Message{Role: chat.Tool, ToolCallID: m.ToolCalls[k].ID, Content: c.text(120), IsError: c.rnd.IntN(5) == 0})
	}
}

func randomConversation(rnd *rand.Rand) []chat.Message {
	c := conversation{rnd: rnd}
	if rnd.IntN(3) > 0 {
		c.add(chat.Message{Role: chat.System, Content: c.text(40)})
	}
	for range rnd.IntN(16) {
		switch rnd.IntN(9) {
		case 0, 1:
			c.add(chat.Message{Role: chat.User, Content: c.text(20)})
		case 2:
			c.add(chat.Message{Role: chat.Assistant, Content: c.text(40)})
		case 3:
			switch rnd.IntN(4) {
			case 0:
				c.add(chat.Message{Role: chat.Tool, ToolCallID: "of_nothing", Content: c.text(30)})
			case 1:
				c.add(chat.Message{Role: chat.System, Content: c.text(10)})
			case 2:
				c.add(chat.Message{Role: chat.User, Content: Prefix + c.text(20), Marks: chat.MarkCompaction})
			}
		default:
			c.call()
		}
	}
	return c.messages
}

// unruly answers as models do at their worst.
func unruly(rnd *rand.Rand) Summarizer {
	return func(_ context.Context, r Request) (string, error) {
		switch rnd.IntN(6) {
		case 0:
			return "", errors.New("down")
		case 1:
			return strings.Repeat("lorem ", 3000), nil
		case 2:
			return "<tool_call>", nil
		}
		return "lorem " + strings.Repeat("ipsum ", rnd.IntN(40)), nil
	}
}

func randomOptions(rnd *rand.Rand) Options {
	o := Defaults()
	o.Target, o.Summary, o.Tail, o.Form, o.NoMask = rnd.IntN(700), 10+rnd.IntN(150), rnd.IntN(8), Form(rnd.IntN(2)), rnd.IntN(3) == 0
	o.Regions, o.Rounds = rnd.IntN(3), rnd.IntN(6)
	o.Head = o.Head[:rnd.IntN(5)]
	if rnd.IntN(3) == 0 {
		o.Notice = " noticed"
	}
	return o
}

// TestRandomConversations checks for random conversations and options what holds
// for all.
func TestRandomConversations(t *testing.T) {
	cases := 10000
	if !whole {
		cases = 2000
	}
	outcomes := map[string]int{}
	for n := range cases {
		messages := randomConversation(rand.New(rand.NewPCG(uint64(n), 1)))
		before := packed(messages)
		o := randomOptions(rand.New(rand.NewPCG(uint64(n), 2)))
		makes := func() Result {
			o.By = []Strategy{Clear{}, Extract{}, Extract{Foresight: true}, Model{Ask: unruly(rand.New(rand.NewPCG(uint64(n), 3))), Attempts: 2}}[n%4]
			return Compress(t.Context(), messages, o)
		}
		r := makes()
		outcomes[o.By.Name()+" "+string(r.Outcome)]++
		err := errors.Join(wrong(messages, &r), unordered(messages, &r, o.NoMask), mispriced(messages, &r, o))
		if err != nil {
			t.Fatalf("case %d, %+v: %v\n%v", n, o, err, r)
		}
		if _, exact := o.By.(Extract); exact && n%4 == 1 && r.Outcome == Compressed && len(Lost(messages, r.Regions, "")) > 0 {
			t.Fatalf("case %d: names are lost: %v", n, r.Findings)
		}
		if !bytes.Equal(before, packed(messages)) || !bytes.Equal(before, packed(r.Samples[len(r.Samples)-1].Expand(messages))) {
			t.Fatalf("case %d: the messages are others now", n)
		}
		if again := makes(); !bytes.Equal(rows(messages, &r), rows(messages, &again)) {
			t.Fatalf("case %d: twice is not the same", n)
		}
	}
	for _, name := range []string{"clear", "extract", "llm"} {
		if outcomes[name+" compressed"] < cases/20 {
			t.Errorf("%v", outcomes)
		}
	}
	t.Log(outcomes)
}

func packed(messages []chat.Message) (b []byte) {
	for i := range messages {
		b = chat.AppendMessage(b, &messages[i])
	}
	return b
}

func rows(messages []chat.Message, r *Result) (b []byte) {
	for i := range r.Samples {
		for row := range r.Samples[i].Rows(messages) {
			b = fmt.Appendf(chat.AppendMessage(b, &row.Message), "%v %v %v\n", row.Origin, row.Train, row.Off)
		}
	}
	return b
}

// unordered checks that no summary makes two users speak in a row, or one between
// a call and its result, and that what follows one is known to.
func unordered(messages []chat.Message, r *Result, noMask bool) error {
	for i := range r.Samples {
		var list []Row
		off := false
		for row := range r.Samples[i].Rows(messages) {
			if row.Off != (off && row.Origin != Noticed) && row.Origin != Noticed {
				return errors.New("what follows a summary is not marked")
			}
			off = off || row.Origin == Summary || row.Origin == Cleared
			if row.Message.Role != chat.System {
				list = append(list, row)
			}
		}
		for k := range list {
			if list[k].Origin != Summary {
				continue
			}
			role := list[k].Message.Role
			if noMask && role != chat.User {
				return errors.New("a summary is the assistant's where that trains")
			}
			if k > 0 && list[k-1].Message.Role == role || k+1 < len(list) && list[k+1].Message.Role == role {
				return fmt.Errorf("two in a row are the %s's", role)
			}
		}
	}
	return nil
}

// mispriced checks that tokens are those of the rows.
func mispriced(messages []chat.Message, r *Result, o Options) error {
	over := false
	for i := range r.Samples {
		n := 0
		for row := range r.Samples[i].Rows(messages) {
			n += Plain{}.Message(&row.Message)
		}
		if n != r.Samples[i].Tokens || n > r.Before {
			return fmt.Errorf("a sample costs %d tokens, it says %d", n, r.Samples[i].Tokens)
		}
		over = over || n > o.Target
	}
	if over != r.Over {
		return errors.New("it is over the target, and does not say so")
	}
	if last := r.Samples[len(r.Samples)-1].Tokens; last != r.After {
		return fmt.Errorf("it comes to %d tokens, not %d", last, r.After)
	}
	return nil
}
