package export

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// Tree is the messages of sessions that begin alike, each once.
type Tree struct {
	ID         string
	Tools      string // as Sample.Tools
	Provenance string // as Sample.Provenance
	Nodes      []Node
}

// Node is a message after those on the way to it.
type Node struct {
	Message
	Parent  int    // the place of the message before it, −1 for none; always an earlier one
	Sampled bool   // a model gave it to exactly what stands before it
	By      string // the curator who wrote it, "" for none
}

// treeForm is how a format writes trees.
type treeForm struct {
	encode func(dst []byte, t *Tree) []byte
	decode func(t *Tree, record []byte) error
}

// Tree reports whether the format writes trees of messages, each a session with its
// branches: such an export is always on policy.
func (e *Emitter) Tree() bool { return e.tree != nil }

// Converts says why files can't be converted to the format, nil: they can.
func (e *Emitter) Converts() error {
	switch {
	case e.Pairs():
		return ErrNoPairs
	case e.Tree():
		return ErrNoTrees
	}
	return nil
}

// ErrNoTrees is returned for a format of trees where it is not known what a model wrote.
var ErrNoTrees = errors.New("a tree says which answers a model gave to exactly what stands before them, and a file does not tell: import it, judge, and export")

func encodeTree(dst []byte, t *Tree) []byte {
	dst = appendField(append(dst, '{'), "id", t.ID)
	dst = appendField(dst, "tools", t.Tools)
	dst = appendList(dst, "nodes", len(t.Nodes), func(dst []byte, i int) []byte {
		n := &t.Nodes[i]
		dst = appendKey(append(dst, '{'), "parent")
		if n.Parent < 0 {
			dst = append(dst, "null"...)
		} else {
			dst = strconv.AppendInt(dst, int64(n.Parent), 10)
		}
		dst = appendChatMessage(appendKey(dst, "message"), &n.Message)
		dst = strconv.AppendBool(appendKey(dst, "sampled"), n.Sampled)
		dst = strconv.AppendBool(appendKey(dst, "train"), n.Train)
		dst = appendKey(dst, "by")
		if n.By == "" {
			dst = append(dst, "null"...)
		} else {
			dst = rawjson.AppendString(dst, n.By)
		}
		return append(dst, '}')
	})
	return append(appendField(dst, "provenance", t.Provenance), "}\n"...)
}

// wireTree is a tree as it is written.
type wireTree struct {
	ID         string         `json:"id"`
	Tools      jsontext.Value `json:"tools"`
	Nodes      []wireNode     `json:"nodes"`
	Provenance string         `json:"provenance"`
}

type wireNode struct {
	Parent  *int        `json:"parent"`
	Message wireMessage `json:"message"`
	Sampled bool        `json:"sampled"`
	Train   bool        `json:"train"`
	By      string      `json:"by"`
}

func decodeTree(t *Tree, record []byte) (err error) {
	var w wireTree
	if err := json.Unmarshal(record, &w); err != nil {
		return err
	}
	t.ID, t.Provenance = w.ID, w.Provenance
	if t.Tools, err = toolsOf(w.Tools); err != nil {
		return err
	}
	if v := jsontext.Value(t.Provenance); v.Kind() != isObject || !v.IsValid() {
		return errors.New("provenance is not a JSON object")
	}
	for i := range w.Nodes {
		one := &w.Nodes[i]
		s := Sample{}
		if err := s.addMessages([]wireMessage{one.Message}); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		n := Node{Message: s.Messages[0], Parent: -1, Sampled: one.Sampled, By: one.By}
		if n.N, n.Train = i+1, one.Train; one.Parent != nil {
			n.Parent = *one.Parent
		}
		if n.Parent >= i || one.Parent != nil && n.Parent < 0 {
			return fmt.Errorf("node %d: its parent %d does not stand before it", i, n.Parent)
		}
		if n.Role != chat.Assistant && (n.Sampled || n.Train) {
			return fmt.Errorf("node %d: only an assistant's message is sampled or trained", i)
		}
		t.Nodes = append(t.Nodes, n)
	}
	return nil
}

// ReadTree reads one record back, without its line end, and fails on anything the
// format does not write.
func (e *Emitter) ReadTree(record []byte) (*Tree, error) {
	t := &Tree{}
	if err := e.tree.decode(t, record); err != nil {
		return nil, err
	}
	if again := e.tree.encode(nil, t); !bytes.Equal(bytes.TrimSuffix(again, []byte{'\n'}), record) {
		return nil, errNotAsWritten
	}
	return t, nil
}

// Samples returns the paths of a tree that end with something to train, in the order
// of their ends. A node that several share trains in the first one only.
func (t *Tree) Samples() (samples []*Sample) {
	inner := make([]bool, len(t.Nodes)) // something trains below
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		if p := t.Nodes[i].Parent; p >= 0 && (inner[i] || t.Nodes[i].Train) {
			inner[p] = true
		}
	}
	met := make([]bool, len(t.Nodes))
	for i := range t.Nodes {
		if !t.Nodes[i].Train || inner[i] {
			continue
		}
		s := &Sample{ID: t.ID, Tools: t.Tools, Provenance: t.Provenance, exact: true}
		for at := i; at >= 0; at = t.Nodes[at].Parent {
			m := t.Nodes[at].Message
			m.Train, met[at] = m.Train && !met[at], true
			s.Messages = append(s.Messages, m)
		}
		reverse(s.Messages)
		samples = append(samples, s)
	}
	return samples
}

func reverse(list []Message) {
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
}

// CheckTree lists what keeps a tree from being written, without changing it.
func (e *Emitter) CheckTree(t *Tree) (found []Finding) {
	samples := t.Samples()
	if len(samples) == 0 {
		return []Finding{{Check: "no_assistant", Detail: "no assistant message to train on"}}
	}
	for _, s := range samples {
		found = append(found, e.Check(s)...)
	}
	return found
}

// treeMaker puts samples together, each message once.
type treeMaker struct {
	tree Tree
	at   map[[sha256.Size]byte]int
	buf  []byte
}

// add adds the messages of a sample.
func (t *treeMaker) add(s *Sample) {
	parent := -1
	for i := range s.Messages {
		m := &s.Messages[i]
		at, _ := t.node(parent, m)
		n := &t.tree.Nodes[at]
		n.Train, n.Sampled = n.Train || m.Train, n.Sampled || m.sampled
		if n.By == "" {
			n.By = m.by
		}
		if m.was != nil {
			if beside, isNew := t.node(parent, m.was); isNew {
				t.tree.Nodes[beside].Sampled = m.was.sampled
			}
		}
		parent = at
	}
}

// node returns the place of a message after another one, and whether it was not there
// before.
func (t *treeMaker) node(parent int, m *Message) (at int, isNew bool) {
	t.buf = appendChatMessage(strconv.AppendInt(t.buf[:0], int64(parent), 10), m)
	sum := sha256.Sum256(t.buf)
	if at, met := t.at[sum]; met {
		return at, false
	}
	if t.at == nil {
		t.at = map[[sha256.Size]byte]int{}
	}
	own := *m
	own.Train, own.was = false, nil
	t.at[sum] = len(t.tree.Nodes)
	t.tree.Nodes = append(t.tree.Nodes, Node{Message: own, Parent: parent})
	return t.at[sum], true
}
