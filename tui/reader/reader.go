// Package reader is the pane that shows the messages of a segment.
//
// It lays out only what shows. A reading position is a place (message, block,
// offset in its text) and the screen row it stands on; rows are found by
// walking from there in both directions, and the height of the whole is never
// known. Text is fetched, cleaned, rendered and searched in commands; View
// only draws what is there, and one line for what is not.
//
// Its room tui/reader/markdown lays out Markdown, code and lines; besides it the
// reader imports tui/draw, themes and core. Its tests are here: they press what a
// curator presses and look at the rows.
package reader

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/reader/markdown"
	"winnow/tui/reader/over"
)

// Fetch reads stored messages. Its methods may take long; they are called
// from commands, several at a time.
type Fetch interface {
	// Heads returns the index entries of messages from..to, inclusive.
	Heads(ctx context.Context, body int64, from, to int) ([]review.Head, error)
	// Messages returns messages from..to, inclusive, with their text.
	Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	// EachMessage calls f for messages from..to, inclusive, in order, and holds
	// none of them. An error of f ends it and is returned.
	EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	// Session returns one session by id.
	Session(ctx context.Context, id string) (review.Session, error)
	// Children returns the sessions that come from a session, in their order.
	Children(ctx context.Context, id string) ([]review.Child, error)
}

// Preferences are how a curator wants messages shown.
type Preferences struct {
	Width int  // the columns of prose at most, 0 for all there are
	Edits bool // edits show unfolded
}

// Options are what a reader is made of.
type Options struct {
	Preferences
	Fetch  Fetch
	Edits  Edits // nil: nobody changes messages
	Styles themes.Styles
	ASCII  bool // draw with ASCII signs only, also for control characters
	// Digest is how many messages a segment has that opens as a digest; 0 is none.
	Digest int
	Zone   *time.Location // of the times shown; nil is UTC
}

// Reader shows one segment. Its methods are for the update loop only; every
// tea.Cmd they return (nil: nothing to do) must be run, and its message given
// to Update.
type Reader struct {
	fetch  Fetch
	edits  Edits
	over   *over.Edits // of the segment shown, nil while they are under way
	view   View
	zone   *time.Location
	ascii  bool
	prefer Preferences
	glyphs glyphs
	inks   inks

	mapSigns mapSigns
	mapInks  [marksThere]draw.Ink
	md       markdown.Style
	theme    int // counts SetStyles

	seg    review.Segment // ID "" while none is shown
	gen    int            // counts Open and Close: older answers are dropped
	ctx    context.Context
	cancel context.CancelFunc

	since     *since            // of the segment shown, nil while it is under way or not stale
	freshened *since            // what the first message was made anew for
	about     *about            // of the session shown, nil while it is under way
	abouts    map[string]*about // by session, of the segments looked at last
	shelf     *shelf
	heads     map[int][]review.Head // by page, see headPage
	partHeads map[int][]review.Head // of added messages, by the message they stand with
	asked     map[int]bool          // head pages under way
	loading   map[int]bool          // messages whose text is under way
	underWay  int                   // bytes of those
	problems  map[int]string        // messages that could not be read
	stubs     map[int]*document
	rendering map[renderKey]bool
	wraps     map[wrapKey][]int
	mapped    minimap
	lastLine  lineMemo
	json      jsonMemo

	page  *Text // what is shown in place of messages, nil for messages
	brief bool  // its strings are folded

	w, h int // of the last View
	blur bool
	stance
	spot spot  // which message of those that stand with the current one
	jump *jump // waits for index entries

	digestFrom int       // see Options.Digest
	sketches   []*sketch // the one last used first

	thinking thinkingMode
	detail   bool
	notice   string // see Status

	find    *search
	marked  []filter.Text // see Mark
	recent  map[string]memory
	recents []string // ids in recent, oldest first
}

// New returns a reader that shows nothing yet.
func New(o Options) *Reader {
	r := &Reader{fetch: o.Fetch, edits: o.Edits, zone: o.Zone, ascii: o.ASCII, prefer: o.Preferences, glyphs: glyphsOf(o.ASCII), mapSigns: mapSignsOf(o.ASCII), shelf: newShelf(), recent: map[string]memory{}, abouts: map[string]*about{}, digestFrom: o.Digest}
	if r.zone == nil {
		r.zone = time.UTC
	}
	r.SetStyles(o.Styles)
	r.reset()
	return r
}

// SetStyles changes the theme. Rendered Markdown follows with the next Update
// or action.
func (r *Reader) SetStyles(s themes.Styles) {
	r.theme++
	r.inks, r.json = inksOf(s), jsonMemo{}
	r.mapInks = r.inks.mapInksOf()
	r.md = markdown.StyleOf(s, r.ascii)
}

// SetFocus tells whether the reader has the keys: the bar beside the current
// message is bright only then.
func (r *Reader) SetFocus(has bool) { r.blur = !has }

// SetMasked tells which messages of the segment shown are not trained, by their
// place in it from 1.
func (r *Reader) SetMasked(places []int) { r.seg.Masked = places }

