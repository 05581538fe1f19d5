package main

// anthropic writes one message per line with its content in blocks; results
// are in the next user line.
type anthropic struct{ *page }

func (r *anthropic) begin() {}
func (r *anthropic) end()   {}

func (r *anthropic) message(m *message) {
	role, model, stop := m.role, "", ""
	switch {
	case role == "tool":
		role = "user"
	case role == "assistant" && len(m.calls) > 0:
		stop = `"stop_reason": "tool_use", `
	case role == "assistant":
		stop = `"stop_reason": "end_turn", `
	}
	if m.model != "" {
		model = `"model": "` + m.model + `", `
	}
	r.put(`{"role": "`, role, `", `, model, `"content": [`)
	r.blocks(m)
	r.put(`], `, stop, `"timestamp": "`, m.at, "\"}\n")
}

func (r *anthropic) blocks(m *message) {
	var list commas
	if !m.reasoning.empty() {
		r.put(&list, `{"type": "thinking", "thinking": "`, m.reasoning, `", "signature": "`, signature(1), `"}`)
	}
	if !m.content.empty() {
		r.put(&list, `{"type": "text", "text": "`, m.content, `"}`)
	}
	for _, res := range m.results {
		failed := ""
		if res.failed {
			failed = `"is_error": true, `
		}
		r.put(&list, `{"type": "tool_result", "tool_use_id": "`, res.id, `", `, failed, `"content": "`, res.content, `"}`)
	}
	for _, c := range m.calls {
		r.put(&list, `{"type": "tool_use", "id": "`, c.id, `", "name": "`, c.tool.name, `", "input": `, c.args, `}`)
	}
}
