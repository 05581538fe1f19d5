package metric

import (
	"slices"
	"strings"
	"testing"
)

func TestToolSuccess(t *testing.T) {
	check(t, ToolSuccess, []scripted{
		{"no tools", []string{"u hi", "a hello"}, na, ""},
		{"one of one", []string{"u x", "c 1 ls {}", "t 1 ok", "a done"}, 1, "the only tool result succeeded"},
		{"the only one", []string{"u x", "c 1 ls {}", "e 1 no"}, 0, "the only tool result is a failure: #3"},
		{"two of three", []string{"u x", "c 1 ls {}", "t 1 ok", "c 2 ls {}", "t 2 error: no", "c 3 ls {}", "t 3 ok"}, 0.6667, "2 of 3 tool results succeeded; failed: #5"},
		{"none of two", []string{"u x", "c 1 ls {}", "e 1 no", "c 2 ls {}", "e 2 ", "a x"}, 0, "none of 2 tool results succeeded; failed: #3 and #5"},
		{"silence is no failure", []string{"u x", "c 1 mkdir {}", "t 1 "}, 1, "the only tool result succeeded"},
		{"parallel, out of order", []string{"u x", "c 1 ls {} + 2 cat {} + 3 pwd {}", "t 3 ok", "e 1 no", "t 2 ok"}, 0.6667, "failed: #4"},
		{"a result without a call counts", []string{"u x", "t 9 ok", "e 8 no"}, 0.5, "1 of 2"},
		{"what ran reports a failure", []string{"u x", `c 1 bash {"command":"go test ./..."}`, `t 1 {"exit_code":1,"output":"no"}`}, 0.5, "what the only call ran reports a failure: #3"},
		{"one of each", []string{"u x", `c 1 bash {"command":"go test ./..."}`, `t 1 {"exit_code":1,"output":"no"}`, "c 2 ls {}", "e 2 no", "c 3 ls {}", "t 3 a"}, 0.5, "1 of 3 tool results succeeded; failed: #5; what ran reports a failure: #3"},
	})
}

func TestRecovery(t *testing.T) {
	check(t, Recovery, []scripted{
		{"nothing failed", []string{"u x", "c 1 ls {}", "t 1 ok"}, na, ""},
		{"made good", []string{"u x", "c 1 edit {}", "e 1 no", "c 2 edit {\"a\":1}", "t 2 ok"}, 1, "the only failed call was followed by a later success of the same tool"},
		{"never made good", []string{"u x", "c 1 edit {}", "e 1 no", "a sorry"}, 0, "the only failed call was not followed by a later success of the same tool: #3 (edit)"},
		{"another tool makes nothing good", []string{"u x", "c 1 edit {}", "e 1 no", "c 2 write {}", "t 2 ok"}, 0, "(edit)"},
		{"one of two tools", []string{"u x", "c 1 edit {}", "e 1 no", "c 2 write {}", "e 2 no", "c 3 write {\"a\":1}", "t 3 ok"}, 0.5, "1 of 2 failed calls"},
		{"two failures, one success", []string{"u x", "c 1 edit {}", "e 1 no", "c 2 edit {}", "e 2 no", "c 3 edit {}", "t 3 ok"}, 1, "all 2 failed calls were followed"},
		{"a success beside it was no answer to it", []string{"u x", "c 1 edit {\"a\":1} + 2 edit {\"a\":2}", "e 1 no", "t 2 ok"}, 0, "#3"},
		{"out of order: the success came first", []string{"u x", "c 1 edit {\"a\":1} + 2 edit {\"a\":2}", "t 2 ok", "e 1 no"}, 0, "#4"},
		{"made before a second failure was known", []string{"u x", "c 1 edit {}", "e 1 no", "c 2 edit {\"a\":1} + 3 edit {\"a\":2}", "e 2 no", "t 3 ok"}, 0.5, "not: #5"},
		{"names of results count where calls are missing", []string{"u x", "e 1 no", "t 2 ok"}, 1, ""},
	})
}

