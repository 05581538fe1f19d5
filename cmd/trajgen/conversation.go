package main

// conversation writes a session as one line: its messages in OpenAI style,
// and the tools beside them.
type conversation struct {
	*page
	a    *author
	list commas
}

func (r *conversation) begin() {
	r.put(`{"id": "`, r.a.id, `", "model": "`, r.a.model, `", "messages": [`)
}

func (r *conversation) end() {
	r.put(`], "tools": [`, definitions(`{"type": "function", "function": {`, `}}`), "]}\n")
}

func (r *conversation) message(m *message) { r.openAI(m, &r.list, "}") }
