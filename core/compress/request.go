package compress

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"winnow/core/chat"
)

// PromptVersion names the wording of Request.Prompt: summaries by another one
// are others.
const PromptVersion = "1"

// Request is what a model is asked for: a summary of messages.
type Request struct {
	Messages []chat.Message
	Task     string // what users asked for in front of them
	Earlier  string // the summary of what came before, "" without one
	Budget   int    // tokens that the summary should cost
	Again    string // why the last answer could not be used, "" at first
}

// Prompt is the request in words. Nothing of the messages is left out.
func (r *Request) Prompt() string {
	var b strings.Builder
	fmt.Fprintf(&b, `Part of the record of an agent's work is to be replaced by a summary of it, so that the agent can go on from there.

Write what was done and what came of it: what was called and changed, results, decisions, errors and how they were mended, what is still open.
Give names, ids, paths, numbers and other values that may be needed again, exactly as they stand there. Add nothing that does not stand there, and no advice.
Write in the language of the messages, and translate nothing. Write plain text without tags, at most %d tokens. Answer with the summary alone.
`, r.Budget)
	section := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n=== %s\n%s\n", name, text)
		}
	}
	section("Asked for by the user (for understanding, not to be summarized)", r.Task)
	section("Summary of what came before (for understanding, not to be summarized)", strings.TrimSpace(strings.TrimPrefix(r.Earlier, Prefix)))
	section("Your last answer could not be used", r.Again)
	b.WriteString("\n=== Messages to summarize\n")
	for i := range r.Messages {
		m := &r.Messages[i]
		fmt.Fprintf(&b, "\n[%d %s]\n%s\n", i+1, m.Role, m.Body())
	}
	return b.String()
}

// Key identifies what a model would be asked, for drafts that are kept: with the
// same key there is no need to ask again.
func (r *Request) Key(model string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n%s\n", PromptVersion, len(model), model)
	h.Write([]byte(r.Prompt()))
	return hex.EncodeToString(h.Sum(nil))
}
