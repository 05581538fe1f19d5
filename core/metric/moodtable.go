package metric

// moodTable lists what users say to agents, in English and Chinese.
func moodTable() []row[mood] {
	return []row[mood]{
		{corrects, anywhere, []string{
			"that's wrong", "thats wrong", "that is wrong", "that was wrong", "this is wrong", "it's wrong", "its wrong", "is still wrong", "still wrong", "all wrong", "you're wrong", "you are wrong", "you were wrong", "wrong again",
			"wrong file", "wrong files", "wrong folder", "wrong directory", "wrong path", "wrong branch", "wrong one", "wrong line", "wrong place", "wrong function", "wrong repo", "wrong answer", "wrong way", "wrong approach", "wrong language", "wrong version", "wrong order",
			"that's incorrect", "that is incorrect", "this is incorrect", "it's incorrect", "that's not correct", "that is not correct", "that isn't correct", "this is not correct", "this isn't correct", "not correct",
			"that's not right", "that is not right", "that isn't right", "this isn't right", "this is not right", "not quite right", "doesn't look right", "does not look right", "doesn't seem right",
			"that's not it", "that's not how", "that's not what", "that is not what", "that isn't what", "this is not what", "this isn't what", "it's not what", "not what i", "isn't what i", "wasn't what i", "not like that", "that's not true", "that is not true",
			"still broken", "still failing", "still fails", "still fail", "still failed", "still not", "still doesn't", "still doesnt", "still does not", "still don't", "still isn't", "still is not", "still aren't", "still didn't", "still getting", "still get the", "still get an", "still gives", "still see", "still seeing", "still shows", "still crashes", "still crashing", "still errors", "still an error", "still the same", "still no ", "still red", "still missing", "still can't", "still cannot",
			"same error", "same problem", "same issue", "same bug", "same mistake",
			"doesn't work", "doesnt work", "does not work", "didn't work", "didnt work", "did not work", "not working", "isn't working", "isnt working", "is not working", "doesn't compile", "does not compile", "doesn't build", "does not build", "doesn't run", "does not run", "doesn't help", "didn't help", "did not help", "didn't fix", "did not fix", "doesn't fix", "does not fix", "isn't fixed", "not fixed",
			"you broke", "it broke", "this broke", "that broke", "broke the", "it's broken", "it is broken", "now broken", "is broken now",
			"undo that", "undo this", "undo it", "undo your", "undo the last", "revert that", "revert this", "revert it", "revert your", "revert the last", "roll that back", "roll it back", "roll back that", "put it back", "put that back", "change it back", "change that back", "bring it back",
			"you forgot", "you missed", "you didn't", "you didnt", "you did not", "you haven't", "you have not", "you deleted", "you overwrote", "you ignored", "you misunderstood", "you misread", "you made a mistake", "you made an error", "you shouldn't have", "you should not have", "you should have", "you're not listening", "your mistake",
			"i didn't ask", "i did not ask", "i didn't say", "i did not say", "i didn't mean", "i did not mean", "i never asked", "i never said", "i told you", "i already told", "i just told", "as i said", "like i said", "i said not", "i asked for",
			"why did you", "why didn't you", "why are you", "why would you", "pay attention", "read it again", "look again", "try harder", "not good enough", "makes no sense", "that makes no sense", "wtf", "what the fuck", "fucking hell", "ffs", "doesn't make sense", "does not make sense", "that's a mistake", "that's an error", "that's a bug", "bad answer", "useless",
			"is incorrect", "are incorrect", "is wrong", "are wrong", "it's failing", "is failing now", "are failing now", "fails now", "with a different error",
			"that failed", "it failed again", "fails again", "failed again", "crashes again", "broken again",
			"don't do that", "stop doing", "stop that", "not that one",
		}},
		{corrects, sentence, []string{
			"i get an error", "i got an error", "i'm getting an error", "getting an error", "there's an error", "there is an error", "it fails", "it failed", "it crashes", "it crashed", "it doesn't", "it does not", "it didn't", "it isn't", "nothing happens", "nothing happened", "nothing changed", "not good",
		}},
		{corrects, opening, []string{
			"wrong", "nope", "incorrect", "not quite", "no that", "no that's", "no it", "no it's", "no i ", "no you", "no the", "no this", "no not", "no don't", "no no", "no stop", "no wait", "wait no", "wait, no", "hmm no", "hm no", "hmm, no", "actually no", "actually, no", "stop", "not really", "what the hell",
		}},
		{corrects, beforeSign, []string{"no"}},
		{corrects, unasked, []string{"i meant", "no, i meant", "i said"}},
		{neutral, anywhere, declined()},
		{neutral, anywhere, excused()},
		{neutral, anywhere, []string{
			"no problem", "no worries", "no rush", "no need", "no more", "no, that would be all", "no, go ahead", "no, you can", "no, please go", "no, it's fine", "no it's fine", "no, it's ok", "no, all good", "no idea", "no changes", "no one", "no longer", "no matter", "no questions", "no objections", "no other", "no errors", "no error", "no issues", "no issue",
			"not wrong", "nothing wrong", "nothing is wrong", "isn't wrong", "what's wrong", "what is wrong", "wrong with", "not bad", "not incorrect", "stop hook", "stop here", "stop words", "stop sign", "stop the server", "stop the",
			"if it doesn't work", "if it does not work", "if that doesn't work", "if this doesn't work", "if it's not working", "if not working", "make sure it's not", "in case it doesn't work", "how it works", "if it works", "whether it works", "check that it works", "would be great", "would be perfect", "would be nice", "would be awesome", "would be good", "that'd be great", "be great if", "thanks in advance", "thank you in advance", "why are you called", "wtf is a", "wtf is an", "wtf does", "what the fuck is a", "i meant to", "what i said", "when i said",
			"thanks to", "thank you letter", "thank you note", "thank you card", "thank you page", "thank you email", "thank you mail", "thank you message", "thank you speech", "thanks page", "thanks letter", "thanks section", "hope that helps", "hopefully, that helps", "hopefully that helps", "what works now", "you should have access", "you should have a", "you should have the", "you should have received", "i asked for help", "not working hours", "i'm still not sure", "i am still not sure", "still not sure", "still not decided", "can we still", "can i still", "could we still", "could i still", "do i still", "i still don't have", "i still do not have", "i still can't decide", "still no need",
		}},
		{praises, anywhere, []string{
			"thanks", "thank you", "thank u", "thx", "tysm", "many thanks", "much appreciated", "appreciate it", "appreciated", "appreciate that", "appreciate your",
			"works now", "working now", "works perfectly", "works great", "works well", "works fine", "works like a charm", "that fixed it", "fixed it", "that did it", "that solved", "that helped", "that helps", "did the trick", "problem solved", "well done", "good job", "great job", "nice job", "great work", "good work", "nice work", "love it", "looks good", "looks great", "looks perfect", "lgtm", "exactly what i", "just what i", "you're awesome", "you are awesome", "you're the best", "you rock",
		}},
		{praises, sentence, []string{
			"perfect", "great", "awesome", "excellent", "amazing", "wonderful", "fantastic", "brilliant", "superb", "beautiful", "nice", "cool", "sweet", "bravo", "it works", "that works", "this works", "all good", "very good", "very nice", "so good", "good one", "ty",
		}},
		{corrects, anywhere, []string{
			"不对", "不是这样", "不是这个", "不是这意思", "不是这个意思", "错了", "还是不行", "仍然不行", "依然不行", "还不行", "没有用", "没用", "不起作用", "没起作用", "没有起作用", "不管用", "还是报错", "仍然报错", "依然报错", "又报错", "还报错", "还在报错", "还是错", "仍然是错", "还是没有", "还是不", "仍然不", "依然不", "还是有问题", "仍有问题", "还有问题", "还是失败", "又失败", "又错", "还是一样", "还是老样子",
			"不正确", "有误", "写错", "改错", "弄错", "搞错", "看错", "理解错", "答错", "算错", "找错", "错文件", "出错了", "不是我要的", "不是我想要的", "不是我说的", "我不是要", "我不是说", "我说的是", "我要的是", "我的意思是", "我让你", "别这样", "不要这样", "谁让你", "为什么你", "你为什么",
			"撤销刚才", "撤销这", "撤销上", "撤销你", "撤回", "改回来", "改回去", "恢复原样", "恢复原来", "退回去", "没有解决", "没解决", "未解决", "还没好", "没有改", "没改", "没有修复", "没修复", "没有生效", "没生效", "不生效", "没有变化", "没变化", "没反应", "没有反应", "依然打不开", "还是打不开", "仍然打不开", "我说过", "为什么删掉了", "为什么删了", "为什么删除了", "为什么改了", "为什么改掉了", "为什么去掉了",
			"你忘了", "你忘记", "漏了", "遗漏了", "你没有", "你没", "不符合要求", "不符合我", "跑不通", "运行不了", "不能运行", "无法运行", "打不开了", "坏了", "胡说", "瞎说", "答非所问", "重新来",
			"不對", "錯了", "還是不行", "沒有用", "沒用", "不是這樣", "不是這個", "還是錯", "還是沒有", "不正確", "沒有解決", "改回來",
		}},
		{corrects, opening, []string{"不行", "不是，", "不是,", "不，", "不,", "停"}},
		{corrects, beforeSign, []string{"错误"}},
		{neutral, anywhere, []string{
			"不对外", "错了怎么", "错了该", "很好奇", "很好，但", "很好,但", "很好但", "很好，不过", "不错，但", "不错,但", "不错但", "很棒，但", "感谢信", "感谢页", "感谢卡", "感谢词", "感谢函", "感谢语", "感谢邮件",
			"没错", "沒錯", "对不对", "不对称", "不对应", "是不是这个", "是不是这样", "是不是不对", "有没有错", "有没有用", "有没有问题", "没有用到", "没用到", "没用过", "没有用过", "没有用户", "没有用的", "没用的", "没有用处", "没问题", "没有问题", "行不行", "不行的话", "如果不行", "要是不行", "如果还是不行", "如果没有用", "如果错了", "错了吗", "哪里错了", "什么错了", "解决了吗", "成功了吗", "好了吗", "完美主义", "停止", "停用", "停车", "还是不用", "你没问题", "不是这样吗", "有没有改", "没改变", "能不能运行", "为什么无法运行", "是否不正确", "是否有误",
		}},
		{praises, anywhere, []string{
			"谢谢", "謝謝", "不错", "不錯", "多谢", "感谢", "感謝", "太好了", "太棒了", "很好", "非常好", "完美", "真棒", "很棒", "辛苦了", "搞定了", "解决了", "成功了", "厉害", "赞", "正是我要的", "正是我想要", "漂亮", "干得好", "做得好", "写得好",
		}},
		{praises, opening, []string{"可以了"}},
		{praises, anywhere, []string{"👍", "🙏", "👏"}},
		{corrects, anywhere, []string{"👎"}},
	}
}

