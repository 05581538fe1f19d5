package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	drafted "winnow/cmd/winnow/compress"
	"winnow/cmd/winnow/models"
	"winnow/core/compress"
	"winnow/core/export"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/token"
	"winnow/tui/draw"
	screen "winnow/tui/screens/compress"
	"winnow/tui/work"
)

// compressions make proposals to compress segments, as the screen asks for them.
type compressions struct {
	*Desk
	offline bool // nothing may be sent
}

// Look implements compress.Library. What is there is counted by the counter that it was
// made with.
func (c compressions) Look(ctx context.Context, id string) (l screen.Look, err error) {
	if l.Segment, err = c.Segment(ctx, id); err != nil {
		return l, err
	}
	if l.Conversation, err = export.ConversationOf(ctx, c.Store, &l.Segment); err != nil {
		return l, err
	}
	list, err := c.Proposals(ctx, []string{id})
	if err != nil {
		return l, err
	}
	l.Options = compress.Defaults()
	name := token.Estimated
	if len(list) > 0 {
		l.Proposal = &list[0]
		name, l.Options.Summary, l.Options.Tail = l.Proposal.Made.Counter, l.Proposal.Summary, l.Proposal.Tail
	}
	counter, err := token.Named(name)
	if err != nil { // one that this program does not know: it counted elsewhere
		counter, err = token.Named(token.Estimated)
	}
	l.Options.Tools, l.Options.Price = l.Conversation.Tools, export.Price(counter, l.Conversation.Tools)
	if l.Model = c.ModelName("llm"); c.offline {
		l.Model = ""
	}
	if s, err := c.Session(ctx, l.Segment.SessionID); err == nil {
		l.Folder = s.Dir
	}
	return l, err
}

// Mark implements compress.Library: it is of the digests of the segments of the session,
// and of those it continues, as what stands in front is of them; and of the proposal.
func (c compressions) Mark(ctx context.Context, id string) (string, error) {
	seg, err := c.Segment(ctx, id)
	if err != nil {
		return "", err
	}
	list, err := c.Proposals(ctx, []string{id})
	if err != nil {
		return "", err
	}
	mark := fnv.New64a()
	fmt.Fprintln(mark, seg.Topic)
	if err := json.NewEncoder(mark).Encode(list); err != nil {
		return "", err
	}
	read := map[string]bool{}
	for of := seg.SessionID; of != "" && !read[of]; {
		read[of] = true
		s, err := c.Session(ctx, of)
		if errors.Is(err, review.ErrNotFound) { // the parent left
			break
		}
		if err != nil {
			return "", err
		}
		all, err := c.SegmentsOf(ctx, of)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(mark, "%s %d %q %q\n", of, s.Body, s.Dir, s.Tools)
		for i := range all {
			fmt.Fprintln(mark, all[i].ID, all[i].Start, all[i].Digest)
		}
		of = s.Parent
	}
	return strconv.FormatUint(mark.Sum64(), 16), nil
}

// atOnce is how many proposals are read at once.
const atOnce = 200

// Waiting implements compress.Library.
func (c compressions) Waiting(ctx context.Context, q review.Query) (w screen.Waiting, err error) {
	ids, err := c.IDs(ctx, q)
	for len(ids) > 0 && err == nil {
		n := min(len(ids), atOnce)
		var list []proposal.Proposal
		list, err = c.Proposals(ctx, ids[:n])
		for i := range list {
			switch p := &list[i]; {
			case p.Status != proposal.Proposed:
			case len(p.Findings) > 0:
				w.Found++
			case p.Over:
				w.Over++
			default:
				w.Put(p)
			}
		}
		ids = ids[n:]
	}
	return w, err
}

// Still implements tui.Compressions.
func (c compressions) Still(ctx context.Context, counted screen.Waiting) (map[string]proposal.Proposal, error) {
	same := make(map[string]proposal.Proposal, len(counted.IDs))
	for ids := range slices.Chunk(counted.IDs, atOnce) {
		list, err := c.Proposals(ctx, ids)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if p := &list[i]; screen.SumOf(p) == counted.Sums[p.Segment] {
				same[p.Segment] = *p
			}
		}
	}
	return same, nil
}

// summarizer is the configured model with what it answered before, and the options by
// which it compresses a segment. answered is told how often it has answered.
func (c compressions) summarizer(l *screen.Look, w screen.Way, answered func(n int)) (*models.Summarizer, compress.Options, error) {
	who, err := models.NewSummarizer(c.Config, false, c.Now)
	if err != nil {
		return nil, compress.Options{}, err
	}
	n := 0
	kept := &drafted.Drafted{Drafts: c.Store, Model: who.Model, Say: func(ctx context.Context, prompt string) (string, error) {
		text, err := who.Say(ctx, prompt)
		n++
		answered(n)
		return text, err
	}}
	o := l.By(w)
	o.By = compress.Model{Ask: kept.Ask, Model: who.Model, Attempts: 1, Window: who.Window}
	return who, o, nil
}

// Plan implements compress.Library.
func (c compressions) Plan(ctx context.Context, id string, w screen.Way) (p screen.Plan, err error) {
	l, err := c.Look(ctx, id)
	if err != nil {
		return p, err
	}
	who, o, err := c.summarizer(&l, w, func(int) {})
	if err != nil {
		return p, err
	}
	look := compress.Look(l.Conversation.Messages, o)
	p.Host, p.Model, p.Tokens = who.Host(), who.Model, look.Send
	for i := range look.Regions {
		p.Messages += look.Regions[i].To - look.Regions[i].From
	}
	return p, nil
}

// Summarize implements tui.Compressions.
func (c compressions) Summarize(ctx context.Context, id string, w screen.Way, report func(work.Progress)) (p proposal.Proposal, err error) {
	l, err := c.Look(ctx, id)
	if err != nil {
		return p, err
	}
	var who *models.Summarizer
	who, o, err := c.summarizer(&l, w, func(n int) {
		report(work.Progress{Note: draw.Plural(n, "answer"), Cost: models.CostText(who.Usage().Cost)})
	})
	if err == nil {
		err = c.Allow(ctx, who.Host())
	}
	if err != nil {
		return p, err
	}
	report(work.Progress{Note: "asking " + who.Model})
	p = proposal.Make(ctx, id, l.Segment.Digest, l.Conversation, o)
	return p, ctx.Err()
}
