package export

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/edit"
	"winnow/core/export/lineage"
	"winnow/core/graph"
	"winnow/core/proposal"
	"winnow/core/review"
)

// answersOf lists what each sample trains, in short.
func answersOf(list []*Sample) string {
	var parts []string
	for _, s := range list {
		var own []string
		for m := range s.assistants {
			if m.Train {
				own = append(own, strings.TrimPrefix(m.Content, "I look at part "))
			}
		}
		parts = append(parts, strings.Join(own, " "))
	}
	return strings.Join(parts, " | ")
}

// contents is all that samples say.
func contents(list []*Sample) (text string) {
	for _, s := range list {
		for m := range s.each {
			text += m.Content + "\n"
		}
	}
	return text
}

// TestCompressedMasks checks that samples train no more than the segment would: masks,
// policies, what no model wrote, and what stands before a fork.
func TestCompressedMasks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*library, *review.Segment)
		opts   Options
		want   string
		left   string
	}{
		"all":        {want: "0 1 2 | 3 4 5 | 6 7 All are read."},
		"masked":     {change: func(_ *library, seg *review.Segment) { seg.Masked = []int{5, 13} }, want: "0 2 | 3 4 | 6 7 All are read."},
		"no model":   {change: func(l *library, seg *review.Segment) { l.messages[seg.Body][4].Model = chat.NoModel }, want: "0 2 | 3 4 5 | 6 7 All are read."},
		"last":       {opts: Options{Train: TrainLast}, want: "All are read.", left: OutElsewhere},
		"after":      {change: func(l *library, seg *review.Segment) { l.messages[seg.Body][7].IsError = true }, opts: Options{Train: TrainAfterErrors}, want: "3 4 5 | 6 7 All are read.", left: OutElsewhere},
		"succeeded":  {change: func(l *library, seg *review.Segment) { l.messages[seg.Body][7].IsError = true }, opts: Options{Train: TrainSucceeded}, want: "0 1 | 3 4 5 | 6 7 All are read."},
		"unedited":   {opts: Options{Train: TrainEdited}, left: OutUnedited},
		"none":       {change: func(_ *library, seg *review.Segment) { seg.Masked = []int{3, 5, 7, 9, 11, 13, 15, 17, 19} }, left: "no_assistant"},
		"other text": {opts: Options{System: System{Text: "Other."}}, want: "0 1 2 | 3 4 5 | 6 7 All are read."},
		"too long":   {opts: Options{MaxTokens: 550}, want: "0 1 2 | 3 4 5", left: tooLong},
		"cut":        {opts: Options{MaxTokens: 550, TooLong: CutLong}, want: "0 1 2 | 3 4 5", left: tooLong},
	} {
		l := &library{}
		seg := agent(l, 8, nil)
		if c.change != nil {
			c.change(l, seg)
		}
		l.compress(t, 0.6, compress.Defaults(), nil)
		list, r := previewed(t, l, seg, c.opts)
		left := ""
		if len(r.LeftOut) > 0 {
			left = r.LeftOut[0].Check
		}
		if got := answersOf(list); got != c.want || left != c.left || len(r.LeftOut) > 2 {
			t.Errorf("%s: %q is trained and %v left out, want %q and %q", name, got, r.LeftOut, c.want, c.left)
		}
		for _, s := range list {
			if first := s.Messages[0].Content; first != "You read files." && first != c.opts.System.Text {
				t.Errorf("%s: the system says %q", name, first)
			}
		}
	}
}

// talk is a session of several questions with long answers.
func talk(l *library, n int) *review.Segment {
	messages := []chat.Message{{Role: chat.System, Content: "You answer."}}
	for i := range n {
		messages = append(messages, chat.Message{Role: chat.User, Content: fmt.Sprint("question ", i)},
			chat.Message{Role: chat.Assistant, Content: fmt.Sprintf("answer %d ", i) + strings.Repeat("word ", 200)})
	}
	l.add(nil, messages...)
	return &l.segments[len(l.segments)-1]
}