func TestNoLoops(t *testing.T) {
	read := func(id string) string { return "c " + id + ` read_file {"path":"a.go"}` }
	check(t, NoLoops, []scripted{
		{"no calls", []string{"u x", "a y"}, na, ""},
		{"one call", []string{"u x", read("1"), "t 1 text"}, 1, "no call repeats"},
		{"other arguments", []string{"u x", read("1"), "t 1 text", `c 2 read_file {"path":"b.go"}`, "t 2 text"}, 1, ""},
		{"the same again", []string{"u x", read("1"), "t 1 text", read("2"), "t 2 text"}, 0.5, "1 of 2 calls repeats an earlier one with nothing changed in between: #4"},
		{"three times", []string{"u x", read("1"), "t 1 text", read("2"), "t 2 text", read("3"), "t 3 text"}, 0.3333, "2 of 3 calls repeat an earlier one with nothing changed in between: #4 and #6"},
		{"spaces and order of members are nothing new", []string{"u x", `c 1 grep {"a":1,"b":"x"}`, "t 1 text", `c 2 grep { "b": "x", "a": 1 }`, "t 2 text"}, 0.5, "#4"},
		{"nor is space inside of lists", []string{"u x", `c 1 grep {"a":[1,{"b":"c d"}]}`, "t 1 text", `c 2 grep {"a": [ 1, { "b": "c d" } ] }`, "t 2 text"}, 0.5, "#4"},
		{"space inside of a string is", []string{"u x", `c 1 grep {"a":["c d"]}`, "t 1 text", `c 2 grep {"a":["c  d"]}`, "t 2 text"}, 1, ""},
		{"nested values are", []string{"u x", `c 1 grep {"a":{"b":[1,"}"]}}`, "t 1 text", `c 2 grep {"a":{"b":[2,"}"]}}`, "t 2 text"}, 1, ""},
		{"values that changed places are", []string{"u x", `c 1 grep {"a":"x","b":"y"}`, "t 1 text", `c 2 grep {"a":"y","b":"x"}`, "t 2 text"}, 1, ""},
		{"read again after an edit", []string{"u x", read("1"), "t 1 text", `c 2 edit_file {"path":"a.go"}`, "t 2 ok", read("3"), "t 3 text"}, 1, ""},
		{"read again after a failed edit", []string{"u x", read("1"), "t 1 text", `c 2 edit_file {"path":"a.go"}`, "e 2 no", read("3"), "t 3 text"}, 0.6667, "#6"},
		{"read again after another read", []string{"u x", read("1"), "t 1 text", `c 2 read_file {"path":"b.go"}`, "t 2 b", read("3"), "t 3 text"}, 0.6667, "#6"},
		{"read again after a command that only reads", []string{"u x", read("1"), "t 1 text", `c 2 bash {"command":"cd src && ls -la|head 2>/dev/null"}`, "t 2 b", read("3"), "t 3 text"}, 0.6667, "#6"},
		{"read again after a command that may change something", []string{"u x", read("1"), "t 1 text", `c 2 bash {"command":"go generate ./..."}`, "t 2 b", read("3"), "t 3 text"}, 1, ""},
		{"read again after a redirection", []string{"u x", read("1"), "t 1 text", `c 2 bash {"command":"echo x > a.go"}`, "t 2 b", read("3"), "t 3 text"}, 1, ""},
		{"read again after the user spoke", []string{"u x", read("1"), "t 1 text", "u I changed the file", read("2"), "t 2 text"}, 1, ""},
		{"what a machine says changes nothing", []string{"u x", read("1"), "t 1 text", "u <system-reminder>be brief</system-reminder>", read("2"), "t 2 text"}, 0.5, ""},
		{"read again after a summary", []string{"u x", read("1"), "t 1 text", "k so far, so good", read("2"), "t 2 text"}, 1, ""},
		{"read again after a summary of the system", []string{"u x", read("1"), "t 1 text", "K so far, so good", read("2"), "t 2 text"}, 1, ""},
		{"polling: each result differs", []string{"u x", "c 1 status {}", "t 1 10%", "c 2 status {}", "t 2 40%", "c 3 status {}", "t 3 done"}, 1, ""},
		{"polling that stands still", []string{"u x", "c 1 status {}", "t 1 10%", "c 2 status {}", "t 2 10%", "c 3 status {}", "t 3 done"}, 0.6667, "#4"},
		{"waiting in between", []string{"u x", "c 1 status {}", "t 1 10%", `c 2 bash {"command":"sleep 30"}`, "t 2 ok", "c 3 status {}", "t 3 10%", `c 4 bash {"command":"sleep 30"}`, "t 4 ok"}, 1, ""},
		{"a command with the same result after nothing", []string{"u x", `c 1 bash {"command":"go test"}`, "t 1 FAIL", `c 2 bash {"command":"go test"}`, "t 2 FAIL"}, 0.5, "#4"},
		{"two that take turns", []string{"u x", `c 1 bash {"command":"go test"}`, "t 1 FAIL", `c 2 bash {"command":"go vet"}`, "t 2 fine", `c 3 bash {"command":"go test"}`, "t 3 FAIL", `c 4 bash {"command":"go vet"}`, "t 4 fine", `c 5 bash {"command":"go test"}`, "t 5 FAIL"}, 0.6, "2 of 5 calls repeat an earlier one with nothing changed in between: #8 and #10"},
		{"the same error again", []string{"u x", "c 1 edit {}", "e 1 no such text", "c 2 edit {}", "e 2 no such text"}, 0.5, ""},
		{"no result at all", []string{"u x", read("1"), read("2")}, 0.5, "#3"},
		{"twice in one message", []string{"u x", `c 1 read {"p":1} + 2 read {"p":1}`, "t 1 text", "t 2 text"}, 0.5, "#2"},
		{"twice in one message, out of order", []string{"u x", `c 1 read {"p":1} + 2 read {"p":1}`, "t 2 text", "t 1 text"}, 0.5, "#2"},
		{"twice in one message, two results", []string{"u x", `c 1 roll {"p":1} + 2 roll {"p":1}`, "t 2 six", "t 1 two"}, 1, ""},
		{"late results make up for no repetition of others", []string{"u x", read("1"), "u go on", read("2"), "t 1 text", "t 2 other", `c 3 read_file {"path":"b.go"}`, "t 3 b", `c 4 read_file {"path":"b.go"}`, "t 4 b"}, 0.75, "1 of 4 calls"},
		{"arguments that are none", []string{"u x", `c 1 read {"p":`, "t 1 text", `c 2 read {"p":`, "t 2 text"}, 0.5, ""},
		{"without arguments", []string{"u x", "c 1 pwd ", "t 1 /", "c 2 pwd ", "t 2 /"}, 0.5, ""},
	})
}

