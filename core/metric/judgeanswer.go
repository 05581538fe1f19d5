package metric

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/llm"
)

// reasonMost is how many bytes of a reason and of a summary are kept: what a
// person reads at a glance.
const reasonMost = 400

// opinion is what a model said of a segment.
type opinion struct {
	metrics  map[string]*Value // all that are judged; weights are not set
	taskType TaskType
	summary  string
}

// readOpinion reads the answer to judgeInstruction about messages from..to. The
// metrics may stand in an object of their own. The errors are for the model.
func readOpinion(answer []byte, from, to int) (opinion, error) {
	o := opinion{metrics: map[string]*Value{}}
	members, err := membersOf(answer)
	if err != nil {
		return o, errors.New("it is no JSON object with the five metrics, task_type and summary")
	}
	inner, _ := membersOf(members["metrics"])
	for _, about := range List() {
		if !about.Judged {
			continue
		}
		raw, ok := members[about.Name]
		if !ok {
			raw = inner[about.Name]
		}
		if o.metrics[about.Name], err = readJudged(raw, from, to); err != nil {
			return o, fmt.Errorf("%q %w", about.Name, err)
		}
	}
	t, ok := ParseTaskType(strings.ToLower(strings.TrimSpace(llm.Text(members["task_type"]))))
	if !ok {
		return o, fmt.Errorf(`"task_type" must be one of %s`, strings.Join(TaskTypeNames(), ", "))
	}
	o.taskType = t
	if o.summary = tidied(llm.Text(members["summary"])); o.summary == "" {
		return o, errors.New(`"summary" lacks a sentence`)
	}
	if err := checkCites(o.summary, from, to); err != nil {
		return o, fmt.Errorf(`"summary" %w`, err)
	}
	return o, nil
}

// membersOf reads an object; names count without regard to case.
func membersOf(v jsontext.Value) (map[string]jsontext.Value, error) {
	var object map[string]jsontext.Value
	if v.Kind() != '{' {
		return nil, errors.New("no object")
	}
	if err := json.Unmarshal(v, &object, llm.Lenient()); err != nil {
		return nil, err
	}
	members := make(map[string]jsontext.Value, len(object))
	for name, v := range object {
		if lower := strings.ToLower(name); lower == name || object[lower] == nil {
			members[lower] = v
		}
	}
	return members, nil
}

// readJudged reads one metric. Its error goes on after the metric's name.
func readJudged(v jsontext.Value, from, to int) (*Value, error) {
	members, err := membersOf(v)
	if err != nil {
		return nil, errors.New("must be an object with score and reason")
	}
	score, err := judgedScore(members["score"])
	if err != nil {
		return nil, err
	}
	reason := tidied(llm.Text(members["reason"]))
	if reason == "" {
		return nil, errors.New("lacks a reason")
	}
	if err := checkCites(reason, from, to); err != nil {
		return nil, err
	}
	return &Value{Score: round(score), Reason: reason}, nil
}

// judgedScore reads a number from 0 to 1, which may be in quotes.
func judgedScore(v jsontext.Value) (float64, error) {
	if k := v.Kind(); k != '0' && k != '"' {
		return 0, errors.New("lacks a score, a number from 0 to 1")
	}
	x, text, err := llm.Number(v)
	if err != nil || math.IsNaN(x) || x < 0 || x > 1 {
		return 0, fmt.Errorf("has the score %.20q, which is no number from 0 to 1", text)
	}
	return x, nil
}

// checkCites reports the first message a reason names that is none of from..to.
func checkCites(reason string, from, to int) error {
	for _, c := range Cites(reason) {
		if c.N < from || c.N > to {
			return fmt.Errorf("names message #%d: there are #%d to #%d", c.N, from, to)
		}
	}
	return nil
}

// tidied makes what a model wrote one line of at most reasonMost bytes, without
// what moves a cursor or turns the direction of text.
func tidied(s string) string {
	s = oneLine(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		if unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, s))
	if len(s) <= reasonMost {
		return s
	}
	s = strings.ToValidUTF8(s[:reasonMost-len("…")], "")
	if at := strings.LastIndexByte(s, ' '); at > reasonMost/2 {
		s = s[:at] // no half of a word, and no half of a citation
	}
	return s + "…"
}