// TestCompressedBeside checks what lies beside messages: the prompt of a session in
// front of a later segment, also where it is dropped, repairs where they were made, and
// that nothing that trains is cut off.
func TestCompressedBeside(t *testing.T) {
	t.Parallel()
	l := &library{}
	seg := agent(l, 12, nil)
	seg.Start = 2
	seg.Digest = chat.DigestOf(l.messages[seg.Body][1:])
	l.messages[seg.Body][20].ToolCalls[0].Arguments = ""
	l.compress(t, 0.5, compress.Defaults(), nil)
	for _, system := range []System{{}, {Drop: true}, {Text: "Other."}} {
		list, r := previewed(t, l, seg, Options{System: system})
		if len(list) < 3 || r.Compressed == nil || r.Compressed.Stale > 0 {
			t.Fatalf("%+v: %d samples, %+v", system, len(list), r.Compressed)
		}
		want := map[System]string{{}: "You read files.", {Drop: true}: "Read all.", {Text: "Other."}: "Other."}[system]
		for _, s := range list {
			if s.Messages[0].Content != want || s.Messages[1].Role == chat.System {
				t.Errorf("%+v: it begins with %+v", system, s.Messages[:2])
			}
		}
		has := 0
		for _, s := range list {
			if s.last(func(m *Message) bool { return m.Content == "I look at part 9" }) >= 0 {
				has++
			}
		}
		if len(r.Repairs) != 1 || r.Repairs[0].Check != "arguments" || r.Repairs[0].Samples != has || has == len(list) {
			t.Errorf("%+v, in %d of %d samples", r.Repairs, has, len(list))
		}
	}
	seg = talk(l, 12)
	o := compress.Defaults()
	o.Tail = 2
	l.compress(t, 0.6, o, nil)
	p := l.proposed[seg.ID]
	if p.Layers == nil {
		t.Fatal(p.Reason)
	}
	list, r := previewed(t, l, seg, Options{MaxTokens: p.After - 1, TooLong: CutLong})
	if got := answersOf(list); len(r.LeftOut) == 0 || r.LeftOut[len(r.LeftOut)-1].Check != tooLong || strings.Contains(got, "answer 11") {
		t.Errorf("%v left out, %q trained", r.LeftOut, got)
	}
	s := &Sample{Messages: []Message{{Role: chat.User, Content: strings.Repeat("a b c d e f ", 9)}, {Role: chat.User, Content: compress.Prefix + strings.Repeat(" g h i j k l", 9)}}}
	if both, one := signatureOf(s), signatureOf(&Sample{Messages: s.Messages[:1]}); both != one {
		t.Error("a summary counts for what is alike")
	}
}

// TestCompressedKeeps checks that what is kept is as it would be, that a branch has
// what stands before it untrained, and that an edited answer alone is trained if asked.
func TestCompressedKeeps(t *testing.T) {
	t.Parallel()
	l := forks()
	long := agent(l, 12, func(_ *review.Segment, sess *review.Session) {
		sess.Parent, sess.Origin.Kind, sess.Origin.At = "session-1", "branch", 2
	})
	l.messages[long.Body] = slices.Clone(l.messages[long.Body][1:])
	for i := range l.messages[long.Body] {
		l.messages[long.Body][i].N = i + 1
	}
	long.End--
	long.Digest = chat.DigestOf(l.messages[long.Body])
	l.alter(long.SessionID, func(s *review.Session) { s.Body = long.Body })
	whole, _ := previewed(t, l, long, Options{})
	l.compress(t, 0.5, compress.Defaults(), nil)
	list, r := previewed(t, l, long, Options{})
	if len(whole) != 1 || len(list) < 2 || r.Compressed.Samples != len(list) {
		t.Fatalf("%d and %d samples, %+v", len(whole), len(list), r)
	}
	was := map[string]string{}
	for m := range whole[0].each {
		was[m.Content] = fmt.Sprint(m.Role, m.Calls, m.ToolCallID, m.Name)
	}
	for _, s := range list {
		for i := range s.Messages {
			m := &s.Messages[i]
			if strings.HasPrefix(m.Content, compress.Prefix) {
				continue
			}
			if is, there := was[m.Content]; !there || is != fmt.Sprint(m.Role, m.Calls, m.ToolCallID, m.Name) {
				t.Errorf("message %d is another one: %+v", i+1, m)
			}
			if i < 5 && (m.Content != whole[0].Messages[i].Content || m.Train) {
				t.Errorf("before the fork: %+v", m)
			}
		}
	}
	if whole[0].Messages[5].Content != "Read all." {
		t.Errorf("%+v", whole[0].Messages[5])
	}
	by := "I looked at part 3, as asked"
	l.edit(len(l.segments)-1, edit.Fix, 8, 0, chat.Message{Role: chat.Assistant, Content: by, ToolCalls: l.messages[long.Body][7].ToolCalls})
	l.compress(t, 0.5, compress.Defaults(), nil)
	list, r = previewed(t, l, long, Options{Train: TrainEdited})
	if got := answersOf(list); got != by {
		t.Errorf("%q is trained, %v left out", got, r.LeftOut)
	}
}