// A run that the last call ended with another result is as long as what
// repeated itself.
func TestLoopFlag(t *testing.T) {
	get := func(id string) string { return "c " + id + " get {}" }
	for _, c := range []struct {
		name  string
		lines []string
		want  bool
	}{
		{"a second retry succeeds", []string{"u x", get("1"), "e 1 503", get("2"), "e 2 503", get("3"), "t 3 ok"}, false},
		{"three times the same", []string{"u x", get("1"), "e 1 503", get("2"), "e 2 503", get("3"), "e 3 503"}, true},
		{"three times the same, then success", []string{"u x", get("1"), "e 1 503", get("2"), "e 2 503", get("3"), "e 3 503", get("4"), "t 4 ok"}, true},
		{"no results", []string{"u x", get("1"), get("2"), get("3")}, true},
		{"no results, then the user spoke", []string{"u x", get("1"), get("2"), get("3"), "u y", get("4")}, true},
		{"polling", []string{"u x", get("1"), "t 1 10%", get("2"), "t 2 40%", get("3"), "t 3 done"}, false},
		{"side by side, all differ", []string{"u x", "c 1 roll {} + 2 roll {} + 3 roll {}", "t 1 two", "t 2 six", "t 3 one"}, false},
	} {
		if got := slices.Contains(flagsOf(c.lines...), Loop); got != c.want {
			t.Errorf("%s: loop %v", c.name, got)
		}
	}
}

