package segment

import (
	"slices"
	"strings"
	"testing"
)

func TestAnswersThatAreUnderstood(t *testing.T) {
	want := []task{{1, 3, "a"}, {4, 6, "b"}}
	for _, answer := range []string{
		`[{"start":1,"end":3,"topic":"a"},{"start":4,"end":6,"topic":"b"}]`,
		`[{"start":1.0,"end":3.0,"topic":"a"},{"start":4e0,"end":60e-1,"topic":"b"}]`,
		`[{"start":"1","end":" 3 ","topic":"a"},{"start":"4","end":"6.0","topic":"b"}]`,
		`[{"Start":1,"END":3,"Topic":"a","confidence":0.5},{"topic":"b","end":6,"start":4,"why":["x"]}]`,
		`{"tasks":[{"start":1,"end":3,"topic":"a"},{"start":4,"end":6,"topic":"b"}],"count":2}`,
	} {
		tasks, err := readTasks([]byte(answer))
		if err == nil {
			err = checkTasks(tasks, 6)
		}
		if err != nil || !slices.Equal(tasks, want) {
			t.Errorf("%s: %v, %v", answer, tasks, err)
		}
	}
	for _, answer := range []string{`{"start":1,"end":6,"topic":"a"}`, `[{"start":1,"end":6,"topic":"a"}]`} {
		if tasks, err := readTasks([]byte(answer)); err != nil || !slices.Equal(tasks, []task{{1, 6, "a"}}) {
			t.Errorf("%s: %v, %v", answer, tasks, err)
		}
	}
}

// TestWrongAnswersAreExplained: the text is what the model is shown.
func TestWrongAnswersAreExplained(t *testing.T) {
	for answer, want := range map[string]string{
		`[]`:                        "it holds no task: messages 1 to 6 must be in one, at least",
		`{}`:                        "it is no list of tasks: a list of objects with start, end and topic is wanted",
		`{"a":[],"b":[]}`:           "it is no list of tasks: a list of objects with start, end and topic is wanted",
		`[1,2]`:                     "task 1 is no object with start, end and topic",
		`[[1,6]]`:                   "task 1 is no object with start, end and topic",
		`[{"start":1,"topic":"a"}]`: `task 1 lacks a number: its "end" must be the number of a message`,
		`[{"start":null,"end":6}]`:  `task 1 lacks a number: its "start" must be the number of a message`,
		`[{"start":1,"end":3.5}]`:   `task 1 has "3.5" where a whole number belongs: its "end" must be the number of a message`,
		`[{"start":1,"end":"six"}]`: `task 1 has "six" where a whole number belongs: its "end" must be the number of a message`,
		`[{"start":1,"end":1e300}]`: `task 1 has "1e300" where a whole number belongs: its "end" must be the number of a message`,
		`[{"start":1,"end":"NaN"}]`: `task 1 has "NaN" where a whole number belongs: its "end" must be the number of a message`,
		`[{"start":0,"end":6}]`:     "task 1 starts at 0: the first message is 1",
		`[{"start":2,"end":6}]`:     "message 1 is in no task: task 1 starts at 2 and must start at 1",
		`[{"start":9,"end":9}]`:     "messages 1 to 6 are in no task: task 1 starts at 9 and must start at 1",
		`[{"start":1,"end":2},{"start":5,"end":6}]`:      "messages 3 to 4 are in no task: task 2 starts at 5 and must start at 3",
		`[{"start":1,"end":4},{"start":4,"end":6}]`:      "tasks 1 and 2 overlap: task 1 ends at 4, so task 2 must start at 5 and not at 4",
		`[{"start":1,"end":4},{"start":5,"end":4}]`:      "task 2 starts at 5 and ends before that, at 4",
		`[{"start":1,"end":5}]`:                          "message 6 is in no task: the last task ends at 5 and must end at 6",
		`[{"start":1,"end":7}]`:                          "task 1 ends at 7, but the last message is 6",
		`[{"start":1,"end":6},{"start":7,"end":9}]`:      "there are too many tasks: task 1 ends at the last message, 6, and task 2 follows",
		`[{"start":-3,"end":6},{"start":7,"end":9}]`:     "task 1 starts at -3: the first message is 1",
		`[{"start":1,"end":3},{"start":4,"end":2e9}]`:    "task 2 ends at 2000000000, but the last message is 6",
		`[{"start":1,"end":3},{"start":4,"end":6},null]`: "task 3 is no object with start, end and topic",
	} {
		tasks, err := readTasks([]byte(answer))
		if err == nil {
			err = checkTasks(tasks, 6)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", answer, err, want)
		}
	}
}

func FuzzReadTasks(f *testing.F) {
	f.Add(`[{"start":1,"end":"3","topic":"a"}]`)
	f.Add(`{"x":[{"start":1.0,"end":-3e5}]}`)
	f.Fuzz(func(t *testing.T, answer string) {
		tasks, err := readTasks([]byte(answer))
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Fatalf("%q", err)
		}
		if err := checkTasks(tasks, 6); err == nil {
			cuts := make([]Cut, len(tasks))
			for i, s := range tasks {
				cuts[i] = Cut{s.start, s.end, cleanTopic(s.topic)}
			}
			if err := CheckCuts(cuts, 1, 6); err != nil {
				t.Fatal(err)
			}
		}
	})
}
