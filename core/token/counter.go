package token

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// Counter tells how many tokens a text costs. It is safe for concurrent use.
type Counter interface {
	// Name is the name that Named knows it by.
	Name() string
	// Count returns the number of tokens of text, in time linear in its
	// length. Invalid UTF-8 counts as what it would be replaced with.
	Count(text string) int
	// Truncate returns the longest prefix of text it can easily find that
	// costs at most so many tokens and ends between two characters. Text
	// after the prefix is hardly looked at.
	Truncate(text string, tokens int) string
}

// defaultName is the counter of OpenAI's current models. Other models cut
// words otherwise, but into about as many pieces.
const defaultName = "o200k_base"

// Names lists the counters that Named knows, the default first.
func Names() []string { return []string{defaultName, "cl100k_base", Estimated} }

// Estimated is the name of the counter that needs no vocabulary.
const Estimated = "chars/4"

// Named returns a counter. The default is o200k_base, for the name "";
// cl100k_base is that of older OpenAI models, and chars/4 the rule of Estimate.
// A vocabulary is loaded when the first text is counted, not before.
func Named(name string) (Counter, error) {
	switch name {
	case "", defaultName:
		return &vocabulary{encoding: tokenizer.O200kBase}, nil
	case "cl100k_base":
		return &vocabulary{encoding: tokenizer.Cl100kBase}, nil
	case Estimated:
		return estimate{}, nil
	}
	return nil, fmt.Errorf("no token counter %q: use one of %s", name, strings.Join(Names(), ", "))
}

// estimate counts by the rule of Estimate.
type estimate struct{}

func (estimate) Name() string { return Estimated }

func (estimate) Count(text string) int { return Estimate(text) }

func (estimate) Truncate(text string, tokens int) string {
	if tokens <= 0 {
		return ""
	}
	ascii, others := 0, 0
	for i := 0; i < len(text); {
		size := 1
		if c := text[i]; c < utf8.RuneSelf {
			ascii++
		} else {
			_, size = utf8.DecodeRuneInString(text[i:])
			if c >= 0xC0 { // as in Estimate, where bytes like 10xxxxxx cost nothing
				others++
			}
		}
		if (ascii+charsPerToken-1)/charsPerToken+others > tokens {
			return text[:i]
		}
		i += size
	}
	return text
}