// declined lists how users say that they want nothing more.
func declined() (phrases []string) {
	for _, no := range []string{"no, ", "no ", "no. ", "nope, ", "nope ", "nope. ", "nah, ", "nah "} {
		for _, rest := range []string{
			"nothing", "i'm done", "i am done", "we're done", "that's everything", "that is everything", "that's all", "that is all", "that's it", "that was it", "that was all", "i'm good", "i am good", "i'm all set", "i am all set", "all set", "all done", "that will be all", "that'll be all", "i'm fine", "that's okay", "that's ok", "that's fine", "thanks", "thank you", "not at the moment", "not right now",
		} {
			phrases = append(phrases, no+rest)
		}
	}
	return phrases
}

// excused lists how users correct themselves.
func excused() (phrases []string) {
	for _, sorry := range []string{"sorry", "apologies", "my apologies", "my bad", "my mistake", "oops", "apologies for the confusion", "sorry for the confusion", "sorry about that"} {
		for _, sign := range []string{", ", ". ", " ", "! "} {
			phrases = append(phrases, sorry+sign+"i meant", sorry+sign+"i said")
		}
	}
	return phrases
}

// briefTable lists how requests ask for a brief answer.
func briefTable() []string {
	return []string{
		"one word", "single word", "yes or no", "yes/no", "true or false", "only the", "just the", "single letter", "one letter", "single number", "a number only", "only a number", "just answer", "answer only", "answer with", "reply with", "respond with", "reply only", "respond only", "output only", "return only", "multiple choice", "which of the following", "\na)", "\n(a)", "\na.", "\na:",
		"只回答", "只需回答", "一个字", "一个词", "是或否", "是还是否", "只输出", "仅输出", "直接输出", "选择题", "只给出", "只写",
	}
}
