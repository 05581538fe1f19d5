package export

import "slices"

// resultOrder is there because chat templates print no ids: models learn which
// result is whose from the order alone.
var resultOrder = Check{
	"result_order", "results stand in the order of their calls", "results put in the order of their calls", orderResults, findOutOfOrder,
}

func orderResults(s *Sample, _ *Emitter, tell teller) {
	for st := range s.steps {
		order := st.order()
		if order == nil {
			continue
		}
		was := slices.Clone(st.results)
		for to, from := range order {
			st.results[to] = was[from]
		}
		tell(st.message, "results are put in the order of the calls")
	}
}

func findOutOfOrder(s *Sample, _ *Emitter, tell teller) {
	for st := range s.steps {
		if st.order() != nil {
			tell(st.message, "results stand in another order than their calls")
		}
	}
}

// order returns the places of the results in the order of the calls, nil if
// they stand so. Of calls that share an id, each is answered by the next result
// with that id. A result whose id no call has, or none is left of, takes the
// place of the first call that nothing else answers, and comes last without one.
func (st step) order() (places []int) {
	calls := st.calls()
	if len(calls) < 2 || len(st.results) < 2 {
		return nil
	}
	open := make(map[string][]int, len(calls)) // calls without a result, by id
	for i := range calls {
		open[calls[i].ID] = append(open[calls[i].ID], i)
	}
	answer := make([]int, len(calls)) // the place of the result, −1 without one
	for i := range answer {
		answer[i] = -1
	}
	var others []int
	for i := range st.results {
		id := st.results[i].ToolCallID
		if left := open[id]; id != "" && len(left) > 0 {
			answer[left[0]], open[id] = i, left[1:]
		} else {
			others = append(others, i)
		}
	}
	for i := range answer {
		if answer[i] < 0 && len(others) > 0 {
			answer[i], others = others[0], others[1:]
		}
		if answer[i] >= 0 {
			places = append(places, answer[i])
		}
	}
	if places = append(places, others...); slices.IsSorted(places) {
		return nil
	}
	return places
}
