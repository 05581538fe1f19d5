package export

import (
	"context"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export/pairs"
	"winnow/core/review"
)

// rewriting is an answer of a model that a curator rewrote: a better one and a worse
// one to the same prompt.
type rewriting struct {
	n        int          // its number in the session
	recorded chat.Message // as the model wrote it
	redacted bool         // which must not be seen: it is only counted
}

// withheld is why nothing is made of an answer that was redacted.
func (r *rewriting) withheld() []Finding {
	return []Finding{{Check: OutRedacted, Message: r.n, Detail: "a redaction stands there: what the model wrote must not be seen"}}
}

// rewritings returns the answers of a segment that a curator rewrote, in their order.
// They are none unless it is approved: that verdict is about what stands there now.
// What was dropped or added is none, nor what is not trained, and what the model did
// not write as it was recorded.
func rewritings(ctx context.Context, src Source, seg *review.Segment, edits []edit.Edit) (list []rewriting, err error) {
	if judged(seg) != review.Approved || seg.Stale {
		return nil, nil
	}
	model := review.Segment{Verdict: review.Rejected, Start: seg.Start}
	for i := range edits {
		e := &edits[i]
		if e.Clash || e.Op != edit.Set || e.Why == edit.Squash || kindOfAnswer(seg, &e.Message, e.N) != pairs.Answer {
			continue
		}
		if e.Why == edit.Redact { // the marks are those that were recorded
			if kindOfAnswer(&model, &e.Message, e.N) == pairs.Answer {
				list = append(list, rewriting{n: e.N, redacted: true})
			}
			continue
		}
		was, err := src.RecordedMessages(ctx, seg.Body, e.N, e.N)
		if err != nil {
			return nil, err
		}
		if len(was) == 1 && kindOfAnswer(&model, &was[0], e.N) == pairs.Answer {
			list = append(list, rewriting{n: e.N, recorded: was[0]})
		}
	}
	return list, nil
}

// rewritten yields the pairs of the answers that curators rewrote in the segments of
// a group: each stands against what the model wrote, and both after what stands
// before it now. found are the pairs of forks, which are not made again.
func (f *pairFinder) rewritten(ctx context.Context, r *pairReader, group []*kin, found []pairs.Pair, yield func(*pairing) error) error {
	met := map[[2]pairs.Sum]bool{}
	for i := range found {
		met[[2]pairs.Sum{found[i].ChosenSum, found[i].RejectedSum}] = true
	}
	for _, one := range group {
		for _, i := range one.segments {
			seg := &f.segments[i]
			if seg.Edited == "" || one.unknown {
				continue
			}
			edits, err := f.src.Edits(ctx, seg.Body, seg.Start, seg.End)
			if err != nil {
				return err
			}
			list, err := rewritings(ctx, f.src, seg, edits)
			if err != nil {
				return err
			}
			for k := range list {
				at := pairs.Place{Segment: int32(i), N: int32(list[k].n)}
				if list[k].redacted {
					if err := yield(f.withheld(at, &list[k])); err != nil {
						return err
					}
					continue
				}
				w, err := f.rewriting(ctx, r, at, list[k].recorded)
				if err != nil {
					return err
				}
				if sums := [2]pairs.Sum{w.sums.ChosenSum, w.sums.RejectedSum}; met[sums] || sums[0] == sums[1] {
					continue
				} else {
					met[sums] = true
				}
				w.group = group[0].id
				if err := yield(w); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// withheld is the pair of an answer that was redacted, which is only counted.
func (f *pairFinder) withheld(at pairs.Place, of *rewriting) *pairing {
	side := f.side(at)
	side.session = &review.Session{}
	w := &pairing{chosen: side, rejected: side}
	w.findings = of.withheld()
	return w
}

// rewriting makes the pair of an answer that stands at a place, and the recorded one.
func (f *pairFinder) rewriting(ctx context.Context, r *pairReader, at pairs.Place, recorded chat.Message) (*pairing, error) {
	side := f.side(at)
	worse := side
	worse.answer, worse.recorded = recorded, true
	w, err := r.read(ctx, side, worse, pairs.Pair{Chosen: at, Rejected: at})
	if err != nil {
		return nil, err
	}
	before, err := recordedPrefix(ctx, f.src, w.chosen.session)
	if err != nil {
		return nil, err
	}
	own, err := f.src.Messages(ctx, w.chosen.session.Body, 1, side.n)
	if err != nil {
		return nil, err
	}
	var run pairs.Run
	for _, m := range slices.Concat(before.messages, own[:answerAt(own, side.n)]) {
		run.Next(&m)
	}
	other := run.Fork()
	w.sums.Prompt = run.At()
	w.sums.ChosenSum, w.sums.RejectedSum = run.Next(&w.chosen.answer), other.Next(&recorded)
	return w, nil
}
