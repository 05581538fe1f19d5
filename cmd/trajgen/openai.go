package main

// openAI writes one message per line, with results in lines of their own.
type openAI struct {
	*page
	a *author
}

// begin writes the metadata line that some recorders put first.
func (r *openAI) begin() {
	if r.a.plain || r.a.rng.IntN(2) == 0 {
		return
	}
	r.put(`{"_type": "metadata", "key": "`, r.a.id, `", "created_at": "`, r.a.now, `", "metadata": {"model": "`, r.a.model, "\"}}\n")
}

func (r *openAI) end() {}

func (r *openAI) message(m *message) { r.page.openAI(m, "", parts{`, "timestamp": "`, m.at, "\"}\n"}) }

// openAI writes a message, or each of its results, between what is put before
// and after. The closing brace is not written.
func (p *page) openAI(m *message, before, after any) {
	for _, r := range m.results {
		p.put(before, `{"role": "tool", "tool_call_id": "`, r.id, `", "name": "`, r.tool, `", "content": "`, r.content, `"`, after)
	}
	if m.role == "tool" {
		return
	}
	p.put(before, `{"role": "`, m.role, `", `)
	if !m.reasoning.empty() {
		p.put(`"reasoning_content": "`, m.reasoning, `", `)
	}
	if len(m.calls) > 0 {
		p.put(`"tool_calls": [`)
		var list commas
		for _, c := range m.calls {
			p.put(&list, `{"id": "`, c.id, `", "type": "function", "function": {"name": "`, c.tool.name, `", "arguments": "`, nested{c.args}, `"}}`)
		}
		p.put(`], `)
	}
	if m.content.empty() {
		p.put(`"content": null`, after)
		return
	}
	p.put(`"content": "`, m.content, `"`, after)
}