// TestCompressedUnmarked checks that formats without marks write what trains as it
// should there, and nothing else.
func TestCompressedUnmarked(t *testing.T) {
	t.Parallel()
	l := &library{}
	seg := agent(l, 12, nil)
	unmarked := slices.DeleteFunc(ofSamples(), func(e Emitter) bool { return !e.unmarked })
	if len(unmarked) == 0 {
		t.Fatal("no format")
	}
	fold := compress.Defaults()
	fold.Form = compress.Fold
	for _, e := range unmarked {
		opts := Options{As: e.Name, KeepNoReasoning: true}
		l.compress(t, 0.5, compress.Defaults(), nil)
		list, r := previewed(t, l, seg, opts)
		if len(list) != 0 || r.Unmarked > 0 || len(r.LeftOut) != 1 {
			t.Errorf("%s: %d samples, %d unmarked, %v", e.Name, len(list), r.Unmarked, r.LeftOut)
		}
		for _, out := range r.LeftOut {
			if out.Check != unmarkedCheck || !strings.Contains(out.Detail, "use one of hf, openai") {
				t.Errorf("%s: %v", e.Name, out)
			}
		}
		clear := fold
		clear.By = compress.Clear{}
		l.compress(t, 0.7, clear, nil)
		if list, r := previewed(t, l, seg, opts); len(list) != 1 || r.Compressed == nil {
			t.Errorf("%s, cleared: %d samples, %v", e.Name, len(list), r.LeftOut)
		}
		l.compress(t, 0.5, fold, nil)
		if list, r := previewed(t, l, seg, opts); e.Name == llamafactory.Name { // a user may not speak after a result there
			if len(r.LeftOut) != 1 || r.LeftOut[0].Check != "alternation" {
				t.Errorf("%s: %v", e.Name, r.LeftOut)
			}
		} else if len(list) != 1 || r.Unmarked > 0 || len(r.LeftOut) > 0 {
			t.Errorf("%s, fold: %d samples, %d unmarked, %v", e.Name, len(list), r.Unmarked, r.LeftOut)
		}
		p := l.proposed[seg.ID]
		p.Layers[0][0].Role = chat.Assistant
		if list, r := previewed(t, l, seg, opts); len(list) != 0 || len(r.LeftOut) != 1 || r.LeftOut[0].Check != trainedSummary.Name {
			t.Errorf("%s, a summary of the assistant: %d samples, %v", e.Name, len(list), r.LeftOut)
		}
	}
	for _, name := range Marking() {
		e, _ := Find(name)
		if e.Tree() {
			continue
		}
		list, _ := previewed(t, l, seg, Options{As: name})
		for _, s := range list {
			for m := range s.assistants {
				if strings.HasPrefix(m.Content, compress.Prefix) && m.Train {
					t.Errorf("%s trains a summary of the assistant", name)
				}
			}
		}
	}
}