func TestCompletion(t *testing.T) {
	check(t, Completion, []scripted{
		{"nothing", nil, na, ""},
		{"rules only", []string{"s be kind"}, na, ""},
		{"an answer", []string{"u x", "a y"}, 1, "ends with the answer #2"},
		{"nobody answered", []string{"u x"}, 0, "a message of the user, #1, that nobody answered"},
		{"another question", []string{"u x", "a y", "u and z?"}, 0, "#3"},
		{"thanks behind the answer", []string{"u x", "a y", "u thanks, that's all!"}, 0.9, "ends with the answer #2 and what asks for nothing more, #3"},
		{"thanks with another wish", []string{"u x", "a y", "u thanks! Now please deploy it"}, 0, "#3"},
		{"praise with another wish", []string{"u x", "a y", "u perfect, now deploy it to production"}, 0, "#3"},
		{"谢谢", []string{"u 你好", "a 好的", "u 谢谢"}, 0.9, "#2"},
		{"a farewell with a promise", []string{"u x", "a y", "u Thank you so much! I'll definitely reach out if I need anything else. Have a great day!"}, 0.9, "#3"},
		{"no to more", []string{"u x", "a Anything else?", "u Nope, that's it. Thanks for getting this sorted."}, 0.9, "#3"},
		{"ok", []string{"u x", "a y", "u ok"}, 0.9, "#3"},
		{"ok to a question", []string{"u x", "a Shall I delete it?", "u ok"}, 0, "#3"},
		{"go on", []string{"u x", "a y", "u ok, continue"}, 0, "#3"},
		{"thanks to nothing", []string{"u thanks"}, 0, "#1"},
		{"what machines write behind it", []string{"u x", "a y", "u <local-command-stdout>ok</local-command-stdout>", "s <system-reminder>x</system-reminder>"}, 1, "#2"},
		{"a marker of the end behind it", []string{"u x", "a y", "u ###STOP###"}, 1, "ends with the answer #2"},
		{"thanks and a marker", []string{"u x", "a y", "u Thank you! ###STOP###"}, 0.9, "#3"},
		{"a marker behind thanks", []string{"u x", "a y", "u Thank you!", "u ###STOP###"}, 0.9, "#3"},
		{"a marker behind a question", []string{"u x", "a y", "u and z?", "u ###STOP###"}, 0, "#3"},
		{"a marker behind a call", []string{"u x", "c 1 transfer {}", "t 1 ok", "u ###TRANSFER###"}, 0, "#3"},
		{"a call", []string{"u x", "c 1 ls {}"}, 0, "ends with a call, #2"},
		{"a result", []string{"u x", "c 1 ls {}", "t 1 ok"}, 0, "the result of a tool, #3"},
		{"an earlier call unanswered", []string{"u x", "c 1 ls {}", "u never mind, y", "a z"}, 1, "#4"},
		{"a call of the same turn unanswered", []string{"u x", "c 1 ls {}", "a z"}, 0.5, "without the results of #2"},
		{"stop", []string{"u x", "a~stop y"}, 1, ""},
		{"max_tokens", []string{"u x", "a~max_tokens y"}, 0.5, "the answer #2 is cut off (max_tokens)"},
		{"length", []string{"u x", "a~length y"}, 0.5, "length"},
		{"MAX_TOKENS", []string{"u x", "a~MAX_TOKENS y"}, 0.5, "max_tokens"},
		{"aborted", []string{"u x", "a~aborted y"}, 0, "broke off (aborted)"},
		{"error", []string{"u x", "a~error y"}, 0, "broke off"},
		{"silence", []string{"u x", "a "}, 0, "without text"},
		{"reasoning is no answer", []string{"u x", "r I think | "}, 0, "without text"},
		{"reasoning inside the content is no answer", []string{"u x", "a <think>I think</think>\n"}, 0, "without text"},
		{"stopped by the user", []string{"u x", "a y", "u [Request interrupted by user]"}, 0, "the user stopped the agent at #3"},
		{"stopped, and went on", []string{"u x", "a y", "u [Request interrupted by user]", "u go on", "a z"}, 1, "#5"},
		{"handed over", []string{"u x", "c 1 transfer_to_human_agents {}", "t 1 Transfer successful"}, 0.9, "ends by handing over to a person, #3"},
		{"handed over, and thanks", []string{"u x", "c 1 transfer_to_human_agents {}", "t 1 Transfer successful", "u thanks"}, 0.9, "ends by handing over to a person, #3"},
		{"handing over failed", []string{"u x", "c 1 transfer_to_human_agents {}", "e 1 no"}, 0, "the result of a tool, #3"},
		{"the request failed", []string{"u x", "m API Error: 529 overloaded"}, 0, "a request to the model that failed, #2"},
		{"nothing was asked of the model", []string{"u x", "a y", "m No response requested."}, 1, "#2"},
	})
}

