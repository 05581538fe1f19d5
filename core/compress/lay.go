package compress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"winnow/core/chat"
)

// Place names a region of layers: the layer and the region in it, from 0.
type Place struct{ Layer, Region int }

// Lay makes samples of layers of regions, as Compress does of those that it
// chooses: counted anew. It does not look for what Compress finds. The error says
// why the layers are none of these messages.
func Lay(messages []chat.Message, layers [][]Region, o Options) (Result, error) {
	o.complete()
	s := newSession(messages, &o)
	if err := s.free().valid(layers); err != nil {
		return Result{}, err
	}
	return s.laid(layers), nil
}

// looked is a result with what a person should look at in its layers.
func (s *session) looked(r Result) Result {
	for k, layer := range r.Layers {
		r.Findings = append(r.Findings, s.upTo(s.endOf(r.Layers, k)).found(layer)...)
	}
	return r
}

// Write is Lay with another text for one region, which a person wrote.
func Write(messages []chat.Message, layers [][]Region, at Place, text string, o Options) (Result, error) {
	text = strings.TrimSpace(text)
	bare := strings.TrimSpace(strings.TrimPrefix(text, Prefix))
	return change(messages, layers, at, o, func(_ *session, g *Region, _ []Region) error {
		switch {
		case g.Cleared:
			return errors.New("the line that stands for a result is made by the program: choose another strategy to write a text")
		case bare == "":
			return errors.New("a summary that says nothing: reject the compression to keep the messages")
		}
		g.Text, g.Written, g.Moved = Prefix+" "+bare, true, false
		return nil
	})
}

// Move is Lay with other ends for one region: it stands for the messages from
// one on and before another. Texts that the program wrote are written anew. The
// error says why the region cannot lie there.
func Move(messages []chat.Message, layers [][]Region, at Place, from, to int, o Options) (Result, error) {
	return change(messages, layers, at, o, func(s *session, g *Region, layer []Region) error {
		if g.Cleared {
			return errors.New("what is cleared is one result: choose another strategy to take more or less")
		}
		g.From, g.To, g.Role = from, to, ""
		if err := s.spans(g); err != nil {
			return err
		}
		others := slices.Delete(slices.Clone(layer), at.Region, at.Region+1)
		for i := range others {
			if others[i].From < to && from < others[i].To {
				return fmt.Errorf("messages %s are summed up already", s.between(&others[i]))
			}
		}
		role, ok := s.roleOf(from, to, others)
		if !ok {
			return errors.New("a summary there would be of the same role as a message beside it")
		}
		g.Role = role
		return nil
	})
}

// change lays layers with one region changed.
func change(messages []chat.Message, layers [][]Region, at Place, o Options, f func(*session, *Region, []Region) error) (Result, error) {
	o.complete()
	s := newSession(messages, &o)
	free := s.free()
	if err := free.valid(layers); err != nil {
		return Result{}, err
	}
	if at.Layer < 0 || at.Layer >= len(layers) || at.Region < 0 || at.Region >= len(layers[at.Layer]) {
		return Result{}, fmt.Errorf("there is no region %d in sample %d", at.Region+1, at.Layer+1)
	}
	layers = slices.Clone(layers)
	layer := slices.Clone(layers[at.Layer])
	layers[at.Layer] = layer
	moved := layer[at.Region]
	if err := f(free, &layer[at.Region], layer); err != nil {
		return Result{}, err
	}
	if err := free.valid(layers); err != nil {
		return Result{}, err
	}
	if g := &layer[at.Region]; g.From != moved.From || g.To != moved.To {
		if err := free.trainable(layers); err != nil {
			return Result{}, err
		}
		s.upTo(s.endOf(layers, at.Layer)).rewrite(layer)
		_, lists := s.o.By.(Extract)
		g.Moved = g.Written || !lists
	}
	r := s.laid(layers)
	if r.After >= r.Before {
		return Result{}, fmt.Errorf("that would save nothing: %d tokens instead of %d", r.After, r.Before)
	}
	return s.looked(r), nil
}

// rewrite has the texts that the program wrote written anew, with those of a
// layer as they are now.
func (s *session) rewrite(layer []Region) {
	by, ok := s.o.By.(Extract)
	if !ok {
		return
	}
	anew := slices.Clone(layer)
	for i := range anew {
		anew[i].Tokens = s.costs(&anew[i])
	}
	_ = by.write(context.Background(), s, anew, &Result{}) // lists ask nobody
	for i := range layer {
		if !layer[i].Written {
			layer[i].Text = anew[i].Text
		}
	}
}

// Ends returns where regions may begin and end: the places between messages that
// never part, in their order.
func Ends(messages []chat.Message) []int {
	o := Options{Price: Plain{}}
	s := &session{o: &o, messages: messages, cost: make([]int, len(messages))}
	s.arrange()
	ends := make([]int, 0, len(s.atoms)+1)
	for _, a := range s.atoms {
		ends = append(ends, a.from)
	}
	return append(ends, len(messages))
}

// free is the session without a head and a tail that stay only because options
// say so: a person may take them, too.
func (s *session) free() *session {
	o := *s.o
	o.Head, o.Tail = nil, 0
	free := *s
	free.o, free.atoms, free.head = &o, nil, 0
	free.arrange()
	return &free
}

