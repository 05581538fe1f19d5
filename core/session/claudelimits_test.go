package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// tallies keeps what messages say, by session, and counts what is moved.
type tallies struct {
	nowhere
	held  map[string][]string
	moved int
}

func (s *tallies) Message(key string, m *chat.Message) error {
	s.held[key] = append(s.held[key], m.Content)
	s.msgs++
	return nil
}

func (s *tallies) Move(from string, after int, to string) error {
	tail := s.held[from][after:]
	if len(tail) == 0 {
		return fmt.Errorf("nothing to move behind %d of %s", after, from)
	}
	s.moved += len(tail)
	s.held[to] = append(s.held[to], tail...)
	if s.held[from] = s.held[from][:after:after]; after == 0 {
		delete(s.held, from)
	}
	return nil
}

// readTallies reads a source in pieces that end at the given places.
func readTallies(t *testing.T, src []byte, ends ...int) *tallies {
	t.Helper()
	s := &tallies{held: map[string][]string{}}
	var state session.State
	for _, end := range append(ends, len(src)) {
		res, err := session.Read(context.Background(), bytes.NewReader(src[state.Offset:end]), session.Options{}, state, s)
		if err != nil {
			t.Fatal(err)
		}
		stored, _ := json.Marshal(res.State)
		state = session.State{}
		if err := json.Unmarshal(stored, &state); err != nil {
			t.Fatal(err)
		}
	}
	held := 0
	for _, msgs := range s.held {
		held += len(msgs)
	}
	if held != s.msgs {
		t.Errorf("%d messages of %d are held", held, s.msgs)
	}
	return s
}

// TestTreeLimits: what is remembered of a tree is bounded. Beyond that messages
// stand elsewhere, but each stands somewhere, and where does not depend on how
// the file was read.
func TestTreeLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	id := func(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", i) }
	for name, c := range map[string]struct {
		lines int
		line  func(i int) string
		check func(s *tallies) bool
	}{
		"entries older than the oldest": {20000, func(i int) string {
			parent := i - 1
			if rng.IntN(40) == 0 {
				parent = max(0, i-1-rng.IntN(12000))
			}
			return userLine(id(i), id(parent), id(i))
		}, func(s *tallies) bool { return len(s.held) > 50 }},
		"more branches than are remembered": {3000, func(i int) string { return userLine(id(i), id(min(i-1, 5)), id(i)) },
			func(s *tallies) bool { return len(s.held) == 3000-6 && len(s.held[""]) == 7 }},
		"more sub-agents than are remembered": {6000, func(i int) string {
			if i < 2 {
				return userLine(id(i), id(i-1), id(i))
			}
			return aside("k"+id(i%2500), userLine(id(i), "", id(i)))
		}, func(s *tallies) bool { return len(s.held) >= 2501 }},
		"more sessions than are remembered": {6000, func(i int) string {
			return strings.Replace(userLine(id(i), id(i-1), id(i)), `"S"`, `"`+id(i%2500)+`"`, 1)
		},
			func(s *tallies) bool { return len(s.held) >= 2500 }},
		"back and forth": {8000, func(i int) string {
			parent := i - 1
			if i > 6000 {
				parent = i - 2
			} else if i == 3000 {
				parent = 0
			}
			return userLine(id(i), id(parent), id(i))
		}, func(s *tallies) bool { return s.moved > 1<<12 && s.moved < 1<<16 }},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			for i := range c.lines {
				b.WriteString(c.line(i))
			}
			src := b.Bytes()
			whole := readTallies(t, src)
			if !c.check(whole) {
				t.Errorf("%d sessions, %d messages in the first, %d moved", len(whole.held), len(whole.held[""]), whole.moved)
			}
			pieces := readTallies(t, src, len(src)/3, len(src)/2, len(src)*4/5)
			if !reflect.DeepEqual(whole.held, pieces.held) {
				t.Errorf("pieces give other sessions: %d, want %d", len(pieces.held), len(whole.held))
			}
		})
	}
}

// TestSessionsTakeTurns: answers of several sessions that grow line by line in
// turns cost what their bytes cost, and only the newest are kept open.
func TestSessionsTakeTurns(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	var b strings.Builder
	for i := range 40 {
		agent := fmt.Sprint("k", i)
		b.WriteString(aside(agent, userLine(agent, "", "do")) + aside(agent, answerLine(agent+"a", agent, agent, textBlock(long))))
	}
	res, err := session.Read(t.Context(), strings.NewReader(b.String()), session.Options{}, session.State{}, &weighing{})
	if err != nil || len(res.State.Decoder) > 10*len(long) {
		t.Errorf("%d KB of state, %v", len(res.State.Decoder)>>10, err)
	}
	for i := range 20000 / min(slower, 4) {
		agent := fmt.Sprint("k", 36+i%4)
		b.WriteString(aside(agent, answerLine(fmt.Sprint(agent, "-", i), agent+"a", agent, textBlock("y"))))
	}
	sink := &weighing{}
	if _, err := session.Read(t.Context(), strings.NewReader(b.String()), session.Options{}, session.State{}, sink); err != nil {
		t.Fatal(err)
	}
	if sink.amended > 8*b.Len() {
		t.Errorf("%d KB gave %d KB of amended messages", b.Len()>>10, sink.amended>>10)
	}
}

// TestFirstSessionGoesOn: the first session of a source stays one session,
// however many others stand between its lines.
func TestFirstSessionGoesOn(t *testing.T) {
	var b strings.Builder
	say := func(id, session string) {
		fmt.Fprintf(&b, `{"type":"user","uuid":"%s","sessionId":"%s","message":{"role":"user","content":"x"}}`+"\n", id, session)
	}
	say("a", "first")
	for i := range 1100 {
		say(fmt.Sprint("o", i), fmt.Sprint("other", i))
	}
	say("b", "first")
	say("c", "other1")
	s := readTallies(t, []byte(b.String()))
	if len(s.held[""]) != 2 || len(s.held["s=other1"]) != 2 || len(s.held) != 1101 {
		t.Errorf("%d sessions, the first with %d messages, another with %d", len(s.held), len(s.held[""]), len(s.held["s=other1"]))
	}
}
