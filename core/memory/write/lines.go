package write

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/memory"
	"winnow/core/secret"
)

// JSONL returns memories with all they hold, one on a line. Names of users in paths
// are replaced.
func JSONL(list []memory.Memory, o Options) ([]byte, Report, error) {
	return lines(list, o, func(m *memory.Memory) any {
		own := *m
		own.Dir = o.path(m.Dir)
		own.Sources = nil
		for _, s := range m.Sources {
			s.File = o.path(s.File)
			own.Sources = append(own.Sources, s)
		}
		return &own
	})
}

// Mem0 returns memories as bodies of POST /memories of mem0, one on a line: stored as
// they are, without a model that would rewrite them.
func Mem0(list []memory.Memory, o Options) ([]byte, Report, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	type metadata struct {
		ID       string      `json:"winnow_id"`
		Kind     memory.Kind `json:"kind"`
		Title    string      `json:"title"`
		Grade    float64     `json:"grade"`
		TaskType string      `json:"task_type,omitzero"`
		Tags     []string    `json:"tags"`
	}
	type body struct {
		Messages []message `json:"messages"`
		Agent    string    `json:"agent_id"`
		Metadata metadata  `json:"metadata"`
		Infer    bool      `json:"infer"`
	}
	return lines(list, o, func(m *memory.Memory) any {
		return &body{
			Messages: []message{{"user", sentence(m)}},
			Agent:    cmp.Or(m.Agent, "winnow"), // one of the three ids is required
			Metadata: metadata{m.ID, m.Kind, m.Title, m.Grade, m.TaskType, m.Tags},
		}
	})
}

// lines writes a line of JSON for each memory.
func lines(list []memory.Memory, o Options, record func(*memory.Memory) any) (out []byte, r Report, err error) {
	for _, m := range ready(list, &o, &r, func(*memory.Memory) string { return "" }) {
		line, err := json.Marshal(record(m), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return nil, Report{}, err
		}
		out = append(append(out, line...), '\n')
		r.Written = append(r.Written, m.ID)
	}
	return out, r, nil
}

// path replaces the name of a user in a path.
func (o *Options) path(name string) string {
	return secret.Replace(name, o.Scanner.FindInPath(name), func(h secret.Hit) string { return secret.Placeholder(h.Rule, 0) })
}
