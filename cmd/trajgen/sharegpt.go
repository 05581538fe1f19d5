package main

// shareGPT writes a session as one line, as Hermes agents record it: the
// tools in a generated system prompt, reasoning, calls and results as tags
// inside of the texts.
type shareGPT struct {
	*page
	a *author
	// open says that the last message was not an answer: the session was
	// broken off.
	open bool
	list commas
}

func (r *shareGPT) begin() { r.put(`{"conversations": [`) }

func (r *shareGPT) end() {
	completed := "true"
	if r.open {
		completed = "false"
	}
	at := r.a.now.Format("2006-01-02T15:04:05.000000")
	r.put(`], "timestamp": "`, at, `", "model": "`, r.a.model, `", "completed": `, completed, "}\n")
}

func (r *shareGPT) message(m *message) {
	r.open = m.role != "assistant" || len(m.calls) > 0
	switch m.role {
	case "system":
		r.turn("system", r.prompt)
	case "user":
		r.turn("human", func() { r.text(m.content) })
	case "assistant":
		r.turn("gpt", func() { r.said(m) })
	case "tool":
		r.turn("tool", func() { r.responses(m.results) })
	}
}

// turn writes one entry; value writes what is between its quotes.
func (r *shareGPT) turn(from string, value func()) {
	r.put(&r.list, `{"from": "`, from, `", "value": "`, value, `"}`)
}

// prompt writes the system prompt, which names the tools and the tags.
func (r *shareGPT) prompt() {
	r.put(`You are an AI model that calls functions. Their signatures stand between <tools> </tools> tags; call one or more of them `+
		`where that helps with the request, and answer in plain language where it does not. Do not invent values for arguments. `+
		`Results come back between <tool_response> </tool_response> tags.\n<tools>\n[`,
		nested{definitions("{", `, "required": null}`)},
		`]\n</tools>\nWrite each call between <tool_call> </tool_call> tags, as an object with name and arguments:\n`+
			`<tool_call>\n{'name': <function-name>, 'arguments': <args-dict>}\n</tool_call>`)
}

// said writes what an assistant thought, said and called.
func (r *shareGPT) said(m *message) {
	r.put(`<think>\n`)
	if !m.reasoning.empty() {
		r.put(m.reasoning, `\n`)
	}
	r.put(`</think>`)
	if !m.content.empty() {
		r.put(`\n`, m.content)
	}
	for _, c := range m.calls {
		r.put(`\n<tool_call>\n`, nested{`{"name": "`, c.tool.name, `", "arguments": `, c.args, `}`}, `\n</tool_call>`)
	}
}

// responses writes results: objects with the text as a string inside of the
// string that the value is.
func (r *shareGPT) responses(results []result) {
	for i, res := range results {
		if i > 0 {
			r.put(`\n`)
		}
		r.put(`<tool_response>\n`,
			nested{`{"tool_call_id": "`, res.id, `", "name": "`, res.tool, `", "content": "`, res.content, `"}`}, `\n</tool_response>`)
	}
}
