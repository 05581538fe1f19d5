package extract

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/llm"
	"winnow/core/memory"
)

// item is a memory as a model writes it. Numbers are read by hand, as models put
// them into quotes.
type item struct {
	Kind, Title, Content, Context, Resolution jsontext.Value
	Tags, Cites                               jsontext.Value
	SameAs                                    jsontext.Value `json:"same_as"`
	Corrects                                  jsontext.Value
}

type citeItem struct{ N, Quote jsontext.Value }

// readAnswer reads the answer to instruction about messages from..to. The list may
// stand in an object as "memories". The errors are for the model. Whether quotes are
// there is for the gate to find out.
func readAnswer(answer []byte, from, to int, known []memory.Memory) ([]memory.Candidate, error) {
	list := jsontext.Value(answer)
	if list.Kind() == '{' {
		var object struct{ Memories jsontext.Value }
		if err := json.Unmarshal(answer, &object, llm.Lenient()); err != nil || object.Memories.Kind() != '[' {
			return nil, errors.New("it is no JSON list of memories, [] for none")
		}
		list = object.Memories
	}
	var items []item
	if list.Kind() != '[' || json.Unmarshal(list, &items, llm.Lenient()) != nil {
		return nil, errors.New("it is no JSON list of memories, [] for none")
	}
	if len(items) > memory.SegmentMost {
		return nil, fmt.Errorf("it has %d memories: take the %d that matter most", len(items), memory.SegmentMost)
	}
	found := make([]memory.Candidate, 0, len(items))
	for i := range items {
		c, err := items[i].read(from, to, known)
		if err != nil {
			return nil, fmt.Errorf("memory %d %w", i+1, err)
		}
		found = append(found, c)
	}
	return found, nil
}

// read reads one memory. Its error goes on after "memory 1".
func (it *item) read(from, to int, known []memory.Memory) (memory.Candidate, error) {
	kind, ok := memory.ParseKind(strings.ToLower(strings.TrimSpace(llm.Text(it.Kind))))
	if !ok {
		return memory.Candidate{}, errors.New(`has another kind than "rule", "pitfall", "procedure" or "fact"`)
	}
	c := memory.Candidate{Kind: kind, Title: llm.Text(it.Title), Content: llm.Text(it.Content), Context: llm.Text(it.Context), Resolution: llm.Text(it.Resolution)}
	switch {
	case strings.TrimSpace(c.Title) == "":
		return c, errors.New("lacks a title")
	case strings.TrimSpace(c.Content) == "":
		return c, errors.New("lacks content")
	}
	var tags []jsontext.Value
	if it.Tags.Kind() == '[' && json.Unmarshal(it.Tags, &tags, llm.Lenient()) == nil {
		for _, t := range tags {
			c.Tags = append(c.Tags, llm.Text(t))
		}
	}
	var err error
	if c.Cites, err = readCites(it.Cites, from, to); err != nil {
		return c, err
	}
	if c.SameAs, err = readKnown(it.SameAs, known); err != nil {
		return c, fmt.Errorf(`has in "same_as" %w`, err)
	}
	if c.Corrects, err = readKnown(it.Corrects, known); err != nil {
		return c, fmt.Errorf(`has in "corrects" %w`, err)
	}
	return c, nil
}

// readCites reads the quotes of a memory. One without any is for the gate to drop.
func readCites(v jsontext.Value, from, to int) (cites []memory.Cite, err error) {
	var items []citeItem
	if k := v.Kind(); k == 'n' || len(v) == 0 {
		return nil, nil
	} else if k != '[' || json.Unmarshal(v, &items, llm.Lenient()) != nil {
		return nil, errors.New(`needs "cites": [{"n": 12, "quote": "…"}]`)
	}
	for _, it := range items {
		n, ok := whole(it.N)
		if !ok || n < from || n > to {
			return nil, fmt.Errorf("quotes message %.20q: there are %d to %d", string(it.N), from, to)
		}
		cites = append(cites, memory.Cite{N: n, Quote: llm.Text(it.Quote)})
	}
	return cites, nil
}

// readKnown reads the number of a memory that was shown, and returns its id.
func readKnown(v jsontext.Value, known []memory.Memory) (id string, err error) {
	if len(v) == 0 || v.Kind() == 'n' || v.Kind() == 'f' || v.Kind() == '"' && strings.TrimSpace(llm.Text(v)) == "" {
		return "", nil
	}
	n, ok := whole(v)
	switch {
	case ok && n >= 1 && n <= len(known):
		return known[n-1].ID, nil
	case len(known) == 0:
		return "", fmt.Errorf("%.20q: no memory is known, it must be null", string(v))
	}
	return "", fmt.Errorf("%.20q: known are 1 to %d, else null", string(v), len(known))
}

// whole reads a whole number, which may be in quotes.
func whole(v jsontext.Value) (int, bool) {
	if k := v.Kind(); k != '0' && k != '"' {
		return 0, false
	}
	x, _, err := llm.Number(v)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1e9 {
		return 0, false
	}
	return int(x), true
}
