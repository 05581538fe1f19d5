package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Context is a set of places where a key can mean something.
type Context uint32

// The places.
const (
	InList Context = 1 << iota
	InReader
	InHelp
	InLedger
	InOffer
	InBoundaries
	InField    // a line of text is being typed
	InQuestion // something is asked above the footer
	InFilter   // the filter is being typed
	InSort     // an order is being chosen
	InReasons  // the reasons of a score
	InStatistics
	InExport
	InReplace // it is asked whether a target may be replaced
	InCommand // a command is being typed
	InThemes  // a theme is being chosen
	InPreview // the training record of a segment
	InRaw     // a message as it was recorded
	InJournal
	InBulk    // it is asked whether many get a verdict
	InTags    // tags are being typed
	InRecheck // how a recheck came out
	contexts  = iota

	inLines   = InField | InFilter | InCommand | InTags
	inAll     = inPages | inLines
	inSegment = InList | InReader
	inJudged  = inSegment | InPreview // where verdicts are given
	inText    = InPreview | InRaw     // where a text stands in place of messages
	inFound   = InReader | inText     // where one finds
	inPages   = InList | InReader | InHelp | InLedger | InOffer | InBoundaries | InQuestion | InSort | InReasons | InStatistics | InExport | InReplace | InThemes | InBulk | inText | InJournal | InRecheck
)

// Binding is all that is known about a key: dispatch, the footer, the screen
// of keys and the README's table are made from it.
type Binding struct {
	Keys []string // as Bubble Tea names them; the first one is shown
	Name string   // of the action, unique in its contexts: "approve"
	Help string   // what it does, for the screen of keys
	Foot string   // one word for the footer, "" to leave it out
	In   Context
	Run  func() tea.Cmd
	// Why says why the key does nothing now, "" if it does something. nil:
	// it always does.
	Why func() string
}

// The actions whose hints are never left out of the footer.
const (
	nameHelp = "keys"
	nameBack = "back"
)

// nameCommand is the action that types others.
const nameCommand = "command"

// context returns the place that has the keys.
func (a *App) context() Context {
	switch {
	case a.line != nil:
		return InFilter
	case a.command != nil:
		return InCommand
	case a.tags != nil:
		return InTags
	case a.field != nil:
		return InField
	}
	return a.behindLine()
}

// Bindings returns what means something in the place that has the keys now, in
// the order of the table.
func (a *App) Bindings() []Binding {
	in := a.context()
	return slices.DeleteFunc(slices.Clone(a.keys), func(b Binding) bool { return b.In&in == 0 })
}

// behindLine returns the place that has the keys when no line is typed.
func (a *App) behindLine() Context {
	switch l := a.top(); {
	case l != nil && (l.in == InHelp || l.box != nil):
		return l.in
	case a.bulk != nil:
		return InBulk
	case a.question != nil && a.question.shown:
		return InQuestion
	}
	return a.page()
}

// page returns the place that is behind what lies over it.
func (a *App) page() Context {
	switch l := a.screenLayer(false); {
	case l == nil && a.focus == onReader:
		return InReader
	case l == nil:
		return InList
	case l.in == InExport && a.export.replace:
		return InReplace
	default:
		return l.in
	}
}

// press does what a key is bound to. A key that does nothing now says why.
func (a *App) press(k tea.KeyPressMsg) tea.Cmd {
	a.presses++
	a.wait.stuck = ""
	key := k.String()
	if other, ok := sameKey[key]; ok {
		key = other
	}
	a.key = key
	b := find(a.keys, key, a.context())
	if a.tooSmall() && (b == nil || !worksBlind[b.Name]) {
		return nil
	}
	if b == nil {
		if a.field != nil {
			return a.typeIn(k)
		}
		a.sayElsewhere(key)
		return nil
	}
	return a.act(b)
}

// act does what a binding is for, or says why it does nothing now.
func (a *App) act(b *Binding) tea.Cmd {
	if !a.leaving {
		a.message = message{}
	}
	if !judges[b.Name] {
		a.wait.refused, a.wait.instead = message{}, ""
	}
	a.reading = a.context() == InReader && (b.In == InReader || b.moves())
	if !b.moves() {
		if rest := a.rest(); rest != nil {
			return tea.Batch(rest, a.do(b))
		}
	}
	return a.do(b)
}

// do runs a binding that has nothing to say against it.
func (a *App) do(b *Binding) tea.Cmd {
	if b.Why != nil {
		if reason := b.Why(); reason != "" {
			a.say(reason)
			return nil
		}
	}
	return b.Run()
}

// sayElsewhere says where a key works that does nothing here. Keys that nobody
// bound are passed over: a hand that slips needs no lecture.
func (a *App) sayElsewhere(key string) {
	if b := find(a.keys, key, InList); b != nil && b.In&inSegment == inSegment && b.In&inPages != inPages && a.context() == InBoundaries {
		a.say(key + " works in the list: " + a.escIn(InBoundaries) + " goes back")
		return
	}
	if in := a.context(); in&(InQuestion|InBulk) != 0 {
		a.say(a.firstIn(in) + " or " + a.escIn(in) + " first")
		return
	}
	for _, s := range sections {
		for i := range a.keys {
			if b := &a.keys[i]; b.In == s.in && b.In&inPages != 0 && slices.Contains(b.Keys, key) && !a.leaving {
				a.say(key + " works in: " + strings.ToLower(s.title))
				return
			}
		}
	}
}

// moves reports whether the key is one that moves in any pane.
func (b *Binding) moves() bool { return motions[motion(b.Name)] }

// worksBlind are the actions that make sense on a terminal too small to show
// what they act on.
var worksBlind = map[string]bool{"quit": true, "back": true, "leave": true, "suspend": true, "put-away": true}

// sameKey maps the keys of a number pad to those they stand for.
var sameKey = map[string]string{
	"kpenter": "enter", "kpup": "up", "kpdown": "down", "kphome": "home", "kpend": "end", "kppgup": "pgup", "kppgdown": "pgdown",
}

// find returns the binding of a key in a context, or nil.
func find(keys []Binding, key string, in Context) *Binding {
	for i := range keys {
		if keys[i].In&in == 0 {
			continue
		}
		for _, k := range keys[i].Keys {
			if k == key {
				return &keys[i]
			}
		}
	}
	return nil
}

// section is a heading under which bindings are shown.
type section struct {
	title string
	in    Context
}

// sections are the headings, by context.
var sections = []section{
	{"List, reader and training record", inJudged},
	{"List and reader", inSegment},
	{"List", InList},
	{"Filter line", InFilter},
	{"Sorting", InSort},
	{"Reasons of a score", InReasons},
	{"Reader", InReader},
	{"Reader, training record and recorded message", inFound},
	{"Training record", InPreview},
	{"Recorded message", InRaw},
	{"Reader and recorded message", InReader | InRaw},
	{"Boundaries", InBoundaries},
	{"Statistics", InStatistics},
	{"Export", InExport},
	{"Whether files may be replaced", InReplace},
	{"Journal", InJournal},
	{"Ledger", InLedger},
	{"Places to import from", InOffer},
	{"Whether sessions may be sent", InQuestion},
	{"Screen of keys", InHelp},
	{"Themes", InThemes},
	{"End of a recheck", InRecheck},
	{"Reader and keys", InReader | InHelp},
	{"Everywhere but in a text field", inPages},
	{"Everywhere but in a text field or a question", inCopy},
	{"Whether many get a verdict", InBulk},
	{"Command line", InCommand},
	{"Tags", InTags},
	{"Text field", InField},
	{"Everywhere", inAll},
}
