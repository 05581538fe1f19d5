package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"winnow/cmd/winnow/tell"
)

// compared checks each figure by which models are compared against what is known of their
// segments.
func (s *school) compared(all map[string]lesson, names map[string]string) {
	s.t.Helper()
	want := map[string]map[string]*tell.Judged{}
	for _, r := range s.list("messages>0") {
		l, found := all[r.Topic]
		if !found {
			s.t.Fatalf("nobody asked %q", r.Topic)
		}
		for _, kind := range []string{"", r.Type} {
			if want[l.model] == nil {
				want[l.model] = map[string]*tell.Judged{}
			}
			j := want[l.model][kind]
			if j == nil {
				j = &tell.Judged{AvgQualityScore: new(float64)}
				want[l.model][kind] = j
			}
			*map[string]*int{"approved": &j.Approved, "rejected": &j.Rejected, "unsure": &j.Unsure, "pending": &j.Pending}[r.Verdict]++
			j.Segments, j.ToolCalls, j.ToolFailures = j.Segments+1, j.ToolCalls+len(l.calls), j.ToolFailures+l.failed
			if r.Score != nil {
				j.Scored++
				*j.AvgQualityScore += *r.Score
			}
		}
	}
	table, lines := s.ok("stats", "--by", "model"), s.ok("stats", "--by", "model", "--json")
	for line := range strings.Lines(lines) {
		var m tell.Model
		if err := json.Unmarshal([]byte(line), &m); err != nil || len(m.Names) != 1 {
			s.t.Fatal(err, line)
		}
		kinds := want[m.Names[0]]
		delete(want, m.Names[0])
		if len(kinds) != len(m.TaskTypes)+1 || (m.Run != nil) != (names[m.Names[0]] == "run 1") || m.Base != (m.Model == "tiny") {
			s.t.Errorf("types %v: %s", kinds, line)
			continue
		}
		s.same(m.Model, &m.Judged, kinds[""])
		for i := range m.TaskTypes {
			s.same(m.Model+" "+m.TaskTypes[i].Name, &m.TaskTypes[i].Judged, kinds[m.TaskTypes[i].Name])
		}
		j := kinds[""]
		cells := fmt.Sprintf("%s %d %d %.0f%% [%.0f–%.0f] %.2f %.0f%%", names[m.Names[0]], j.Segments, j.Judged,
			100**j.Approval, 100**j.ApprovalLow, 100**j.ApprovalHigh, *j.AvgQualityScore, 100*float64(j.ToolFailures)/float64(j.ToolCalls))
		if !strings.Contains(strings.Join(strings.Fields(table), " "), cells) {
			s.t.Errorf("no %q in\n%s", cells, table)
		}
	}
	if len(want) > 0 {
		s.t.Errorf("no figures of %v in %s", want, lines)
	}
}

// same compares figures with what was added up, which it completes: with the share of
// approved ones, and its interval as Wilson has it.
func (s *school) same(name string, got, want *tell.Judged) {
	s.t.Helper()
	if want == nil {
		s.t.Errorf("%s: nobody has %+v", name, got)
		return
	}
	want.Judged = want.Approved + want.Rejected
	n := float64(want.Judged)
	p, z2 := float64(want.Approved)/n, 1.959963984540054*1.959963984540054
	middle, half := p+z2/(2*n), math.Sqrt(z2*(p*(1-p)/n+z2/(4*n*n)))
	low, high := (middle-half)/(1+z2/n), (middle+half)/(1+z2/n)
	want.Approval, want.ApprovalLow, want.ApprovalHigh = &p, &low, &high
	*want.AvgQualityScore /= float64(max(want.Scored, 1))
	near := func(a, b *float64) bool { return a != nil && math.Abs(*a-*b) < 1e-9 }
	if n == 0 || !near(got.Approval, &p) || !near(got.ApprovalLow, &low) || !near(got.ApprovalHigh, &high) || !near(got.AvgQualityScore, want.AvgQualityScore) {
		s.t.Errorf("%s: %v in %v to %v, score %v; want %v in %v to %v, score %v", name, *got.Approval, *got.ApprovalLow, *got.ApprovalHigh, *got.AvgQualityScore, p, low, high, *want.AvgQualityScore)
	}
	counts := func(j *tell.Judged) [9]int {
		return [...]int{j.Segments, j.Judged, j.Approved, j.Rejected, j.Unsure, j.Pending, j.Scored, j.ToolCalls, j.ToolFailures}
	}
	if counts(got) != counts(want) {
		s.t.Errorf("%s: %v, want %v", name, counts(got), counts(want))
	}
}
