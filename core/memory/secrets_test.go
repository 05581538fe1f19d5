package memory

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"winnow/core/secret"
	"winnow/core/secret/secrettest"
)

// planted are 40 secrets and more, those that no rule of words finds left out.
func planted(t *testing.T) (list []secrettest.Planted) {
	for _, p := range secrettest.All() {
		if p.Rule != secret.User && p.Rule != secret.Mail {
			list = append(list, p)
		}
	}
	if len(list) < 40 {
		t.Fatalf("%d secrets", len(list))
	}
	return list
}

// TestSecretsAreNotSeen plants each secret in what a user says, a call and a result:
// nothing of the evidence holds it, and no candidate that does passes.
func TestSecretsAreNotSeen(t *testing.T) {
	for i, p := range planted(t) {
		command, _ := json.Marshal(p.Text)
		e := evidence("u", "Please use this: "+p.Text, "c", string(command), "r", "it printed\n"+p.Text, "a", "Done with "+p.Text)
		e.Topic = ""
		if all := fmt.Sprintf("%+v", e.Said); strings.Contains(all, p.Value) {
			t.Errorf("%d %s: the evidence holds it", i, p.Rule)
		}
		if len(p.Value) < 8 {
			continue // only where it stands tells that it is one
		}
		for _, c := range []Candidate{
			{Kind: Fact, Title: "Key", Content: "The key of `main` is in " + p.Text, Cites: []Cite{{N: 1, Quote: "Please use this:"}}},
			{Kind: Fact, Title: "Key", Content: "The key of `main` is " + p.Value, Cites: []Cite{{N: 1, Quote: "Please use this:"}}},
			{Kind: Fact, Title: "Key", Content: "The key of `main` is known.", Context: p.Value, Cites: []Cite{{N: 1, Quote: "Please use this:"}}},
			{Kind: Fact, Title: "Key", Content: "The key of `main` is known.", Cites: []Cite{{N: 3, Quote: "it printed\n" + p.Text}}},
		} {
			m, drop := Gate(c, e, nil)
			if drop == Kept {
				t.Errorf("%d %s: passes: %q %q", i, p.Rule, m.Content, m.Context)
			}
		}
	}
}
