package segment

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

// task is one task as a model tells it, in the numbers of its window.
type task struct {
	start, end int
	topic      string
}

// readTasks reads the list of tasks in an answer. It may be the only list in
// an object, and one task may stand without a list. Whole numbers may be
// written as 3.0 or "3": what they mean is clear. A topic that is missing or no
// text is "". The errors are for the model.
func readTasks(answer []byte) ([]task, error) {
	list, err := findList(answer)
	if err != nil {
		return nil, err
	}
	tasks := make([]task, len(list))
	for i, v := range list {
		if tasks[i], err = readTask(v); err != nil {
			return nil, fmt.Errorf("task %d %w", i+1, err)
		}
	}
	return tasks, nil
}

// findList returns the elements of the list of tasks.
func findList(answer []byte) (list []jsontext.Value, err error) {
	switch jsontext.Value(answer).Kind() {
	case '[':
		if err := json.Unmarshal(answer, &list, llm.Lenient()); err != nil {
			return nil, errors.New("it is no valid JSON")
		}
		return list, nil
	case '{':
		var object map[string]jsontext.Value
		if err := json.Unmarshal(answer, &object, llm.Lenient()); err != nil {
			return nil, errors.New("it is no valid JSON")
		}
		if _, err := readTask(answer); err == nil {
			return []jsontext.Value{answer}, nil
		}
		lists := 0
		for _, v := range object {
			if v.Kind() == '[' {
				answer, lists = v, lists+1
			}
		}
		if lists == 1 {
			return findList(answer)
		}
	}
	return nil, errors.New("it is no list of tasks: a list of objects with start, end and topic is wanted")
}

// readTask reads one task. Its error goes on after the name of the task.
func readTask(v jsontext.Value) (task, error) {
	var raw struct {
		Start jsontext.Value `json:"start"`
		End   jsontext.Value `json:"end"`
		Topic jsontext.Value `json:"topic"`
	}
	if v.Kind() != '{' || json.Unmarshal(v, &raw, llm.Lenient()) != nil {
		return task{}, errors.New("is no object with start, end and topic")
	}
	start, err := messageNumber("start", raw.Start)
	if err != nil {
		return task{}, err
	}
	end, err := messageNumber("end", raw.End)
	return task{start, end, llm.Text(raw.Topic)}, err
}

// messageNumber reads a whole number, a member of that name. Whether there is
// such a message is not looked at.
func messageNumber(name string, v jsontext.Value) (int, error) {
	if v.Kind() == 0 || v.Kind() == 'n' {
		return 0, fmt.Errorf("lacks a number: its %q must be the number of a message", name)
	}
	const most = 1 << 31 // more than any window holds, and exact as a float
	f, text, err := llm.Number(v)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > most {
		return 0, fmt.Errorf("has %.20q where a whole number belongs: its %q must be the number of a message", text, name)
	}
	return int(f), nil
}

// checkTasks reports, for the model, the first place where tasks do not follow
// on each other or do not cover messages 1..last.
func checkTasks(tasks []task, last int) error {
	if len(tasks) == 0 {
		return fmt.Errorf("it holds no task: messages 1 to %d must be in one, at least", last)
	}
	next := 1
	for i, t := range tasks {
		switch n := i + 1; {
		case next > last:
			return fmt.Errorf("there are too many tasks: task %d ends at the last message, %d, and task %d follows", i, last, n)
		case t.start > next:
			return fmt.Errorf("%s in no task: task %d starts at %d and must start at %d", numbered(next, min(t.start-1, last)), n, t.start, next)
		case t.start < next && i == 0:
			return fmt.Errorf("task 1 starts at %d: the first message is 1", t.start)
		case t.start < next:
			return fmt.Errorf("tasks %d and %d overlap: task %d ends at %d, so task %d must start at %d and not at %d", n-1, n, n-1, next-1, n, next, t.start)
		case t.end < t.start:
			return fmt.Errorf("task %d starts at %d and ends before that, at %d", n, t.start, t.end)
		case t.end > last:
			return fmt.Errorf("task %d ends at %d, but the last message is %d", n, t.end, last)
		}
		next = t.end + 1
	}
	if next <= last {
		return fmt.Errorf("%s in no task: the last task ends at %d and must end at %d", numbered(next, last), next-1, last)
	}
	return nil
}

func numbered(from, to int) string {
	if from == to {
		return fmt.Sprintf("message %d is", from)
	}
	return fmt.Sprintf("messages %d to %d are", from, to)
}

// cleanTopic makes a topic one short line. It is "" if it says nothing.
func cleanTopic(topic string) string {
	const enough = 16 * titleMax // bytes, for any title
	topic = fold(strings.ToValidUTF8(topic[:min(len(topic), enough)], ""))
	if strings.IndexFunc(topic, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
		return ""
	}
	return cut(topic, titleMax)
}
