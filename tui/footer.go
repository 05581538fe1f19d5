package tui

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/reader"
)

// message is what the footer says beside the keys.
type message struct {
	text   string
	failed bool
}

// say shows a message until the next key.
func (a *App) say(text string) { a.message = message{text: text} }

// add puts a message behind one that is shown.
func (a *App) add(text string) {
	if a.message.text == "" {
		a.say(text)
		return
	}
	a.message.text += " " + a.g.dot + " " + text
}

// fail shows an error: what could not be done, and why.
func (a *App) fail(what string, err error) {
	if errors.Is(err, a.ctx.Err()) && a.ctx.Err() != nil {
		return // the program is ending
	}
	a.message = message{text: fmt.Sprintf("%s: %v", what, err), failed: true}
}

// footerLine shows the keys of the pane that has them, and the message. An
// error takes the room it needs, anything else at most what leaves the first
// keys standing.
func (a *App) footerLine(w int) string {
	note := ""
	if a.message.text != "" {
		k := a.ink.text
		if a.message.failed {
			k = a.ink.fail
		}
		note = k.on(clean.Line(head(a.message.text)))
	}
	if note == "" {
		note = a.whereabouts()
	}
	n := ansi.StringWidth(note)
	room := w - n - 4 // one space at either end, two between
	if room < 0 || a.message.failed && room < 20 {
		return fit(" "+note, w, a.g.more)
	}
	return " " + fit(a.keyHints(room), room, "") + "  " + note + " "
}

// whereabouts is what the footer says when nothing happened: where the reader
// is, and what is known of the selected segment but not drawn in its row.
func (a *App) whereabouts() string {
	var parts []string
	switch a.context() {
	case InHelp:
		if a.help.below > 0 {
			parts = append(parts, a.g.down+" "+plural(a.help.below, "more line"))
		}
	case InReader:
		s := a.reader.Status()
		if s.FindQuery != "" {
			parts = append(parts, hits(s))
		}
		if s.Of > 0 {
			parts = append(parts, fmt.Sprintf("message %s of %s", grouped(s.Message), grouped(s.Of)))
		}
	case InList:
		parts = a.remarks()
	}
	return a.ink.muted.on(strings.Join(parts, " "+a.g.dot+" "))
}

func hits(s reader.Status) string {
	text := plural(s.Hits, "hit")
	if s.Capped {
		text = grouped(s.Hits) + "+ hits"
	}
	if s.Hit > 0 {
		text = grouped(s.Hit) + " of " + text
	}
	if s.Searching {
		text += " so far"
	}
	return text
}

// remarks are a segment's earlier verdict, if it is stale, and its note.
func (a *App) remarks() []string {
	s := a.list.selected()
	if s == nil {
		return nil
	}
	var parts []string
	if s.Stale && s.Was != "" {
		was := "was " + string(s.Was)
		if s.WasBy != "" {
			was += " by " + clean.Line(head(s.WasBy))
		}
		if !s.WasAt.IsZero() {
			was += s.WasAt.In(a.zone).Format(" on 2 Jan 2006")
		}
		parts = append(parts, was)
	}
	if s.Note != "" {
		parts = append(parts, fit(clean.Line(head(s.Note)), min(ansi.StringWidth(clean.Line(head(s.Note))), a.w/3), a.g.more))
	}
	return parts
}

// keyHints renders as many of the keys with a footer word as fit whole. The
// last ones, the way back and the way to all other keys, are kept.
func (a *App) keyHints(w int) string {
	var hints, last []string
	total := -2
	context := a.context()
	for i := range a.keys {
		b := &a.keys[i]
		if b.Foot == "" || b.In&context == 0 || b.Why != nil && b.Why() != "" {
			continue
		}
		hint := a.ink.key.on(b.Keys[0]) + a.ink.muted.on(" "+b.Foot)
		if b.Name == nameHelp || b.Name == nameBack {
			last = append(last, hint)
			total += ansi.StringWidth(hint) + 2
			continue
		}
		hints = append(hints, hint)
	}
	if total > w {
		return ""
	}
	kept := hints[:0]
	for _, h := range hints {
		n := ansi.StringWidth(h) + 2
		if total+n > w {
			break
		}
		total += n
		kept = append(kept, h)
	}
	return strings.Join(append(kept, last...), "  ")
}
