package tell

import (
	"encoding/hex"
	"time"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
	"winnow/core/textdiff"
	"winnow/core/versions"
	"winnow/core/versions/tree"
)

type effectRow struct {
	Answers int `json:"answers"`
	Sampled int `json:"sampled"` // answers that a model gave to exactly what stands before them
}

type editRow struct {
	N    int      `json:"n"`
	Part int      `json:"part,omitzero"`
	Op   edit.Op  `json:"op,omitzero"` // "" is what was recorded
	Why  edit.Why `json:"why,omitzero"`
}

type versionRow struct {
	Entry   int64         `json:"entry"`
	At      time.Time     `json:"at"`
	By      string        `json:"by"`
	Action  review.Action `json:"action"`
	Target  int64         `json:"target,omitzero"`
	Undone  bool          `json:"undone,omitzero"`
	Note    string        `json:"note,omitzero"`
	Changes []editRow     `json:"changes"`
	Broke   bool          `json:"broke"`
	Copies  int           `json:"copies"` // answers after it that nobody sampled there
	effectRow
	Waits int    `json:"waits,omitzero"` // edits not in force, as the recorded text changed
	Lost  string `json:"lost,omitzero"`  // why nothing can be brought back to it
}

type besideRow struct {
	Kind     string         `json:"kind"`
	Session  string         `json:"session"`
	Title    string         `json:"title,omitzero"`
	Messages int            `json:"messages"`
	At       int            `json:"at,omitzero"`
	Verdicts map[string]int `json:"verdicts,omitzero"`
	By       string         `json:"by,omitzero"`
	AtAnswer bool           `json:"at_answer,omitzero"`
	Pair     bool           `json:"pair,omitzero"`
}

type nodeRow struct {
	ID      string    `json:"id"`
	Parent  string    `json:"parent"` // "" of the first
	N       int       `json:"n"`
	Part    int       `json:"part,omitzero"`
	Session string    `json:"session"`
	Role    chat.Role `json:"role"`
	Sampled bool      `json:"sampled"`
	By      string    `json:"by,omitzero"`
	Why     edit.Why  `json:"why,omitzero"`
	Entry   int64     `json:"entry,omitzero"`
}

// Tree is a tree in JSON.
type Tree struct {
	Session  string       `json:"session"`
	Title    string       `json:"title"`
	Messages int          `json:"messages"`
	Recorded effectRow    `json:"recorded"`
	Versions []versionRow `json:"versions"`
	Beside   []besideRow  `json:"beside"`
	Nodes    []nodeRow    `json:"nodes"`
}

// TreeOf returns the row of a tree.
func TreeOf(t *tree.Tree, nodes []tree.Node) Tree {
	row := Tree{
		Session: t.Session.ID, Title: TitleText(&t.Session), Messages: t.Session.Messages,
		Recorded: effectRow{t.Recorded.Answers, t.Recorded.Sampled},
		Versions: []versionRow{}, Beside: []besideRow{}, Nodes: make([]nodeRow, len(nodes)),
	}
	for i := range t.Versions {
		row.Versions = append(row.Versions, versionOf(&t.Versions[i]))
	}
	for i := range t.Beside {
		b := &t.Beside[i]
		one := besideRow{Kind: string(b.Kind), Session: b.ID, Title: b.Title, Messages: b.Messages, At: b.At, By: b.Verdicts.By, AtAnswer: b.AtAnswer, Pair: b.Pair}
		one.Verdicts = map[string]int{}
		for verdict, n := range map[review.Verdict]int{review.Approved: b.Verdicts.Approved, review.Rejected: b.Verdicts.Rejected, review.Unsure: b.Verdicts.Unsure, review.Pending: b.Verdicts.Pending} {
			if n > 0 {
				one.Verdicts[string(verdict)] = n
			}
		}
		row.Beside = append(row.Beside, one)
	}
	for i := range nodes {
		n := &nodes[i]
		row.Nodes[i] = nodeRow{hex.EncodeToString(n.ID[:]), "", n.N, n.Part, n.Session, n.Role, n.Sampled, n.By, n.Why, n.Entry}
		if n.Parent != (graph.NodeID{}) {
			row.Nodes[i].Parent = hex.EncodeToString(n.Parent[:])
		}
	}
	return row
}

func versionOf(v *versions.Version) versionRow {
	row := versionRow{
		Entry: v.Entry, At: v.At, By: v.By, Action: v.Action, Target: v.Target, Undone: v.Undone, Note: v.Note, Changes: []editRow{},
		Broke: v.Broke, Copies: v.Copies, effectRow: effectRow{v.Answers, v.Sampled}, Waits: v.Waits, Lost: v.Lost,
	}
	for i := range v.Changes {
		c := &v.Changes[i]
		one := editRow{N: c.N, Part: c.Part}
		if c.After != nil {
			one.Op, one.Why = c.After.Op, c.After.Why
		}
		row.Changes = append(row.Changes, one)
	}
	return row
}

// Difference is a message that differs, in JSON.
type Difference struct {
	N      int        `json:"n"`
	Part   int        `json:"part,omitzero"`
	Role   chat.Role  `json:"role"`
	Change string     `json:"change"`       // changed, dropped or added
	Was    int        `json:"was,omitzero"` // its number on the other side, if that is another one
	Fields []fieldRow `json:"fields"`
}

type fieldRow struct {
	Field  string    `json:"field"`
	Before string    `json:"before"`
	After  string    `json:"after"`
	Lines  []lineRow `json:"lines"` // that changed, each in words
}

type lineRow struct {
	Before []pieceRow `json:"before,omitempty"`
	After  []pieceRow `json:"after,omitempty"`
}

type pieceRow struct {
	Text    string `json:"text"`
	Changed bool   `json:"changed,omitzero"`
}

// DifferenceOf returns the row of a message that differs.
func DifferenceOf(d *versions.Differing) Difference {
	m := d.At()
	row := Difference{N: m.N, Part: m.Part, Role: m.Role, Change: d.Change(), Fields: []fieldRow{}}
	if d.Before != nil && d.After != nil && d.Before.N != m.N {
		row.Was = d.Before.N
	}
	for _, f := range d.Fields() {
		one := fieldRow{Field: f.Name, Before: f.Before, After: f.After, Lines: []lineRow{}}
		for _, l := range textdiff.Exact(f.Before, f.After) {
			if !l.Same {
				one.Lines = append(one.Lines, lineRow{piecesOf(l.Before), piecesOf(l.After)})
			}
		}
		row.Fields = append(row.Fields, one)
	}
	return row
}

func piecesOf(list []textdiff.Piece) (rows []pieceRow) {
	for _, p := range list {
		rows = append(rows, pieceRow(p))
	}
	return rows
}