// valid checks that layers are some of these messages.
func (s *session) valid(layers [][]Region) error {
	if len(layers) == 0 {
		return errors.New("no message is left out")
	}
	if s.o.Form == Fold && len(layers) > 1 {
		return fmt.Errorf("%d samples, but fold makes one", len(layers))
	}
	cut := 0
	for k, layer := range layers {
		if len(layer) == 0 {
			return fmt.Errorf("no message is left out in sample %d", k+1)
		}
		at := 0
		for i := range layer {
			g := &layer[i]
			if g.From < at || g.To <= g.From || g.To > len(s.messages) {
				return fmt.Errorf("messages %d to %d of %d cannot be left out there", g.From+1, g.To, len(s.messages))
			}
			if err := s.spans(g); err != nil {
				return err
			}
			at = g.To
		}
		if at <= cut {
			return errors.New("a sample would train nothing: its last summary ends where the next one's does")
		}
		cut = at
	}
	return nil
}

// spans checks that a region parts nothing and takes nothing that has to stay.
func (s *session) spans(g *Region) error {
	if g.From < 0 || g.To > len(s.messages) || g.From >= g.To {
		return errors.New("no message would be left out")
	}
	if g.Cleared {
		if m := &s.messages[g.From]; m.Role != chat.Tool || g.To != g.From+1 {
			return fmt.Errorf("%s is no result of a tool", named(m))
		}
		return nil
	}
	for _, a := range s.atoms {
		switch {
		case a.to <= g.From || a.from >= g.To:
		case a.from < g.From || a.to > g.To:
			return fmt.Errorf("messages %s stay together: calls and their results", s.between(&Region{From: a.from, To: a.to}))
		case a.kept:
			return s.whyKept(a)
		}
	}
	return nil
}

// whyKept says why messages have to stay.
func (s *session) whyKept(a atom) error {
	for i := a.from; i < a.to; i++ {
		switch m := &s.messages[i]; {
		case m.Summary():
			return fmt.Errorf("%s sums up an earlier compaction: it stays", named(m))
		case m.Role == chat.User:
			return fmt.Errorf("%s is a user's: it stays", named(m))
		case m.Role == chat.System:
			return fmt.Errorf("%s is the system's: it stays", named(m))
		}
	}
	return fmt.Errorf("messages %s stay: a call without its result, or a result without its call", s.between(&Region{From: a.from, To: a.to}))
}

// trainable checks that every sample with texts has an answer to train.
func (s *session) trainable(layers [][]Region) error {
	if s.o.Form == Fold && s.answersKept(layers[0]) == 0 {
		return errors.New("no answer would be left to train")
	}
	for k := range layers {
		answer := func(m chat.Message) bool { return m.Role == chat.Assistant }
		if s.o.Form == Split && !slices.ContainsFunc(s.messages[cutOf(layers[k]):s.endOf(layers, k)], answer) {
			return errors.New("no answer would be left to train after the summary")
		}
	}
	return nil
}

// endOf is the message after the last one of the sample with a layer.
func (s *session) endOf(layers [][]Region, k int) int {
	if k+1 < len(layers) {
		return cutOf(layers[k+1])
	}
	return len(s.messages)
}

// named names a message by its number, which those before a fork do not have.
func named(m *chat.Message) string {
	if m.N == 0 {
		return "a message before the fork"
	}
	return fmt.Sprint("message ", m.N)
}

// between writes the numbers of the messages of a region.
func (s *session) between(g *Region) string {
	first, last := s.messages[g.From].N, s.messages[g.To-1].N
	switch {
	case last == 0:
		return "before the fork"
	case first == 0:
		return fmt.Sprintf("before the fork and up to %d", last)
	case first == last:
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d–%d", first, last)
}

// costs is what the messages of a region cost.
func (s *session) costs(g *Region) (n int) {
	for _, c := range s.cost[g.From:g.To] {
		n += c
	}
	return n
}

// laid is the result of layers, which are valid.
func (s *session) laid(layers [][]Region) Result {
	r := Result{Outcome: Compressed, Before: s.total}
	for k := range layers {
		layer := slices.Clone(layers[k])
		for i := range layer {
			g := &layer[i]
			g.Tokens, g.Cost = s.costs(g), s.o.Price.Message(s.stand(g))
		}
		r.Layers = append(r.Layers, layer)
	}
	r.Regions = r.Layers[len(r.Layers)-1]
	r.After = s.after(r.Regions)
	r.Samples = s.layers(r.Layers)
	s.sumUp(&r)
	return r
}

// found is what a person should look at in a layer.
func (s *session) found(layer []Region) (found []Finding) {
	_, asked := s.o.By.(Model)
	for i := range layer {
		g := &layer[i]
		if g.Cleared {
			continue
		}
		if !asked && !g.Written {
			found = append(found, s.listed(g)...)
			continue
		}
		if g.Moved {
			found = append(found, Finding{Moved, s.messages[g.From].N, "the text was written for other messages: " + s.between(g) + " are left out now"})
		}
		found = append(found, s.check(g, g.Text)...)
		if f, bad, ok := s.long(g, g.Text); ok && !bad {
			found = append(found, f)
		}
	}
	return append(found, s.dangling(layer)...)
}
