package llmtest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

// NewTask in a message makes Segments begin a task with it; so does "Task" at
// the start of a user's message.
const NewTask = "NEW TASK"

const titleWords = 6 // of a topic

// Segmented answers requests for segments, correctly and always alike.
func Segmented() Reply {
	return Func(func(q Request) Reply { return Answer(Segments(q.User())) })
}

// segment is one element of an answer.
type segment struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Topic string `json:"topic"`
}

// Segments cuts the messages in a request's text: lines "[1] user: …" up to
// the last number, where each line has the number after that of the one
// before; other lines go on with the message before them. It answers
// [{"start","end","topic"}]; the topic is the first words of the task.
func Segments(text string) string {
	segments := []segment{}
	count := 0
	for line := range strings.Lines(text) {
		body := line
		number, role, rest, ok := numbered(line)
		begins := ok && number == count+1
		if begins {
			count, body = number, rest
		}
		if count == 0 {
			continue
		}
		task := strings.Contains(body, NewTask) || begins && role == "user" && strings.HasPrefix(rest, "Task")
		last := len(segments) - 1
		switch {
		case last < 0, task && segments[last].Start < count:
			if last >= 0 {
				segments[last].End = count - 1
			}
			segments = append(segments, segment{Start: count, Topic: title(body)})
		case segments[last].Topic == "":
			segments[last].Topic = title(body)
		}
	}
	if count > 0 {
		segments[len(segments)-1].End = count
	}
	b, err := json.Marshal(segments)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(b)
}

// numbered takes "[12] user: text" apart.
func numbered(line string) (number int, role, rest string, ok bool) {
	inner, found := strings.CutPrefix(line, "[")
	digits, rest, found2 := strings.Cut(inner, "] ")
	if !found || !found2 {
		return 0, "", "", false
	}
	number, err := strconv.Atoi(digits)
	role, rest, ok = strings.Cut(rest, ":")
	return number, strings.TrimSpace(role), strings.TrimSpace(rest), ok && err == nil && number > 0
}

func title(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), titleWords)], " ")
}