func TestFormat(t *testing.T) {
	check(t, Format, []scripted{
		{"nothing to check", []string{"u x", "a y"}, na, ""},
		{"in order", []string{"u x", `c 1 ls {"a":1}`, "t 1 ok", "a y"}, 1, "1 call well-formed and answered"},
		{"no arguments", []string{"u x", "c 1 ls ", "t 1 ok"}, 1, ""},
		{"arguments cut", []string{"u x", `c 1 ls {"a":"b`, "t 1 ok"}, 0.6667, "no JSON object or that name no tool: #2"},
		{"a list", []string{"u x", `c 1 ls [1]`, "t 1 ok"}, 0.6667, "#2"},
		{"a string", []string{"u x", `c 1 ls "x"`, "t 1 ok"}, 0.6667, "#2"},
		{"no name", []string{"u x", `c 1  {}`, "t 1 ok"}, 0.6667, "#2"},
		{"unanswered", []string{"u x", "c 1 ls {} + 2 cat {}", "t 1 ok"}, 0.8, "calls without a result: #2"},
		{"an orphan", []string{"u x", "c 1 ls {}", "t 1 ok", "t 2 ok"}, 0.75, "results without a call: #4"},
		{"answered twice", []string{"u x", "c 1 ls {}", "t 1 ok", "t 1 ok"}, 0.75, "#4"},
		{"out of order", []string{"u x", "c 1 ls {} + 2 cat {}", "t 2 ok", "t 1 ok"}, 1, ""},
		{"by position", []string{"u x", "c - ls {} + - cat {}", "t - ok", "t - ok"}, 1, ""},
		{"ids used again", []string{"u x", "c 1 ls {}", "t 1 ok", "c 1 cat {}", "t 1 ok"}, 1, ""},
		{"the nearest call with the id", []string{"u x", "c 1 ls {}", "u y", "c 1 cat {}", "t 1 ok"}, 0.8, "calls without a result: #2"},
		{"late", []string{"u x", "c 1 ls {}", "u wait", "t 1 ok", "a y"}, 1, ""},
		{"neighbouring messages are one step", []string{"u x", "c - ls {}", "c - cat {}", "t - ok", "t - ok"}, 1, ""},
		{"without an id, only the last step is answered", []string{"u x", "c - ls {}", "u y", "c - cat {}", "t - ok", "t - ok"}, 0.6667, "calls without a result: #2; results without a call: #6"},
		{"think tags", []string{"u x", "a <think>a</think>b"}, 1, "think tags balanced in 1 message"},
		{"think tags inside", []string{"u x", "a b <think>a</think> c <think>d</think>"}, 1, ""},
		{"open", []string{"u x", "a <think>a", "a b"}, 0, "think tags that do not balance: #2"},
		{"closed only", []string{"u x", "a a</think>b"}, 0, "#2"},
		{"a stray one behind leading reasoning is read as its end", []string{"u x", "a <think>a</think>b</think>c"}, 1, ""},
		{"nested", []string{"u x", "a b <think>a<think>c</think></think>"}, 0, "#2"},
		{"opened twice, closed once", []string{"u x", "a b <think>a<think>c</think>"}, 0, "#2"},
		{"scratchpad", []string{"u x", "a b <REASONING_SCRATCHPAD>a"}, 0, "#2"},
		{"the user may say so", []string{"u what does <think> mean?", "a it opens reasoning"}, na, ""},
	})
}

func TestReasoning(t *testing.T) {
	check(t, Reasoning, []scripted{
		{"no assistant", []string{"u x"}, na, ""},
		{"none: it may not be recorded", []string{"u x", "a y", "u x", "a z"}, na, ""},
		{"all", []string{"u x", "r t | y"}, 1, "the only message of the assistant carries reasoning"},
		{"half", []string{"u x", "r t | y", "u x", "a z"}, 0.5, "1 of 2 messages of the assistant carries reasoning; not: #4"},
		{"in the content", []string{"u x", "a <think>t</think>y"}, 1, ""},
		{"blank", []string{"u x", "r   | y", "a <think> </think>y"}, na, ""},
		{"recorders don't think", []string{"u x", "r t | y", "m API Error"}, 1, ""},
	})
}

func TestSubstance(t *testing.T) {
	long := "u Please compare the two drafts of the contract that I pasted above, list each difference in the clauses on liability and payment, and say which of them is better for a small company like ours and why."
	check(t, Substance, []scripted{
		{"no answer", []string{"u x"}, na, ""},
		{"ends in a call", []string{"u x", "a y", "u z", "c 1 ls {}"}, na, ""},
		{"empty", []string{"u x", "a "}, 0, "the final answer #2 is empty"},
		{"one word to a short request", []string{"u is 7 a prime?", "a Yes."}, 1, "needs no more"},
		{"one word to a long request", []string{long, "a Done."}, 0.25, "one word to a long request"},
		{"一个词", []string{long, "a 好的"}, 0.25, ""},
		{"two words", []string{long, "a Draft B"}, 1, ""},
		{"one word was wanted", []string{long + " Answer with one word.", "a B"}, 1, ""},
		{"signs only", []string{long, "a ..."}, 0.25, ""},
		{"a number", []string{long, "a 1,234.56"}, 0.25, ""},
		{"after a short follow-up", []string{long, "a Draft B is better.", "u sure?", "a Yes."}, 1, ""},
		{"reasoning is no answer", []string{"u x", "a <think>y</think>"}, 0, "empty"},
	})
}