// TestCompressedSealed checks that a summary brings nothing back that was redacted, and
// that secrets in it are found.
func TestCompressedSealed(t *testing.T) {
	t.Parallel()
	l := &library{}
	seg := agent(l, 12, nil)
	fold := compress.Defaults()
	fold.Form = compress.Fold
	l.compress(t, 0.5, fold, nil)
	const key = "AKIAZ7Q2XW3MPL4RT6VB"
	p := l.proposed[seg.ID]
	p.Layers[0][0].Text = compress.Prefix + " Paula Hollander read it with " + key + "."
	other := chat.Message{Role: chat.User, Content: "Paula Hollander"}
	l.sealed, l.replaced = map[graph.Saying]bool{graph.SayingOf(&other): true}, []string{"Paula Hollander"}
	list, r := previewed(t, l, seg, Options{})
	text := contents(list)
	if len(list) != 1 || strings.Contains(text, "Hollander") || !strings.Contains(text, takenMark+" read it") {
		t.Errorf("%v: %s", r.LeftOut, text)
	}
	if len(r.Repairs) != 1 || r.Repairs[0].Check != taken || len(r.Secrets) != 1 {
		t.Errorf("%+v, %+v", r.Repairs, r.Secrets)
	}
	list, _ = previewed(t, l, seg, Options{Redact: &Redaction{}})
	if text := contents(list); strings.Contains(text, key) {
		t.Error(text)
	}
	whole := chat.Message{Role: p.Layers[0][0].Role, Content: p.Layers[0][0].Text}
	l.sealed, l.replaced = map[graph.Saying]bool{graph.SayingOf(&whole): true}, nil
	if list, r := previewed(t, l, seg, Options{}); len(list) > 0 || len(r.LeftOut) != 1 || r.LeftOut[0].Check != sealed {
		t.Errorf("a summary that is sealed: %d samples, %v", len(list), r.LeftOut)
	}
	read := chat.Message{Role: chat.Tool, ToolCallID: "call_3", Content: strings.Repeat("line 3 of it\n", 40)}
	l.sealed = map[graph.Saying]bool{graph.SayingOf(&read): true}
	if list, r := previewed(t, l, seg, Options{}); len(list) > 0 || len(r.LeftOut) != 1 || r.LeftOut[0].Check != sealed || r.LeftOut[0].Sample != "" {
		t.Errorf("a message that is sealed: %d samples, %v", len(list), r.LeftOut)
	}
}

// TestCompressedDecides checks what decides with all samples known: parts, duplicates,
// limits.
func TestCompressedDecides(t *testing.T) {
	t.Parallel()
	l := &library{}
	for i := range 30 {
		agent(l, 12+i, nil)
	}
	l.compress(t, 0.5, compress.Defaults(), nil)
	export := func(opts Options) (Report, map[string][]lineage.Sample) {
		opts.Path = filepath.Join(t.TempDir(), "set") + "/"
		r := run(t, l, opts)
		of := map[string][]lineage.Sample{}
		if _, err := lineage.ReadFile(opts.Path, func(s *lineage.Sample) error {
			of[s.Segment] = append(of[s.Segment], *s)
			return nil
		}, nil); err != nil {
			t.Fatal(err)
		}
		return r, of
	}
	all, _ := export(Options{})
	if all.Candidates != 30 || all.Compressed.Segments != 30 || all.Compressed.Samples != all.Written || all.Written < 60 {
		t.Fatalf("%+v", all.Compressed)
	}
	split, of := export(Options{Splits: []Split{{Name: "train", Share: 0.5}, {Name: "test", Share: 0.5}}})
	for id, list := range of {
		for _, s := range list {
			if s.File != list[0].File {
				t.Errorf("segment %s is in %s and %s", id, list[0].File, s.File)
			}
		}
	}
	if split.Written != all.Written || split.Candidates != 30 {
		t.Errorf("%d of %d are written with parts", split.Written, all.Written)
	}
	alike := signatureOf(&Sample{Messages: []Message{{Role: chat.User, Content: strings.Repeat("one two three four five six ", 20)}}})
	rows := []row{
		{of: LeftOut{Segment: "a", Sample: "a-c0"}, text: &alike, messages: imprint{1}}, {of: LeftOut{Segment: "a", Sample: "a-c1"}, text: &alike, messages: imprint{2}},
		{of: LeftOut{Segment: "b", Sample: "b-c0"}, text: &alike, messages: imprint{3}},
	}
	for i, v := range decide(rows, &Options{Dedupe: DedupeNear}) {
		if (v.left.Check == OutNearDuplicate) != (i == 2) {
			t.Errorf("row %d that is alike: %+v", i, v)
		}
	}
	for _, opts := range []Options{{}, {Dedupe: DedupeExact}} {
		opts.Limit = 5
		if r, _ := export(opts); r.Written != 5 {
			t.Errorf("%d of 5 samples", r.Written)
		}
	}
	l.segments = l.segments[:1]
	near, of := export(Options{Dedupe: DedupeNear})
	for id, list := range of {
		if len(list) != list[0].Compression.Samples {
			t.Errorf("%d of %d samples of segment %s stay", len(list), list[0].Compression.Samples, id)
		}
	}
	if near.Compressed.Samples != near.Written || near.Candidates != 1 {
		t.Errorf("%+v", near.Compressed)
	}
}