// reset forgets everything about the segment shown.
func (r *Reader) reset() {
	r.gen++
	if r.cancel != nil {
		r.cancel()
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.seg, r.about, r.since, r.freshened = review.Segment{}, nil, nil, nil
	r.stance, r.jump = stance{folds: map[blockKey]foldState{}, steps: map[int]bool{}}, nil
	r.heads, r.asked = map[int][]review.Head{}, map[int]bool{}
	r.over, r.view, r.spot, r.partHeads = nil, Current, spot{}, map[int][]review.Head{}
	r.loading, r.underWay, r.problems = map[int]bool{}, 0, map[int]string{}
	r.stubs, r.rendering = map[int]*document{}, map[renderKey]bool{}
	r.wraps, r.lastLine, r.json = map[wrapKey][]int{}, lineMemo{}, jsonMemo{}
	r.page, r.brief = nil, false
	r.notice = ""
	r.stopFind()
}

// stance is where one is in a segment, and what of it is folded.
type stance struct {
	anchor anchor
	cursor int // the current message
	// followed is the link that was followed last from this view, the zero
	// key for none: messages are numbered from 1.
	followed blockKey
	folds    map[blockKey]foldState
	all      foldMode

	digest bool         // the digest shows
	steps  map[int]bool // messages of it whose steps are open
}

// memory is how a segment was left.
type memory struct {
	digest chat.Digest
	end    int
	stance
}

// remembered is the number of segments whose reading position is kept: more
// than anybody goes back.
const remembered = 64

func (r *Reader) remember() {
	if r.seg.ID == "" {
		return
	}
	if _, known := r.recent[r.seg.ID]; !known {
		r.recents = append(r.recents, r.seg.ID)
	}
	left := r.stance
	left.anchor.place = r.plainly(left.anchor.place)
	r.recent[r.seg.ID] = memory{r.seg.Digest, r.seg.End, left}
	if len(r.recents) > remembered {
		delete(r.recent, r.recents[0])
		r.recents = r.recents[1:]
	}
}

// Open starts to show a segment: where it was left if it was shown before,
// else at its beginning. Opening the segment that is shown already refreshes
// it and keeps the position. A find ends.
func (r *Reader) Open(seg review.Segment) tea.Cmd {
	r.remember()
	left, view, at := r.seg, r.view, r.spot
	r.reset()
	r.seg = seg
	if left.ID == seg.ID {
		r.view, r.spot = view, at
	}
	r.undress()
	r.cursor, r.digest = seg.Start, r.byLength(&seg)
	r.anchor = anchor{place: place{n: seg.Start}}
	m, ok := r.recent[seg.ID]
	if m.digest.Edited != seg.Edited {
		r.shelf.drop(seg.Body, seg.Start) // curators changed messages
	}
	if ok {
		r.stance = m.stance
		r.cursor = max(seg.Start, min(seg.End, r.cursor))
		if m.digest != seg.Digest {
			// Its last messages may have been written anew.
			r.shelf.drop(seg.Body, m.end)
		}
	} else {
		r.carry(&left, r.recent[left.ID])
	}
	return tea.Batch(r.askSince(), r.markTexts(), r.need())
}

// Close stops showing anything and ends what is under way.
func (r *Reader) Close() {
	r.remember()
	r.reset()
}

// Resize tells the size of the next View ahead of it, so that Markdown is
// rendered for it at once. Without it that happens with the next Update.
func (r *Reader) Resize(w, h int) tea.Cmd {
	r.w, r.h = max(0, w), max(0, h)
	return r.need()
}

// Update takes the answers of the reader's own commands. It ignores any other
// message, but uses the occasion to ask for what the last View lacked.
func (r *Reader) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	if take, ok := msg.(arrival); ok {
		cmd = take()
	}
	return tea.Batch(cmd, r.need())
}

// Status is what surrounds the pane.
type Status struct {
	Message, Of int    // the current message, from 1, of the segment's; 0 of 0 without one
	Number      int    // its number in the session
	Place       [2]int // where it stands: that number, or 0 in front of the first, and its part if it was added
	Dropped     int    // how many messages are dropped from Number on, 0: it is none
	View        View
	Role        chat.Role // who wrote it, "" while that is not known
	Hit, Hits   int       // the current hit, from 1 (0: none), of those found
	Capped      bool
	Loading     bool // some text that shows is not there yet
	Searching   bool // the find goes on
	FindQuery   string
	Marked      bool // the hits are of what Mark was told, and no find
	// Notice is about the last action, if it had nothing to do or did
	// something the eye can't see: a few words, clean, gone with the next
	// action. It may come after the action, with what that waited for.
	Notice string
	// Digest says that the digest is shown.
	Digest bool
}

// Status tells where the reader stands.
func (r *Reader) Status() Status {
	if r.seg.ID == "" {
		return Status{}
	}
	s := Status{
		Message: r.cursor - r.seg.Start + 1, Of: r.seg.End - r.seg.Start + 1, Number: r.cursor,
		Loading: len(r.loading)+len(r.asked) > 0, Notice: r.notice, Digest: r.digest,
	}
	r.tellStand(&s)
	if r.find != nil {
		s.Hit, s.Hits, s.Capped = r.find.index(), r.find.count(), r.find.capped()
		s.Searching, s.Marked = !r.find.done, r.find.quiet
		if !s.Marked {
			s.FindQuery = r.find.query
		}
	}
	return s
}