func TestResolution(t *testing.T) {
	check(t, Resolution, []scripted{
		{"no answer", []string{"u x", "c 1 ls {}", "t 1 ok"}, na, ""},
		{"an empty answer", []string{"u x", "a "}, na, ""},
		{"answered", []string{"u x", "a It is done."}, 1, "no answer declines"},
		{"declined", []string{"u order a pizza", "a I'm sorry, but I'm unable to perform external tasks."}, 0.5, "the only answer declines what was asked: #2"},
		{"as a clause", []string{"u x", "a It was booked yesterday, but unfortunately, I cannot change it."}, 0.5, "#2"},
		{"curly", []string{"u x", "a I’m unable to remove a passenger."}, 0.5, "#2"},
		{"拒绝", []string{"u x", "a 很抱歉，作为一个人工智能，我无法订机票。"}, 0.5, "#2"},
		{"one of three", []string{"u x", "a y", "u x", "a I can't do that.", "u x", "a z"}, 0.75, "1 of 3 answers declines what was asked: #4"},
		{"two of two", []string{"u x", "a I can't do that.", "u x", "a As an AI, I do not eat."}, 0.3333, "all 2 answers decline what was asked: #2 and #4"},
		{"somebody else can't", []string{"u x", "a The compiler says: `I cannot find it`. Users who say they can't log in now can."}, 1, ""},
		{"far behind the beginning", []string{"u x", "a " + strings.Repeat("It is done. ", 40) + "I can't test it."}, 1, ""},
		{"with a call it goes on", []string{"u x", "c 1 ls {} | I can't find it, I look again.", "t 1 ok", "a y"}, 1, ""},
		{"handed over", []string{"u x", "a I can't do that.", `c 1 transfer_to_human_agents {"summary":"x"}`, "t 1 Transfer successful"}, na, ""},
		{"handed over, and said so", []string{"u x", "c 1 transferToHuman {}", "t 1 ok", "a You are being transferred."}, na, ""},
		{"nobody took over", []string{"u x", "c 1 transfer_to_human_agents {}", "e 1 no agent is there", "a I try again tomorrow."}, 1, ""},
		{"work went on", []string{"u x", "c 1 escalate_to_support {}", "t 1 ok", "c 2 ls {}", "t 2 ok", "a y"}, 1, ""},
		{"money is no person", []string{"u x", "c 1 transfer_funds {}", "t 1 ok", "a y"}, 1, ""},
	})
}

// Work takes off gently: the more steps and text, the less one more of them
// counts.
func TestEffort(t *testing.T) {
	check(t, Effort, []scripted{
		{"no assistant", []string{"u x"}, na, ""},
		{"one word", []string{"u x", "a y"}, 0.9374, "it took 1 message of the assistant, with 1 B of answers and calls"},
		{"recorders do nothing", []string{"u x", "a y", "m API Error"}, 0.9374, ""},
		{"reasoning is free", []string{"u x", "r " + strings.Repeat("hm ", 1000) + " | y"}, 0.9374, ""},
		{"so are results", []string{"u x", "c 1 ls {}", "t 1 " + strings.Repeat("file ", 1000), "a y"}, 0.9008, ""},
		{"a long answer", []string{"u x", "a " + strings.Repeat("word ", 700)}, 0.8019, "with 3.5 kB of"},
		{"three steps", []string{"u x", "c 1 ls {}", "t 1 ok", "c 2 cat {}", "t 2 ok", "a y"}, 0.8748, "3 messages"},
	})
	long := func(steps int) float64 {
		var lines []string
		for range steps {
			lines = append(lines, "a y")
		}
		a := Measure(Config{}, 1, script(lines...))
		return a.Metrics[Effort].Score
	}
	if a, b, c, d := long(10), long(20), long(100), long(100_000); !(a > b && b > c && c > 0.5 && a-b > 5*(c-long(110))) || d != 0 {
		t.Errorf("10 %v, 20 %v, 100 %v, 100,000 %v", a, b, c, d)
	}
}
