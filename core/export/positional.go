package export

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// resultOrder is for formats without the ids of calls: there, results stand in
// the order of the calls that they answer.
var resultOrder = Check{
	"result_order", "results stand in the order of their calls", "results put in the order of their calls", orderResults, nil,
}

func orderResults(s *Sample, _ *Emitter) (done []Finding) {
	s.steps(func(st step) {
		calls := st.calls()
		if len(calls) < 2 || len(calls) != len(st.results) {
			return
		}
		place := make(map[string]int, len(calls))
		for i := range calls {
			place[calls[i].ID] = i
		}
		inOrder := true
		for i := range st.results {
			at, known := place[st.results[i].ToolCallID]
			if !known || len(place) < len(calls) {
				return // other rules find that
			}
			inOrder = inOrder && at == i
		}
		if inOrder {
			return
		}
		slices.SortStableFunc(st.results, func(a, b Message) int { return place[a.ToolCallID] - place[b.ToolCallID] })
		done = append(done, report(st.message, "results are put in the order of the calls"))
	})
	return done
}

var errNotAsWritten = errors.New("differs from what the format writes for what it says")

// strict makes a decoder strict that takes texts apart: what it read must be
// written as the same bytes again.
func strict(encode func([]byte, *Sample) ([]byte, int), decode func(jsontext.Value, int) (*Sample, error)) func(jsontext.Value, int) (*Sample, error) {
	return func(record jsontext.Value, part int) (*Sample, error) {
		s, err := decode(record, part)
		if err != nil {
			return nil, err
		}
		again, _ := encode(nil, s)
		if !bytes.Equal(bytes.TrimSuffix(again, []byte{'\n'}), record) {
			return nil, errNotAsWritten
		}
		return s, nil
	}
}
