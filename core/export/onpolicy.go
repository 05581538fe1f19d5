package export

import (
	"fmt"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/export/onpolicy"
	"winnow/core/export/shortened"
	"winnow/core/spell"
)

// Policies lists whose answers are trained, the default first: all that a segment
// holds, or only those that a model gave to exactly what stands before them.
func Policies() []string { return []string{"off", "on"} }

// ParsePolicy reads one of Policies and reports whether it is "on".
func ParsePolicy(text string) (bool, error) {
	on, err := oneOf[string](text, Policies())
	return on == Policies()[1], err
}

// Gap is something that a model saw and that is not recorded, or not as it was.
type Gap string

// gaps are all gaps, with what is missing.
var gaps = [...]struct {
	name Gap
	what string
}{
	{"system", "no system prompt is recorded"},
	{"tools", "calls are made, and no definitions of tools are recorded"},
	{"reasoning", "reasoning is recorded as a summary, or encrypted"},
	{"media", "images, audio or files are not recorded"},
	{"compaction", "what a compaction kept is not known"},
	{"repaired", "what was recorded was repaired"},
}

// allGaps stands for every gap.
const allGaps = "all"

// GapNames lists the gaps.
func GapNames() (names []string) {
	for i := range gaps {
		names = append(names, string(gaps[i].name))
	}
	return names
}

// ParseGaps reads a list of gaps with commas between them, or "all".
func ParseGaps(text string) (list []Gap, err error) {
	if text == "" {
		return nil, nil
	}
	for _, name := range strings.Split(text, ",") {
		switch {
		case name == allGaps:
			list = nil
			for i := range gaps {
				list = append(list, gaps[i].name)
			}
			return list, nil
		case !slices.Contains(GapNames(), name):
			return nil, fmt.Errorf("%q: %suse %s, or some of %s", name, spell.Meant(name, append(GapNames(), allGaps)), allGaps, strings.Join(GapNames(), ","))
		case !slices.Contains(list, Gap(name)):
			list = append(list, Gap(name))
		}
	}
	slices.SortFunc(list, func(a, b Gap) int { return slices.Index(GapNames(), string(a)) - slices.Index(GapNames(), string(b)) })
	return list, nil
}

// onPolicy reports whether an export trains only what a model wrote to exactly what
// stands before it.
func (o *Options) onPolicy(e *Emitter) bool { return o.OnPolicy || e.tree != nil }

// OnPolicy lists the formats that can be exported with Options.OnPolicy: those that
// say of each message whether it is trained.
func OnPolicy() (names []string) {
	for i := range emitters {
		if emitters[i].perMessage {
			names = append(names, emitters[i].Name)
		}
	}
	return names
}

// Exact refuses options that an export on policy contradicts, if it is one.
func (o *Options) Exact(e *Emitter) error {
	switch {
	case !o.onPolicy(e):
		return nil
	case !e.perMessage:
		return fmt.Errorf("%s has no mark on each message of whether it is trained, which an export on policy needs: use one of %s", e.Name, strings.Join(OnPolicy(), ", "))
	case o.Train != TrainAll:
		return fmt.Errorf("an export on policy trains every answer that a model gave to exactly what stands before it: leave out which messages are trained (%s)", o.Train)
	case !o.System.keeps() || o.Ephemeral != "":
		return fmt.Errorf("an export on policy writes what the model saw: system messages can't be changed")
	case o.Compressed == shortened.Proposed:
		return fmt.Errorf("an export on policy writes what the model saw: no compression is applied")
	case o.MaxTokens > 0 && o.TooLong == CutLong:
		return fmt.Errorf("an export on policy writes each answer once: what is too long can only be left out, not cut")
	}
	return nil
}

// mendings are the repairs after which a message is not what the model saw. Others
// change how it is written only.
var mendings = []string{"stray_think", "nul", mended, "empty_assistant", resultOrder.Name}

// summaries are the formats of recorders that keep a summary of what a model thought
// at most.
var summaries = []string{"codex", "gemini"}

// gapsOf lists what is not recorded of what the model saw in a row, whose session has
// tools.
func gapsOf(r *onpolicy.Row, tools, format string, repairs []Finding) (list []Gap) {
	missing := map[Gap]bool{
		"system":     len(r.Messages) == 0 || !isPrompt(r.Messages[0].Role, r.Messages[0].Marks),
		"compaction": r.Unknown,
		"reasoning":  slices.Contains(summaries, format),
		"repaired":   slices.ContainsFunc(repairs, func(f Finding) bool { return slices.Contains(mendings, f.Check) }),
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		missing["tools"] = missing["tools"] || len(m.ToolCalls) > 0 && tools == ""
		missing["media"] = missing["media"] || m.Marks&(chat.MarkImage|chat.MarkAudio|chat.MarkFile) != 0
		missing["repaired"] = missing["repaired"] || m.Marks&(chat.MarkRepaired|chat.MarkMalformedCall) != 0
	}
	for i := range gaps {
		if missing[gaps[i].name] {
			list = append(list, gaps[i].name)
		}
	}
	return list
}

// gapNames joins the names of gaps.
func gapNames(list []Gap) string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = string(list[i])
	}
	return strings.Join(names, ",")
}

// refusedGaps says which gaps of a sample are not allowed, nil: none.
func (o *Options) refusedGaps(list []Gap) []Finding {
	var words []string
	var names []Gap
	for i := range gaps {
		if g := &gaps[i]; slices.Contains(list, g.name) && !slices.Contains(o.Gaps, g.name) {
			words, names = append(words, g.what), append(names, g.name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []Finding{{Check: gapCheck, Detail: fmt.Sprintf("%s: %s", gapNames(names), strings.Join(words, "; "))}}
}

// gapCheck names what leaves samples with gaps out.
const gapCheck = "gaps"
