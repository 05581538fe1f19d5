package metric

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"winnow/core/llm"
	"winnow/core/token"
	"winnow/core/transcript"
)

// Judge asks a model how good segments are. It may be used by many goroutines
// if its llm.Asker may.
type Judge struct {
	asker   llm.Asker
	model   string
	counter token.Counter
	budget  int
	config  Config
	frame   *transcript.Frame
}

// NewJudge returns a Judge that asks the model of that name. Each request holds
// up to budget tokens of text, as counter counts them: the messages with their
// numbers and roles. The instruction, what was measured and the answer come on
// top. Metrics weigh as config says.
func NewJudge(asker llm.Asker, model string, counter token.Counter, budget int, config Config) *Judge {
	return &Judge{asker, model, counter, max(budget, 1), config, transcript.NewFrame()}
}

// Prompt tells apart how models are asked to judge.
func Prompt() string { return judgeInstruction + judgeQuestion }

// Request returns how many tokens of a segment a request holds at most, and how
// many are always in it. What was measured and the answer come on top.
func (j *Judge) Request() (most, always int) {
	return j.budget, j.counter.Count(judgeInstruction) + j.counter.Count(judgeQuestion)
}

// Judge returns in.Measured with the judged metrics, a type of task, a summary
// and the model's name. An answer that is not all of that, with scores from 0 to
// 1 and reasons that name only messages of the segment, is shown to the model
// once, and then an error: there is no half judgement.
func (j *Judge) Judge(ctx context.Context, in Input) (Analysis, error) {
	if in.End < in.Start {
		return Analysis{}, errors.New("there is no message to judge")
	}
	messages, err := j.show(ctx, in)
	if err != nil {
		return Analysis{}, err
	}
	var said opinion
	request := llm.Request{System: judgeInstruction, User: messages + j.facts(&in.Measured) + judgeQuestion}
	err = j.asker.Ask(ctx, request, func(answer []byte) (err error) {
		said, err = readOpinion(answer, in.Start, in.End)
		return err
	})
	if err != nil {
		return Analysis{}, err
	}
	a := in.Measured
	a.Metrics = maps.Clone(a.Metrics)
	a.TakeJudged(&Analysis{
		Scorer: Judged, Model: j.model, Start: a.Start, Metrics: said.metrics,
		Summary: Summary{TaskType: said.taskType, Reason: said.summary},
	}, j.config)
	return a, nil
}

// errOver stops showing messages that do not fit in.
var errOver = errors.New("more than the budget")

// show renders the messages of a segment within the budget: each of them if the
// long ones can be cut short enough, else the first and the last.
func (j *Judge) show(ctx context.Context, in Input) (string, error) {
	for i := range cuts {
		s := shower{j: j, in: in, cut: cuts[i], last: i == len(cuts)-1}
		err := in.Each(ctx, in.Start, in.End, s.add)
		if err == nil {
			return s.text(), nil
		}
		if !errors.Is(err, errOver) {
			return "", err
		}
	}
	return "", errOver // the last cut lets everything in
}

// facts tells what was measured. Reasons may name tools, whose names are text
// of the session.
func (j *Judge) facts(a *Analysis) string {
	text := "What a program measured, without understanding any of it:\n"
	for _, name := range a.MetricNames() {
		if v := a.Metrics[name]; v != nil {
			text += fmt.Sprintf("- %s %s: %s\n", name, ScoreText(v.Score), j.frame.Inside(transcript.Shorten(v.Reason, reasonMost)))
		}
	}
	return text + "\n"
}
