package metric

import (
	"slices"
	"strings"
	"testing"
)

func TestUserSignal(t *testing.T) {
	check(t, UserSignal, []scripted{
		{"nobody said anything", []string{"u fix it", "a done"}, na, ""},
		{"the first message is the task", []string{"u this is wrong, fix it", "a done"}, na, ""},
		{"before the assistant spoke", []string{"u x", "u no, that's wrong, I mean y", "a done"}, na, ""},
		{"a follow-up", []string{"u x", "a done", "u and now the tests", "a done"}, 1, "no correction in 1 message"},
		{"a correction", []string{"u x", "a done", "u that's wrong", "a sorry"}, 0.5, "the only message of the user after the first answer corrects the assistant: #3 (“that's wrong”)"},
		{"two", []string{"u x", "a done", "u that's wrong", "a sorry", "u still broken", "a sorry"}, 0.3333, "#3 and #5"},
		{"made good", []string{"u x", "a done", "u that's wrong", "a sorry", "u perfect, thanks!"}, 0.6667, "1 says thanks: #5"},
		{"thanks alone", []string{"u x", "a done", "u thanks!"}, 1, "1 says thanks: #3"},
		{"thanks twice", []string{"u x", "a done", "u thanks! now y", "a done", "u thanks!"}, 1, "2 say thanks: #3 and #5"},
		{"thanks, but", []string{"u x", "a done", "u thanks, but it's still broken"}, 0.5, "still broken"},
		{"no to a question", []string{"u x", "a Shall I delete the rest, too?", "u no, keep it", "a kept"}, 1, "no correction"},
		{"no to no question", []string{"u x", "a Shall I delete the rest, too?", "u yes", "a I deleted it.", "u no, keep it", "a kept"}, 0.5, "#5"},
		{"不对", []string{"u x", "a done", "u 不对，应该是另一个文件"}, 0.5, "不对"},
		{"results of tools", []string{"u x", "a done", "u OBSERVATION:\nerror: that's wrong", "a y"}, na, ""},
		{"what machines write", []string{"u x", "a done", "u <system-reminder>that's wrong</system-reminder>", "a y"}, na, ""},
		{"stopped", []string{"u x", "a done", "u [Request interrupted by user]", "a y"}, na, ""},
		{"a summary", []string{"u x", "a done", "k the user said that's wrong", "a y"}, na, ""},
		{"a hook", []string{"u x", "a done", "u Stop hook feedback: that's wrong", "a y"}, na, ""},
	})
}

func TestCorrections(t *testing.T) {
	for _, text := range []string{
		"no", "No.", "No, the other file", "no! not there", "nope", "No that's the old one", "wrong", "Wrong file", "That's wrong.", "that’s wrong", "this is not what I asked for",
		"it's still broken", "still failing", "It is still not working", "STILL BROKEN!!!", "the build doesn't work", "doesn't compile", "undo that", "please revert your last change",
		"you forgot the tests", "why did you delete it?", "I told you not to", "Hmm, that's not right", "ok but the test still fails", "same error as before", "i get an error: KeyError",
		"You're wrong about the port", "wait, wtf this doesn't look right to me?", "no, we want to put it there", "stop, wrong branch",
		"不对", "还是不行", "错了", "没有用", "不是这样", "不对，应该用另一个", "你搞错了", "还是报错", "改回来吧", "又错了", "这个不正确", "没用", "结果错了，重新来", "不行，再试试", "不對", "還是不行",
		"The output is incorrect", "try again, the result is wrong", "I said tabs not spaces", "tests are still red", "it's failing now with a different error", "依然打不开", "不要用 Redis，我说过了", "为什么删掉了测试？",
		"You used port 80, which is wrong", "错误，应该是 8", "这是不对的", "它说 \"好了\"，但还是不行", "sorry, that's wrong", "I meant the other file", "if I click it, it still doesn't work", "Explain yourself: why did you delete it?", "the users' page is still broken, isn't it", "👎",
	} {
		if m, by := moodOf(text, false); m != corrects {
			t.Errorf("%q is no correction (%q %q)", text, m, by)
		}
	}
}

