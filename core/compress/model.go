package compress

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"winnow/core/chat"
)

// Summarizer asks a model for a summary. It returns ErrLength if the answer was
// cut off. It may be called for one conversation at a time.
type Summarizer func(ctx context.Context, r Request) (string, error)

// ErrLength says that an answer was cut off at the limit of its length.
var ErrLength = errors.New("the answer was cut off at the limit of its length")

var (
	errNoModel = errors.New("no model is there to ask for summaries")
	errLate    = errors.New("the model did not answer in time")
)

// Model has summaries by a model stand for messages. Each is checked; one that
// may not be used is asked for once more, with the reason.
type Model struct {
	Ask   Summarizer
	Model string // its name, for the record
	// Attempts is how often is asked before a request counts as failed, once at
	// least; Timeout is how long one may take, 0: as long as the context allows.
	Attempts int
	Timeout  time.Duration
	// Window is how many tokens of messages one request may have, 0: any number.
	// A longer region is summarized in parts.
	Window int
	// Wait waits after the k-th attempt that failed; nil: it does not.
	Wait func(ctx context.Context, k int) error
}

// Name returns "llm".
func (Model) Name() string { return "llm" }

func (l Model) made(m *Made) { m.Model, m.Prompt = l.Model, PromptVersion }

func (Model) assume(o *Options, _ int) int { return o.Summary }

func (Model) choose(s *session, excess int) []Region { return s.summarize(excess) }

func (l Model) write(ctx context.Context, s *session, regions []Region, r *Result) error {
	if l.Ask == nil {
		return errNoModel
	}
	earlier := ""
	for k := range regions {
		g := &regions[k]
		key := [2]int{g.From, g.To}
		text, drafted := s.drafts[key]
		if !drafted {
			var err error
			if text, err = l.summary(ctx, s, g, earlier, r); err != nil {
				return fmt.Errorf("messages %d–%d: %w", s.messages[g.From].N, s.messages[g.To-1].N, err)
			}
			s.drafts[key] = text
		}
		if f, _, ok := s.long(g, text); ok {
			r.Findings = append(r.Findings, f)
		}
		g.Text, earlier = text, text
	}
	return nil
}

// summary asks for the summary of a region, in parts where it is too long for
// one request.
func (l Model) summary(ctx context.Context, s *session, g *Region, earlier string, r *Result) (string, error) {
	parts, err := l.parts(s, g)
	if err != nil {
		return "", err
	}
	var texts []string
	for i := range parts {
		request := Request{
			Messages: s.messages[parts[i].From:parts[i].To], Task: s.task(g.From), Earlier: earlier,
			Budget: max(1, s.o.Summary/len(parts)),
		}
		text, err := l.part(ctx, s, &parts[i], request, r)
		if err != nil {
			return "", err
		}
		texts, earlier = append(texts, text), text
	}
	return Prefix + " " + strings.Join(texts, "\n"), nil
}

// part asks for the summary of a part, and once more if it may not be used.
func (l Model) part(ctx context.Context, s *session, g *Region, request Request, r *Result) (string, error) {
	for again := false; ; again = true {
		text, err := l.ask(ctx, request, r)
		if err != nil {
			return "", err
		}
		found := s.check(g, text)
		if len(found) == 0 {
			return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), Prefix)), nil
		}
		r.Errors++
		if again {
			r.Findings = append(r.Findings, found...)
			return "", errors.New(found[0].Detail)
		}
		request.Again = found[0].Detail
	}
}

// ask asks until an answer comes or the attempts are used up. It does not wait
// longer than its time, whatever the summarizer does.
func (l Model) ask(ctx context.Context, request Request, r *Result) (string, error) {
	for k := 1; ; k++ {
		r.Calls++
		text, err := l.once(ctx, request)
		if err == nil {
			return text, nil
		}
		r.Errors++
		if errors.Is(err, ErrLength) {
			request.Again = ErrLength.Error()
		}
		if k >= l.Attempts || ctx.Err() != nil {
			return "", err
		}
		if l.Wait != nil {
			if err := l.Wait(ctx, k); err != nil {
				return "", err
			}
		}
	}
}

func (l Model) once(ctx context.Context, request Request) (string, error) {
	if l.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, l.Timeout, errLate)
		defer cancel()
	}
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := l.Ask(ctx, request)
		answers <- answer{text, err}
	}()
	select {
	case a := <-answers:
		if a.err != nil && ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return a.text, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// parts divides a region between calls so that each part fits into a request.
func (l Model) parts(s *session, g *Region) (parts []Region, err error) {
	for i := range s.atoms {
		a := &s.atoms[i]
		if a.from < g.From || a.to > g.To {
			continue
		}
		if l.Window > 0 && a.cost > l.Window {
			return nil, fmt.Errorf("message %d with what belongs to it costs %d tokens, more than a request may have: %d", s.messages[a.from].N, a.cost, l.Window)
		}
		if n := len(parts) - 1; n >= 0 && (l.Window <= 0 || parts[n].Tokens+a.cost <= l.Window) {
			parts[n].To = a.to
			parts[n].Tokens += a.cost
			continue
		}
		parts = append(parts, Region{From: a.from, To: a.to, Tokens: a.cost})
	}
	return parts, nil
}

// task is what users asked for in front of a message: at first and at last.
func (s *session) task(before int) string {
	first, last := "", ""
	for i := range s.messages[:before] {
		if m := &s.messages[i]; m.Role == chat.User && !m.Summary() {
			said, _ := m.BesideSummary()
			if first == "" {
				first = said
			} else {
				last = said
			}
		}
	}
	if last == "" {
		return first
	}
	return first + "\n\n" + last
}
