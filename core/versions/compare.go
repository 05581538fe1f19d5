package versions

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/textdiff"
)

// Each calls f for the messages of a version in their order, any number of times
// alike. A message is valid during the call.
type Each func(f func(*chat.Message) error) error

// Differing is a message that two versions have in one place and not alike, nil where
// one has none.
type Differing struct{ Before, After *chat.Message }

// Comparison is in which messages two versions differ.
type Comparison struct {
	List []Differing // the first ones, in their order
	More int         // so many differ beside them
	Same int         // so many don't
}

// Compare compares two versions and reads the first most messages in which they differ.
// In one session messages of one place belong together, if byPlace; else those of one
// role that stand between the same ones.
func Compare(before, after Each, byPlace bool, most int) (c Comparison, err error) {
	err = compare(before, after, byPlace, most, func(differ, same int) {
		n := min(differ, most)
		c = Comparison{List: make([]Differing, 0, n), More: differ - n, Same: same}
	}, func(d *Differing) error {
		c.List = append(c.List, Differing{kept(d.Before), kept(d.After)})
		return nil
	})
	if err != nil {
		return Comparison{}, err
	}
	return c, nil
}

// Differ is Compare that keeps no message: it says how many differ and how many don't,
// and then calls f with each that does, which is valid during the call.
func Differ(before, after Each, byPlace bool, counted func(differ, same int), f func(*Differing) error) error {
	return compare(before, after, byPlace, math.MaxInt, counted, f)
}

// compare calls f with the first most messages in which versions differ.
func compare(before, after Each, byPlace bool, most int, counted func(differ, same int), f func(*Differing) error) error {
	a, err := outline(before)
	if err != nil {
		return err
	}
	b, err := outline(after)
	if err != nil {
		return err
	}
	pairs, same := pair(a, b, byPlace)
	counted(len(pairs), same)
	sides := [2]*side{read(before), read(after)}
	defer sides[0].stop()
	defer sides[1].stop()
	for _, p := range pairs[:min(len(pairs), most)] {
		var d Differing
		if d.Before, err = sides[0].message(p[0]); err != nil {
			return err
		}
		if d.After, err = sides[1].message(p[1]); err != nil {
			return err
		}
		if err := f(&d); err != nil {
			return err
		}
	}
	return nil
}

// kept is a message that stays valid.
func kept(m *chat.Message) *chat.Message {
	if m == nil {
		return nil
	}
	one := *m
	one.ToolCalls = slices.Clone(m.ToolCalls)
	return &one
}

// line is what is kept of a message while versions are compared.
type line struct {
	place edit.Place
	role  chat.Role
	sum   string
	at    int // from 0
}

func outline(each Each) (list []line, err error) {
	var buf []byte
	err = each(func(m *chat.Message) error {
		var sum chat.Sum
		sum, buf = chat.AppendSum(buf, m)
		list = append(list, line{edit.Place{N: m.N, Part: m.Part}, m.Role, string(sum[:]), len(list)})
		return nil
	})
	return list, err
}

// pair returns which messages stand in the place of which, by their numbers, -1 for
// none, without those that are the same.
func pair(a, b []line, byPlace bool) (pairs [][2]int, same int) {
	if byPlace {
		return pairPlaces(a, b)
	}
	var olds, news []line
	flush := func() {
		for len(olds)+len(news) > 0 {
			switch {
			case len(news) == 0 || len(olds) > len(news) && olds[0].role != news[0].role:
				pairs, olds = append(pairs, [2]int{olds[0].at, -1}), olds[1:]
			case len(olds) == 0 || olds[0].role != news[0].role:
				pairs, news = append(pairs, [2]int{-1, news[0].at}), news[1:]
			default:
				pairs = append(pairs, [2]int{olds[0].at, news[0].at})
				olds, news = olds[1:], news[1:]
			}
		}
	}
	i, k := 0, 0
	textdiff.Walk(sums(a), sums(b), func(x, y *string) {
		switch {
		case x != nil && y != nil:
			flush()
			same, i, k = same+1, i+1, k+1
		case x != nil:
			olds, i = append(olds, a[i]), i+1
		default:
			news, k = append(news, b[k]), k+1
		}
	})
	flush()
	return pairs, same
}

