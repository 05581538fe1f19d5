package screen

import (
	"context"
	"errors"

	"winnow/tui/draw"
	"winnow/tui/work"
)

// Notice is what the footer says beside the keys until the next key.
type Notice struct {
	Message
	pen *draw.Pen
}

// Message is a text that the footer shows.
type Message struct {
	Text   string
	Undo   string // the key that takes it back, said where there is room
	Failed bool
	Said   work.Said // what sort of thing it says
}

// NewNotice returns a notice that says nothing.
func NewNotice(pen *draw.Pen) *Notice { return &Notice{pen: pen} }

// Say shows a text.
func (n *Notice) Say(text string) { n.Message = Message{Text: text} }

// SayUndo is Say for what a key takes back.
func (n *Notice) SayUndo(text, undo string) { n.Message = Message{Text: text, Undo: undo} }

// Add puts a text after the one that is shown.
func (n *Notice) Add(text string) {
	if n.Text == "" {
		n.Say(text)
		return
	}
	n.Text += " " + n.pen.G.Dot + " " + text
}

// Unsay shows nothing.
func (n *Notice) Unsay() { n.Message = Message{} }

// Fail shows what could not be done ("" if the error says it), and why. No error
// is no failure, nor is what was given up (context.Canceled).
func (n *Notice) Fail(what string, err error) {
	switch {
	case err == nil || errors.Is(err, context.Canceled):
	case what == "":
		n.Message = Message{Text: err.Error(), Failed: true}
	default:
		n.Message = Message{Text: what + ": " + err.Error(), Failed: true}
	}
}
