package store

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/session"
)

// A tree of Claude Code in which a result names the session of a sub-agent,
// that session, and ways in which the tree goes on.
var (
	parentLines = []string{
		`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"do it"}}`,
		`{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Task","input":{"prompt":"look"}}]}}`,
		`{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"s1","toolUseResult":{"agentId":"a1"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"seen"}]}}`,
	}
	parentGrown   = `{"type":"assistant","uuid":"u4","parentUuid":"u3","sessionId":"s1","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"done"}]}}`
	parentForked  = `{"type":"user","uuid":"u5","parentUuid":"u1","sessionId":"s1","message":{"role":"user","content":"another way"}}`
	childLine     = `{"type":"user","uuid":"k1","parentUuid":null,"isSidechain":true,"agentId":"a1","sessionId":"s1","message":{"role":"user","content":"look"}}`
	childGrown    = `{"type":"assistant","uuid":"k2","parentUuid":"k1","isSidechain":true,"agentId":"a1","sessionId":"s1","message":{"id":"m9","role":"assistant","content":[{"type":"text","text":"seen"}]}}`
	lonelyParent  = parentLines[:2]
	rewrittenTree = append([]string{`{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"hello"}}`}, parentLines...)
)

// at checks where the sub-agent belongs.
func (f *folder) at(parent string, message int) {
	f.t.Helper()
	all := f.sessions()
	child := all["agent.jsonl"]
	if child.Parent != all[parent].ID || child.Origin.At != message || child.Origin.Kind != session.Subagent {
		f.t.Errorf("the sub-agent is at message %d of %q (%q is %q): want message %d of %s", child.Origin.At, child.Parent, parent, all[parent].ID, message, parent)
	}
	list, err := f.s.Children(f.t.Context(), all[parent].ID)
	found := false
	for i := range list {
		found = found || list[i].ID == child.ID && list[i].At == message && list[i].NativeID == "s1/a1"
	}
	if err != nil || !found && child.ID != "" {
		f.t.Errorf("children of %s: %+v %v", parent, list, err)
	}
	clean(f.t, f.s)
}

// TestASubagentBelongsWhereItsParentReportsOnIt whichever comes first, and
// wherever that message goes.
func TestASubagentBelongsWhereItsParentReportsOnIt(t *testing.T) {
	for i, order := range [][]string{{"parent.jsonl", "agent.jsonl"}, {"agent.jsonl", "parent.jsonl"}, {""}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f := newFolder(t)
			f.save("parent.jsonl", parentLines...)
			f.save("agent.jsonl", childLine)
			for _, name := range order {
				if name == "" {
					f.load()
				} else {
					f.load(name)
				}
			}
			f.at("parent.jsonl", 3)

			f.save("agent.jsonl", childLine, childGrown)
			f.load()
			f.at("parent.jsonl", 3)

			f.save("parent.jsonl", append(parentLines, parentGrown)...)
			f.load()
			f.at("parent.jsonl", 3)

			// The message becomes part of a branch.
			f.save("parent.jsonl", append(parentLines, parentGrown, parentForked)...)
			f.load()
			f.at("parent.jsonl#b=u2", 2)

			// Rewritten: it stands elsewhere, then nowhere.
			f.save("parent.jsonl", rewrittenTree...)
			f.load()
			f.at("parent.jsonl", 4)
			f.save("parent.jsonl", lonelyParent...)
			f.load()
			f.at("parent.jsonl", 0)

			// The call finishes while only the parent is written.
			f.save("parent.jsonl", parentLines...)
			f.load()
			f.at("parent.jsonl", 3)
		})
	}
}

