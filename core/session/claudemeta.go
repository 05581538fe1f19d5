package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// answered tells what an answer used, and remembers which of its calls give a
// task to a sub-agent.
func (c *claude) answered(t *thread, a *spoken) {
	if a.usage != nil {
		c.used(a.turn, c.usage(a.usage))
	}
	if a.model != "" && a.model != t.model && a.model != chat.NoModel && t.messages > 0 {
		t.model = memorable(a.model)
		c.tell(Meta{Model: a.model})
	}
	for _, call := range c.msg.ToolCalls {
		if call.Name == "Task" || call.Name == "Agent" {
			t.tasked(call.ID, promptSum(textual([]byte(rawjson.Get(call.Arguments, "prompt")))))
		}
	}
}

// usage reads the tokens of an answer: those read from a cache and those that
// filled it are counted beside the input.
func (c *claude) usage(val []byte) Usage {
	o := c.open(inner, val)
	return Usage{
		Input:  countsOf(o, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
		Output: countsOf(o, "output_tokens"), Cached: countsOf(o, "cache_read_input_tokens"),
	}
}

// extra returns what is recorded beside a session's first message.
func (c *claude) extra() string {
	if c.document != nil {
		return ""
	}
	var rest extra
	for i := range c.o.Fields {
		switch name, _ := c.o.At(i); string(name) {
		case "version", "gitBranch", "slug", "teamName", "agentName", "entrypoint", "claude_code_version":
			rest.field(c.o, i)
		}
	}
	return rest.object()
}

// facts tells what the first message of a session tells about it.
func (c *claude) facts(t *thread) {
	meta := Meta{Dir: textual(c.in.Get("cwd")), Extra: c.extra()}
	if c.document != nil {
		meta.NativeID = c.session
	} else if c.session != "" {
		meta.NativeID = t.native
	}
	tree := &c.mem.tree
	if t.side {
		meta.Origin = c.task(t)
	} else if n := tree.find(c.parent); n != nil && c.continues(t, n) {
		b := branch{key: t.key, parent: n.key, at: n.last, kind: Continuation}
		tree.leave(b)
		meta.Origin = b.origin()
	}
	c.tell(meta)
}

// continues reports whether a session that begins after an entry of another
// goes on with that.
func (c *claude) continues(t *thread, n *node) bool {
	root := c.mem.known(c.mem.tree.root(n.key))
	return root != nil && root != t && !root.side && c.document == nil
}

// told tells metadata of the entry's session.
func (c *claude) told(meta Meta) outcome {
	c.use(c.main())
	c.pass()
	c.t.titled = max(c.t.titled, untitled)
	return c.entry.told(meta)
}

// How good a title is. A summary that names an entry elsewhere, as they stand
// at the beginning of files, is better than none. untitled says that something
// else was told.
const (
	untitled byte = 1 + iota
	titleElsewhere
	titleOfSummary
	titleOfModel
	titleByUser
)

func (c *claude) titleEntry() outcome {
	title := c.in.Get("summary", "customTitle", "aiTitle")
	if !rawjson.IsText(title) {
		c.pass()
		return skipped("entry of type " + c.kind)
	}
	rank := titleElsewhere
	switch leaf := c.mem.tree.find(textual(c.in.Get("leafUuid"))); {
	case c.kind == "custom-title":
		rank = titleByUser
	case c.kind == "ai-title":
		rank = titleOfModel
	case leaf != nil:
		rank = titleOfSummary
		if c.session == "" && c.document == nil {
			if t := c.mem.known(c.mem.tree.root(leaf.key)); t != nil && !t.side {
				c.session = t.native
			}
		}
	}
	c.use(c.main())
	if c.metas++; rank >= c.t.titled {
		c.t.titled = rank
		c.tell(Meta{Title: rawjson.Unquote(title)})
	}
	return read()
}

// claudeDocument reads a document with all entries of a session in a list.
func (e *entry) claudeDocument(o *object, list []byte) outcome {
	t := e.mem.thread(e.newKey())
	e.use(t)
	gave, rest := false, opening{entry: e}
	rest.objects(list, func(val []byte) {
		c := claude{entry: e, o: o, in: e.open(payload, val), document: t}
		if out := c.decode(); out.as == asRead {
			gave = true
		} else {
			rest.leave(out)
		}
	})
	rest.account()
	if !gave {
		return skipped("loglines without a message")
	}
	return read()
}