// TestCompressedTold checks what provenance, manifest and a comparison say.
func TestCompressedTold(t *testing.T) {
	t.Parallel()
	l, plain := &library{}, &library{}
	seg := agent(l, 12, nil)
	agent(plain, 12, nil)
	l.compress(t, 0.5, compress.Defaults(), nil)
	list, _ := previewed(t, l, seg, Options{})
	first, last := list[0].Provenance, list[len(list)-1].Provenance
	for _, want := range []string{`"compression":{"sample":0,"samples":4,"tokens_before":`, `"strategy":"extract","form":"split"`, `"status":"accepted"}`} {
		if !strings.Contains(first, want) {
			t.Errorf("no %s in %s", want, first)
		}
	}
	for _, want := range []string{`"sample":3,"samples":4,"left":[{"from":5,"to":22,`, `"by":"summary","role":"user"}],"off_context":`, `"hindsight":true`} {
		if !strings.Contains(last, want) {
			t.Errorf("no %s in %s", want, last)
		}
	}
	if strings.Contains(first+last, "kim") {
		t.Error("provenance names a person")
	}
	if list[0].ID != sampleID(seg)+"-c0" || list[1].ID != sampleID(seg)+"-c1" {
		t.Errorf("%s, %s", list[0].ID, list[1].ID)
	}
	changes := func(was, is *library) string {
		var text []string
		d := diffOf(t, was, is, Options{}, Options{}, nil)
		for i := range d.Changes {
			text = append(text, fmt.Sprint(d.Changes[i].Kind, " ", d.Changes[i].Detail))
		}
		if d.Same+d.Came+d.Changed != d.New || d.Same+d.Went+d.Changed != d.Old {
			t.Errorf("the sums do not agree: %+v", d)
		}
		return strings.Join(text, "; ")
	}
	for _, c := range []struct{ got, want string }{
		{changes(plain, l), "came sample 2 of 4 of a segment that is compressed; came sample 3 of 4 of a segment that is compressed; came sample 4 of 4 of a segment that is compressed; changed it is compressed: by extract, into 4 samples"},
		{changes(l, plain), "went its segment is compressed otherwise, or no longer: sample 2 of 4 before; went its segment is compressed otherwise, or no longer: sample 3 of 4 before; went its segment is compressed otherwise, or no longer: sample 4 of 4 before; changed it is no longer compressed"},
		{changes(l, l), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	dir := filepath.Join(t.TempDir(), "set") + "/"
	run(t, l, Options{Path: dir})
	if text := read(t, dir+lineage.ManifestName); !strings.Contains(text, `"judge":"kim","judged":"2023-11-14T22:13:20Z"`) {
		t.Error(text)
	}
	p := l.proposed[seg.ID]
	p.Status, p.Changed = proposal.Proposed, true
	l.proposed[seg.ID], seg.Compression = p, review.CompressionProposed
	if list, _ := previewed(t, l, seg, Options{Compressed: "proposed"}); !strings.Contains(list[0].Provenance, `"changed":true,"status":"proposed"`) {
		t.Error(list[0].Provenance)
	}
}
