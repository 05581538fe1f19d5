package main

import (
	"fmt"
	"time"
)

// claudeCode writes the lines that Claude Code keeps of a session: a chain of
// entries, each naming the one before it. A turn of the assistant takes a line
// per block, results come in lines of the user, and between them are lines
// that carry no message.
type claudeCode struct {
	*page
	a       *author
	session string
	cwd     string
	branch  string
	parent  string            // the entry before; "" at the beginning
	callers map[string]string // the entries of the open calls by their ids
	turns   int
}

func newClaudeCode(p *page, a *author) *claudeCode {
	r := &claudeCode{page: p, a: a, branch: "main", callers: map[string]string{}}
	r.session = r.uuid()
	r.cwd = "/home/dev/" + folders[a.rng.IntN(len(folders))]
	if a.rng.IntN(2) == 0 {
		r.branch = verbs[a.rng.IntN(len(verbs))] + "-" + nouns[a.rng.IntN(len(nouns))]
	}
	return r
}

// begin writes the title that a resumed session has, and what hooks reported.
func (r *claudeCode) begin() {
	if r.a.plain {
		return
	}
	if r.a.rng.IntN(3) == 0 {
		r.put(`{"type":"summary","summary":"`, r.one(asks), `","leafUuid":"`, r.uuid(), "\"}\n")
	}
	r.progress("SessionStart")
}

func (r *claudeCode) end() {}

func (r *claudeCode) message(m *message) {
	switch m.role {
	case "user":
		r.asked(m)
	case "assistant":
		r.said(m)
	case "tool":
		for i := range m.results {
			r.result(m, &m.results[i])
		}
		if !r.a.plain && r.a.rng.IntN(3) == 0 {
			r.progress("PostToolUse")
		}
	}
}

// asked writes what the user typed, after the state of the files.
func (r *claudeCode) asked(m *message) {
	id := r.uuid()
	if !r.a.plain {
		r.put(`{"type":"file-history-snapshot","messageId":"`, id, `","snapshot":{"messageId":"`, id,
			`","trackedFileBackups":{},"timestamp":"`, m.at, "\"},\"isSnapshotUpdate\":false}\n")
	}
	r.entry(id, m.at, `"type":"user","message":{"role":"user","content":"`, m.content, `"},`)
}

// said writes a turn of the assistant.
func (r *claudeCode) said(m *message) {
	r.turns++
	turn := fmt.Sprintf("%s%04d", r.a.id, r.turns)
	if !m.reasoning.empty() {
		r.block(m, turn, `{"type":"thinking","thinking":"`, m.reasoning, `","signature":"`, signature(24), `"}`)
	}
	if !m.content.empty() {
		r.block(m, turn, `{"type":"text","text":"`, m.content, `"}`)
	}
	for _, c := range m.calls {
		r.block(m, turn, `{"type":"tool_use","id":"`, c.id, `","name":"`, c.tool.name, `","input":`, c.args, `}`)
		r.callers[c.id] = r.parent
	}
	if len(m.calls) == 0 && !r.a.plain { // the user waited for its end
		r.progress("Stop")
		r.entry("", m.at, `"type":"system","subtype":"turn_duration","durationMs":`, below(300000), `,"isMeta":false,`)
	}
}

// block writes the line of one block of a turn.
func (r *claudeCode) block(m *message, turn string, block ...any) {
	r.entry("", m.at, `"message":{"model":"claude-opus-4-5-20251101","id":"msg_`, turn,
		`","type":"message","role":"assistant","content":[`, parts(block), `],"stop_reason":null,"stop_sequence":null,`,
		`"usage":{"input_tokens":`, below(20), `,"cache_creation_input_tokens":`, below(9000),
		`,"cache_read_input_tokens":`, below(150000), `,"output_tokens":`, below(900), `,"service_tier":"standard"}},`,
		`"requestId":"req_`, turn, `","type":"assistant",`)
}

// result writes what a tool gave back, twice: as the model gets it, and as the
// screen shows it.
func (r *claudeCode) result(m *message, res *result) {
	caller := r.callers[res.id]
	delete(r.callers, res.id)
	r.parent = caller // calls made in parallel are answered each on its own
	failed, before, after := "false", `{"stdout":"`, `","stderr":"","interrupted":false,"isImage":false}`
	if res.failed {
		failed, before, after = "true", `"`, `"`
	}
	rng, clock := *r.pcg, r.clock
	again := func() { *r.pcg, r.clock = rng, clock } // the next text is the same
	r.entry("", m.at, `"type":"user","message":{"role":"user","content":[{"tool_use_id":"`, res.id, `","type":"tool_result","content":"`,
		res.content, `","is_error":`, failed, `}]},"toolUseResult":`, before, again, res.content, after,
		`,"sourceToolAssistantUUID":"`, caller, `",`)
}

// progress writes what a hook reported.
func (r *claudeCode) progress(event string) {
	r.entry("", r.a.now, `"type":"progress","data":{"type":"hook_progress","hookEvent":"`, event,
		`","hookName":"`, event, `","command":"make hooks"},`)
}

// entry writes a line of the chain: what all of them have, around its own
// parts. The next one names its id, "" for one that is drawn.
func (r *claudeCode) entry(id string, at time.Time, own ...any) {
	parent := "null"
	if r.parent != "" {
		parent = `"` + r.parent + `"`
	}
	r.put(`{"parentUuid":`, parent, `,"isSidechain":false,"userType":"external","cwd":"`, r.cwd, `","sessionId":"`, r.session,
		`","version":"2.1.17","gitBranch":"`, r.branch, `",`, parts(own))
	if id == "" {
		id = r.uuid()
	}
	r.put(`"uuid":"`, id, `","timestamp":"`, at, "\"}\n")
	r.parent = id
}

// uuid draws a version 4 identifier.
func (r *claudeCode) uuid() string {
	x, y := r.pcg.Uint64(), r.pcg.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", x>>32, x>>16&0xffff, x&0xfff, y>>52, y&(1<<48-1))
}
