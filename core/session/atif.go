package session

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"winnow/core/rawjson"
)

// The Agent Trajectory Interchange Format of the Harbor project, versions 1.0
// to 1.7: one document per run, with a list of steps.
//
// A run that outgrew its context goes on in another document, which repeats
// steps of the one before (is_copied_context). They are left out, as a message
// is in one session only, but for the last of them if it is what the first new
// step answers to: Terminus hands over with a message that stands nowhere else.
//
// Both documents may have one session_id. A continuation is therefore called
// "<session_id>-cont-<n>", as Terminus does, with n from its agent's
// continuation_index; it goes on where n−1, or for 1 the plain id, ended.
//
// The trajectory of a sub-agent stands in a file of its own, or is embedded in
// the document of the parent: then it is a session beside it, with the key
// "s=<trajectory_id>".

// acceptsATIF takes documents that name the schema, whatever its version.
func acceptsATIF(o *object, _ *memory, _ bool) bool {
	return bytes.HasPrefix(o.Get("schema_version"), []byte(`"ATIF`))
}

// maxEmbedded is how deep sub-agents may stand in the documents of their
// parents; each level is gone over once more.
const maxEmbedded = 8

func decodeATIF(o *object, e *entry) outcome {
	type level struct {
		rest   rawjson.Cursor[[]byte]
		parent *trajectory
	}
	root := &trajectory{opening: opening{entry: e}}
	root.document(o.In)
	root.name()
	root.read()
	if root.prefix = root.key; !root.gave && rawjson.IsList(root.embedded) {
		root.prefix = e.newKey()
	}
	gave, levels, keys := root.gave, []level{{rawjson.Within(root.embedded), root}}, map[string]bool{}
	for len(levels) > 0 {
		top := &levels[len(levels)-1]
		doc, ok := top.rest.Element()
		switch {
		case !ok:
			levels = levels[:len(levels)-1]
			continue
		case !rawjson.IsObject(doc):
			e.note("embedded trajectory is no object, left out", rawjson.Kind(doc))
			continue
		}
		t := &trajectory{opening: opening{entry: e}}
		t.document(doc)
		t.nameUnder(top.parent, keys)
		t.read()
		gave = gave || t.gave
		switch {
		case !rawjson.IsList(t.embedded):
		case len(levels) == maxEmbedded:
			e.note("sub-agents of sub-agents are nested too deep and left out", "")
		default:
			levels = append(levels, level{rawjson.Within(t.embedded), t})
		}
	}
	if !gave {
		return skipped("atif trajectory without a message")
	}
	return read()
}

// trajectory is one document, or one that is embedded in another.
type trajectory struct {
	opening
	session, id, parent string // ids as recorded
	nth                 int64  // which continuation it is, 0 for none
	steps               []byte
	embedded            []byte // trajectories of sub-agents
	prefix              string // of the keys of embedded ones
	totals              Usage  // of the whole run

	// started tells where embedded sub-agents were started, by the id of
	// their trajectory.
	started  map[string]Origin
	measured bool   // steps tell what they used
	handover []byte // the last copied step, if a user's
}

// document reads all but the steps.
func (t *trajectory) document(doc []byte) {
	var more extra
	for key, val := range rawjson.Pairs(doc) {
		switch string(rawjson.Unescape(rawjson.Inner(key))) {
		case "session_id":
			t.session = rawjson.Recorded(val)
		case "trajectory_id":
			t.id = rawjson.Recorded(val)
		case "steps":
			t.steps = val
			continue
		case "subagent_trajectories":
			t.embedded = val
			continue
		case "agent":
			if rest := t.agent(val); rest != "" {
				more.member(key, []byte(rest))
				continue
			}
		case "final_metrics":
			t.totals = t.usage(val, "total_")
		}
		more.member(key, val)
	}
	t.meta.Extra = more.object()
	if rawjson.IsList(t.embedded) {
		t.started = map[string]Origin{}
	}
}

// agent reads what is told of the agent, and returns it without its tools,
// which have a field of their own.
func (t *trajectory) agent(val []byte) string {
	var rest extra
	for key, val := range rawjson.Pairs(val) {
		switch string(rawjson.Unescape(rawjson.Inner(key))) {
		case "tool_definitions":
			if rawjson.IsList(val) {
				t.meta.Tools = string(val)
				continue
			}
		case "model_name":
			t.meta.Model = textual(val)
		case "extra":
			t.nth = countOf(rawjson.Get(val, "continuation_index"))
			t.parent = textual(rawjson.Get(val, "parent_session_id"))
		}
		rest.member(key, val)
	}
	return rest.object()
}

// continued stands between the id of a run and the number of its continuation.
const continued = "-cont-"

// name names the session of a document, and where it comes from.
func (t *trajectory) name() {
	id := cmp.Or(t.id, t.session)
	base := id
	if i := strings.LastIndex(id, continued); i > 0 {
		if n, err := strconv.ParseUint(id[i+len(continued):], 10, 31); err == nil && n > 0 {
			base, t.nth = id[:i], int64(n)
		}
	}
	t.meta.NativeID = id
	switch {
	case t.nth > 0 && base != "":
		t.meta.NativeID = base + continued + strconv.FormatInt(t.nth, 10)
		t.meta.Origin = Origin{Kind: Continuation, NativeID: base}
		if t.nth > 1 {
			t.meta.Origin.NativeID += continued + strconv.FormatInt(t.nth-1, 10)
		}
	case t.parent != "" && t.parent != id:
		t.meta.Origin = Origin{Kind: Subagent, NativeID: t.parent}
	}
}

// nameUnder names the session of an embedded document. keys has the names that
// are taken.
func (t *trajectory) nameUnder(parent *trajectory, keys map[string]bool) {
	id := memorable(t.id)
	key := "s=" + id
	if t.prefix = parent.prefix; t.prefix != "" {
		key = t.prefix + "." + key
	}
	for id == "" || keys[key] {
		key += "." + strconv.Itoa(len(keys)+1)
		if !keys[key] {
			break
		}
	}
	keys[key] = true
	t.as = &thread{key: key}
	t.meta.NativeID = t.id // the session_id is mostly that of the whole run
	if parent.gave {
		t.meta.Origin = parent.started[t.id]
		t.meta.Origin.Kind, t.meta.Origin.Key = Subagent, parent.key
	}
}