func TestNoCorrections(t *testing.T) {
	for _, text := range []string{
		"no problem", "No worries, take your time", "no thanks", "No, thank you", "no rush", "nothing wrong with that", "what's wrong with the first one?", "not bad", "know what? use both", "nowhere else", "note that", "another one",
		"Can we still see the other flights?", "now add tests", "notice the title", "yes", "continue", "ok", "let's do the next one", "the right file is a.go", "make sure it works", "wrongly typed", "incorrectness",
		"if it doesn't work, tell me", "add a page for errors", "What is the difference between a list and a tuple?", "> that's wrong\nwhy do they say so?", "```\nthat's wrong\n```\nwhat does this print?",
		"不错", "没错", "对不对？", "有没有错别字", "没问题", "如果不行就算了", "有没有用户", "继续", "好的", "停止服务器", "不对称加密是什么", "没有用到的变量可以删掉",
		"错误日志在哪里？", "错误码有哪些？", "如果密码不对就提示用户", "不对外开放的接口有哪些", "不对外的端口", "如果输入错了怎么办？", "请解释错了的单词应该怎样标注", "把“还是不行”翻译成英文", "导出功能还是不行的情况要怎么提示",
		"Nope, nothing else", "No, I'm done", "No, that's everything", "Nope, that’s it. Thanks for getting this sorted.", "wtf is a monad?", "I meant to ask: how do I deploy?", "Apologies for the confusion. I meant gift card", "Sorry, I meant Friday",
		"Fix the next bug: the login page doesn't work in Safari", "Add an undo button that says Undo that", "What happens when the upload failed again?", "grep the log for 'that is wrong'", "grep for `that is wrong`", `Make it say "that's wrong" in red`, "Can you add a hint if the password is wrong", "Which of these answers is incorrect?",
	} {
		if m, by := moodOf(text, false); m == corrects {
			t.Errorf("%q is taken for a correction by %q", text, by)
		}
	}
}

func TestThanks(t *testing.T) {
	for _, text := range []string{
		"thanks", "Thank you so much!", "thx", "perfect", "Great, works now", "awesome!", "looks good to me", "LGTM", "well done", "ok thanks", "nice", "it works!", "exactly what I wanted",
		"谢谢", "太好了", "非常好", "不错", "完美！", "搞定了", "谢谢你，可以了", "謝謝", "That did the trick", "👍", "👍🏽 next one", "那是一个很好的解决方案！", "I think that will be all, thank you", "Could you check that? Thanks!",
	} {
		if m, by := moodOf(text, false); m != praises {
			t.Errorf("%q is no praise (%q %q)", text, m, by)
		}
	}
	for _, text := range []string{"greatly reduce it", "is it nice?", "that would be great", "how it works", "thanksgiving dinner", "完美主义者", "解决了吗", "a perfect square", "thanks to the cache it is fast",
		"我很好奇是否还有其他例子", "它工作得很好，但是有点吵", "这个很好用吗？", "请写一封感谢信", "感谢页面加一个按钮", "Write a thank you letter to my boss", "the thanks page needs a link", "Explain what works now in version 3", "my email is a@b.c if that helps", "Hope that helps to pull up my info!", "I’d really appreciate it if you looked", "Hopefully, that helps!", "add the caption 'well done'",
	} {
		if m, by := moodOf(text, false); m != neutral {
			t.Errorf("%q is taken for %q by %q", text, m, by)
		}
	}
}

// "No" answers a question, and says nothing else.
func TestAnswersToQuestions(t *testing.T) {
	for _, text := range []string{"no", "No, keep them.", "nope", "No. Use the gift card", "stop"} {
		if m, by := moodOf(text, true); m == corrects {
			t.Errorf("%q answers a question, and is taken for a correction by %q", text, by)
		}
	}
	for _, text := range []string{"no, that's wrong", "still broken", "不对"} {
		if m, _ := moodOf(text, true); m != corrects {
			t.Errorf("%q corrects, whatever was asked", text)
		}
	}
	for text, want := range map[string]bool{"Shall I go on?": true, "好吗？": true, "Done.": false, "Why? Because." + strings.Repeat(" It is so.", 100): false, "Proceed? Please reply yes or no.": true} {
		if asks(text) != want {
			t.Errorf("asks(%q) = %v", text, !want)
		}
	}
}

