package memory

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"winnow/core/secret/secrettest"
)

// TestSecretsAreNotSeen plants each secret in what a user says, a call and a result:
// nothing of the evidence holds it, and no candidate that does passes.
func TestSecretsAreNotSeen(t *testing.T) {
	all := secrettest.All()
	if len(all) < 40 {
		t.Fatalf("%d secrets", len(all))
	}
	for i, p := range all {
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

// TestASecretIsOneEverywhere has one that only its place in one message tells of.
func TestASecretIsOneEverywhere(t *testing.T) {
	const value = "Zw8kRb3mQx5t" + "Lp7v"
	e := evidence("u", "the file has DB_PASSWORD="+value, "c", `"login `+value+`"`, "r", "welcome "+value+" to the database")
	for i := range e.Said {
		if s := &e.Said[i]; strings.Contains(fmt.Sprint(s.Text, s.Calls), value) {
			t.Errorf("message %d says %q %v", s.N, s.Text, s.Calls)
		}
	}
	c := Candidate{Kind: Fact, Title: "Login", Content: "Log in to `db` as " + value, Cites: []Cite{{N: 1, Quote: "the file has"}}}
	if _, drop := Gate(c, e, nil); drop != Secret {
		t.Errorf("%q", drop)
	}
}

// TestSecretsThatAreShownAreNoMemory: who has them sent as they are keeps none all the same.
func TestSecretsThatAreShownAreNoMemory(t *testing.T) {
	const value = "Zw8kRb3mQx5t" + "Lp7v"
	e := NewEvidence(About{Plain: true}, said("u", "the file has DB_PASSWORD="+value, "r", "welcome "+value+" to the database"), scanner())
	if !strings.Contains(e.Said[1].Text, value) || e.Shown("it is "+value) != "it is "+value {
		t.Errorf("hidden: %q", e.Said[1].Text)
	}
	for _, c := range []Candidate{
		{Kind: Fact, Title: "Login", Content: "Log in to `db` as " + value, Cites: []Cite{{N: 1, Quote: "the file has"}}},
		{Kind: Fact, Title: "Login", Content: "Log in to `db` as somebody.", Cites: []Cite{{N: 2, Quote: "welcome " + value}}},
	} {
		if _, drop := Gate(c, e, nil); drop != Secret {
			t.Errorf("%q: %q", c.Content, drop)
		}
	}
}
