package session

import (
	"cmp"
	"crypto/sha256"
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// digest identifies a text.
type digest [16]byte

func digestOf(text string) digest {
	sum := sha256.Sum256([]byte(text))
	return digest(sum[:16])
}

// event reads what Codex told its screen.
func (c *codexReader) event(val []byte) outcome {
	ev := c.open(payload, val)
	kind := ev.Get("type")
	if !rawjson.IsText(kind) {
		return skipped("codex event without a type")
	}
	switch kind := c.name(kind); kind {
	case "user_message", "agent_message":
		return c.said(kind, ev)
	case "agent_reasoning", "agent_reasoning_raw_content":
		return c.reasoned(kind, textual(ev.Get("text")))
	case "token_count":
		return c.tokens(ev.Get("info"))
	case "thread_name_updated":
		return c.told(Meta{Title: textual(ev.Get("thread_name"))})
	case "thread_rolled_back":
		return c.rolledBack(ev.Get("num_turns"))
	case "turn_aborted":
		c.close()
		return c.ended(false)
	case "error":
		return c.ended(false)
	case "task_complete", "turn_complete":
		c.close()
		if failure := ev.Get("error"); rawjson.IsObject(failure) || rawjson.IsText(failure) {
			return c.ended(false)
		}
		if textual(ev.Get("last_agent_message")) != "" {
			return c.ended(true)
		}
	case "task_started", "turn_started":
		c.close()
	}
	return skipped("codex event: " + shownText(kind))
}

func (c *codexReader) ended(completed bool) outcome {
	c.metas++
	c.completed(completed)
	return read()
}

// completed tells whether the last turn came to its end.
func (c *codexReader) completed(completed bool) {
	c.c.failed = !completed
	c.tell(Meta{Completed: &completed})
}

// said reads an event with a message. It counts as long as no response item
// held one: then the file has only events, or the item is still to come and
// will be found to be a copy.
func (c *codexReader) said(kind string, ev *rawjson.Object) outcome {
	if c.c.items {
		return skipped("codex event: " + kind)
	}
	role := chat.User
	if kind == "agent_message" {
		role = chat.Assistant
	}
	m := c.speak(role, nil)
	text := textual(ev.Get("message"))
	c.text.add(text, "")
	for _, list := range [...][]byte{ev.Get("images"), ev.Get("local_images")} {
		c.imagesBeside(m, list)
	}
	m.Content = c.text.take()
	out := c.given(m)
	if out.as == asRead {
		c.c.said, c.c.saidAt = digestOf(text), c.t.messages
		if m.Role == chat.User {
			c.mark(m)
		}
	}
	return out
}

// reasoned reads an event with reasoning, which may be all that can be read of
// it, or the same as in a response item before or after it.
func (c *codexReader) reasoned(kind, text string) outcome {
	known := c.thought(text) || kind == "agent_reasoning" && c.isOpen() && c.c.readable
	if known || strings.TrimSpace(text) == "" {
		return skipped("codex event: " + kind)
	}
	m := c.answer(nil)
	m.Reasoning = text
	return c.given(m)
}

// tokens reads the counts of the session so far, which come more than once.
func (c *codexReader) tokens(info []byte) outcome {
	total := rawjson.Get(info, "total_token_usage")
	used := c.usage(rawjson.Get(info, "last_token_usage"))
	if rawjson.IsObject(total) {
		sum := c.usage(total)
		if used = sum.Minus(c.c.total); used.Input < 0 || used.Output < 0 || used.Cached < 0 {
			used = sum // counted anew
		}
		c.c.total = sum
	}
	if used == (Usage{}) {
		return skipped("codex event: token_count")
	}
	return c.told(Meta{Usage: used})
}

func (c *codexReader) usage(val []byte) Usage {
	o := c.open(inner, val)
	return Usage{Input: countsOf(o, "input_tokens"), Output: countsOf(o, "output_tokens"), Cached: countsOf(o, "cached_input_tokens")}
}

// asides begin user messages that Codex wrote itself.
var asides = [...]string{"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>",
	"<skill>", "<user_shell_command>", "<subagent_notification>"}

// mark remembers a prompt, to which the user may go back.
func (c *codexReader) mark(m *chat.Message) {
	text := strings.TrimLeft(m.Content, blanks)
	for _, aside := range asides {
		if strings.HasPrefix(text, aside) {
			c.t.aside(m.Content, c.t.messages)
			return
		}
	}
	id := cmp.Or(c.t.native, m.Timestamp) + "#L" + strconv.FormatInt(c.line, 10)
	c.mem.tree.add(id, c.t.key, c.t.messages)
	c.mem.tree.seal(id, sum([]byte(m.Content)))
	c.mem.tree.place(id, c.t.messages, c.t.messages)
}

// rolledBack takes back the last prompts with all that followed: they become
// a branch.
func (c *codexReader) rolledBack(turns []byte) outcome {
	c.close()
	t, left := &c.mem.tree, countOf(turns)
	at := -1
	for i := len(t.nodes) - 1; i >= 0 && left > 0; i-- {
		if n := &t.nodes[i]; n.key == c.t.key {
			at = n.last - 1
			left--
		}
	}
	if at < 0 {
		return skipped("codex event: thread_rolled_back")
	}
	c.metas++
	c.goBack(c.t.key, c.t.key, at)
	return read()
}