func sums(list []line) []string {
	all := make([]string, len(list))
	for i := range list {
		all[i] = list[i].sum
	}
	return all
}

func pairPlaces(a, b []line) (pairs [][2]int, same int) {
	for i, k := 0, 0; i < len(a) || k < len(b); {
		switch {
		case k == len(b) || i < len(a) && ComparePlaces(a[i].place, b[k].place) < 0:
			pairs, i = append(pairs, [2]int{i, -1}), i+1
		case i == len(a) || ComparePlaces(a[i].place, b[k].place) > 0:
			pairs, k = append(pairs, [2]int{-1, k}), k+1
		default:
			if a[i].sum == b[k].sum {
				same++
			} else {
				pairs = append(pairs, [2]int{i, k})
			}
			i, k = i+1, k+1
		}
	}
	return pairs, same
}

// errEnough ends a read.
var errEnough = errors.New("enough is read")

// side reads the messages of a version, one after the other, as they are asked for.
type side struct {
	next func() (*chat.Message, error, bool)
	stop func()
	at   int // how many were read
}

func read(each Each) *side {
	s := &side{}
	s.next, s.stop = iter.Pull2(func(yield func(*chat.Message, error) bool) {
		err := each(func(m *chat.Message) error {
			if !yield(m, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	})
	return s
}

// message reads on to message at, from 0, and returns it; nil for -1.
func (s *side) message(at int) (m *chat.Message, err error) {
	for ; s.at <= at; s.at++ {
		var ok bool
		if m, err, ok = s.next(); err != nil || !ok {
			return nil, cmp.Or(err, errFewer)
		}
	}
	return m, nil
}

// errFewer says that a version did not have again what it had.
var errFewer = errors.New("messages changed while they were compared: do it again")

// At is the message that tells where it is: what stands there now, else what stood.
func (d *Differing) At() *chat.Message {
	if d.After != nil {
		return d.After
	}
	return d.Before
}

// Change says what became of it: changed, dropped or added.
func (d *Differing) Change() string {
	switch {
	case d.After == nil:
		return "dropped"
	case d.Before == nil:
		return "added"
	}
	return "changed"
}

// Field is a part of a message, before and after.
type Field struct{ Name, Before, After string }

// Fields returns the parts in which the two messages differ.
func (d *Differing) Fields() (list []Field) {
	var a, b chat.Message
	if d.Before != nil {
		a = *d.Before
	}
	if d.After != nil {
		b = *d.After
	}
	put := func(name, before, after string) {
		if before != after {
			list = append(list, Field{name, before, after})
		}
	}
	if d.Before != nil && d.After != nil {
		put("role", string(a.Role), string(b.Role))
	}
	put("reasoning", a.Reasoning, b.Reasoning)
	put("content", a.Content, b.Content)
	for i := range max(len(a.ToolCalls), len(b.ToolCalls)) {
		var x, y chat.ToolCall
		if i < len(a.ToolCalls) {
			x = a.ToolCalls[i]
		}
		if i < len(b.ToolCalls) {
			y = b.ToolCalls[i]
		}
		call := "call:" + strconv.Itoa(i+1)
		put(call, x.Name, y.Name)
		put(call+" id", x.ID, y.ID)
		put("args:"+strconv.Itoa(i+1), x.Arguments, y.Arguments)
	}
	put("name", a.Name, b.Name)
	put("call id", a.ToolCallID, b.ToolCallID)
	put("model", a.Model, b.Model)
	put("stop reason", a.StopReason, b.StopReason)
	if a.IsError != b.IsError {
		put("error", strconv.FormatBool(a.IsError), strconv.FormatBool(b.IsError))
	}
	return list
}
