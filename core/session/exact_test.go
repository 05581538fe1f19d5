package session_test

import (
	"strings"
	"testing"

	"winnow/core/session"
)

// An exact reading keeps what shows nothing, and tells of a conversation
// without a message.
func TestExactKeepsWhatShowsNothing(t *testing.T) {
	const src = `{"messages":[{"role":"user","content":""},{"role":"assistant","content":null},{"role":"assistant","tool_calls":[{"function":{"name":"n","arguments":null}}]}]}
{"messages":[{"role":"user","content":[{"type":"text","text":" a\n"}]},{"role":"assistant","content":"b"}]}
{"messages":[],"model":"m"}
`
	for exact, want := range map[bool][]string{
		true:  {"user: assistant: assistant:null", "user: a\n assistant:b", ""},
		false: {"assistant:", "user:a assistant:b"},
	} {
		rec := &record{}
		if _, err := session.Read(t.Context(), strings.NewReader(src), session.Options{Exact: exact}, session.State{}, rec); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, key := range append([]string{""}, rec.keys...) {
			_, msgs := rec.session(key)
			var texts []string
			for _, m := range *msgs {
				text := string(m.Role) + ":" + m.Content
				for _, c := range m.ToolCalls {
					text += c.Arguments
				}
				texts = append(texts, text)
			}
			got = append(got, strings.Join(texts, " "))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("exact %v: %q, want %q", exact, got, want)
		}
	}
}