// TestASubagentKeepsItsPlaceInCopies: its parent gives its place to a longer
// copy, in which the message has another number.
func TestASubagentKeepsItsPlaceInCopies(t *testing.T) {
	f := newFolder(t)
	f.save("parent.jsonl", parentLines...)
	f.save("agent.jsonl", childLine)
	f.load()
	note := `{"type":"user","uuid":"u7","parentUuid":"u1","sessionId":"s1","message":{"role":"user","content":"in short"}}`
	f.save("later.jsonl", parentLines[0], note, parentLines[1], parentLines[2], parentGrown)
	f.load("later.jsonl")
	all := f.sessions()
	later := all["later.jsonl"]
	if len(all) != 3 && len(all) != 2 || later.ID == "" {
		t.Fatalf("sessions %+v", all)
	}
	child := all["agent.jsonl"]
	started, err := f.s.Messages(t.Context(), later.Body, child.Origin.At, child.Origin.At)
	if child.Parent != later.ID || err != nil || len(started) != 1 || started[0].Child != "s1/a1" {
		t.Errorf("the sub-agent is at message %d of %s, a session of %d messages: %v", child.Origin.At, child.Parent, later.Messages, err)
	}
	clean(t, f.s)
}

// TestTheDoctorPlacesSubagents: what the messages of its parent say is put
// right.
func TestTheDoctorPlacesSubagents(t *testing.T) {
	for name, damage := range map[string]string{
		"another place":     "UPDATE trajectory_records SET parent_at = 1 WHERE parent <> ''",
		"another parent":    "UPDATE trajectory_records SET parent = '' WHERE parent <> ''",
		"nothing is kept":   "DELETE FROM starts; UPDATE trajectory_records SET parent_at = 0",
		"something is kept": "UPDATE starts SET child = 'x'; UPDATE trajectory_records SET parent_at = 0",
	} {
		f := newFolder(t)
		f.save("parent.jsonl", parentLines...)
		f.save("agent.jsonl", childLine)
		f.load()
		change(t, f.s.Path(), damage)
		if found, err := f.s.Repair(t.Context()); err != nil || len(found) == 0 {
			t.Errorf("%s: repaired %v %v", name, found, err)
		}
		f.at("parent.jsonl", 3)
	}
}

// TestASubagentOfABranchKeepsItsPlaceInCopies: the branch is where it was, the
// session that it left in a file of its own.
func TestASubagentOfABranchKeepsItsPlaceInCopies(t *testing.T) {
	f := newFolder(t)
	f.save("agent.jsonl", childLine)
	f.save("early.jsonl", append(parentLines, parentForked)...)
	f.load()
	f.at("early.jsonl#b=u2", 2)
	f.save("later.jsonl", append(parentLines, parentForked, strings.NewReplacer("u4", "u6", "u3", "u5", "m2", "m3").Replace(parentGrown))...)
	f.load()
	all := f.sessions()
	if len(all) != 3 || all["later.jsonl"].Messages != 3 || all["early.jsonl#b=u2"].ID == "" {
		t.Fatalf("sessions %v", all)
	}
	f.at("early.jsonl#b=u2", 2)
}

// TestASubagentGoesToTheLongerSessionOfItsParentsID: two sessions have that id,
// and neither is a copy of the other. The one that is longer comes later, or
// grows.
func TestASubagentGoesToTheLongerSessionOfItsParentsID(t *testing.T) {
	tell := func(word string, n int) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf(`{"type":"user","uuid":"%s%d","parentUuid":"%s%d","sessionId":"s1","message":{"role":"user","content":"%s %d"}}`, word, i, word, i-1, word, i))
		}
		return lines
	}
	child := `{"type":"user","uuid":"c1","isSidechain":true,"agentId":"a1","sessionId":"s1","message":{"role":"user","content":"look"}}`
	f := newFolder(t)
	f.save("one.jsonl", tell("one", 3)...)
	f.save("agent.jsonl", child)
	f.load()
	f.at("one.jsonl", 0)
	f.save("two.jsonl", tell("two", 5)...)
	f.load()
	f.at("two.jsonl", 0)
	f.save("one.jsonl", tell("one", 8)...)
	f.load()
	f.at("one.jsonl", 0)
}