// A pasted log says nothing of the work, and costs nothing.
func TestMoodLooksAtTheBeginning(t *testing.T) {
	if m, _ := moodOf("here is the log\n"+strings.Repeat("12:00 ok\n", 200)+"that's wrong", false); m != neutral {
		t.Error("the end of a long paste counts")
	}
	if m, _ := moodOf("that's wrong:\n"+strings.Repeat("12:00 ok\n", 1000), false); m != corrects {
		t.Error("the beginning of a long paste does not count")
	}
}

// Phrases that a neutral one hides, or that stand twice with two meanings, are
// mistakes in the table.
func TestMoodTable(t *testing.T) {
	type key struct {
		text string
		at   where
	}
	seen := map[key]mood{}
	for _, row := range readLists().Mood {
		for _, text := range row.texts() {
			if len(text) < 2 || text != strings.ToLower(text) {
				t.Errorf("%q: too short, or not in lower case", text)
			}
			if strings.Contains(text, "’") {
				t.Errorf("%q never matches: apostrophes are made plain", text)
			}
			k := key{text, row.At}
			if m, twice := seen[k]; twice && m != row.Means {
				t.Errorf("%q means two things", text)
			}
			seen[k] = row.Means
			if found, _ := moodOf(text+"!", false); found != row.Means {
				t.Errorf("%q means %q, and is taken for %q", text, row.Means, found)
			}
		}
	}
}

// What the lists name must be there: a place that no phrase counts at, or a type
// that does not exist, is a mistake.
func TestWordLists(t *testing.T) {
	lists := readLists()
	for _, row := range slices.Concat(lists.Mood, lists.Work, lists.Tool) {
		if !slices.Contains([]where{anywhere, sentence, opening, beforeSign, unasked}, row.At) || !slices.Contains([]mood{neutral, corrects, praises}, row.Means) ||
			row.Type != "" && kindOf(row.Type) == kindNone || len(row.texts()) == 0 {
			t.Errorf("row %q, %q, %q, with %d phrases", row.At, row.Means, row.Type, len(row.texts()))
		}
	}
	for _, names := range []map[TaskType][]string{lists.Extensions, lists.Programs} {
		for kind := range names {
			if kindOf(kind) == kindNone {
				t.Errorf("no type is called %q", kind)
			}
		}
	}
	if len(lists.Brief) == 0 || len(lists.Extensions) == 0 || len(lists.Programs) == 0 {
		t.Error("a list is missing")
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "...": 0, "Done.": 1, "it's": 1, "snake_case": 1, "1,234.56": 1, "two words": 2, "a b c d e f g": 7, "好的": 1, "已经完成了": 3, "用Go写": 2, "ok 好": 2,
	} {
		if got := words(text, 100); got != want {
			t.Errorf("words(%q) = %d, want %d", text, got, want)
		}
	}
	if got := words(strings.Repeat("word ", 1000), 30); got != 30 {
		t.Errorf("%d words of at most 30", got)
	}
}

func FuzzMood(f *testing.F) {
	for _, text := range []string{"no", "不对", "that’s wrong", "```\n", "> ", "\xff\xfe", "still\u0301 broken"} {
		f.Add(text, false)
	}
	rows := readLists().Mood
	f.Fuzz(func(t *testing.T, text string, asked bool) {
		m, by := moodOf(text, asked)
		if (m == neutral) != (by == "") {
			t.Fatalf("%q: %q by %q", text, m, by)
		}
		if by != "" && !slices.ContainsFunc(rows, func(r row) bool { return slices.Contains(r.texts(), by) }) {
			t.Fatalf("%q is no phrase", by)
		}
		_ = wantsNothing(text, asked)
	})
}
