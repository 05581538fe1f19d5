// Package token estimates how many tokens a text costs.
package token

import "unicode/utf8"

// charsPerToken is the usual rule of thumb for English text and code.
const charsPerToken = 4

// Estimate returns the number of tokens of text by the rule of thumb of four
// characters each. A character outside ASCII counts as a whole token: Chinese,
// Japanese and emoji take about one each. It never allocates.
func Estimate(text string) int {
	ascii, other := 0, 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			ascii++
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		other++
		i += size
	}
	return (ascii+charsPerToken-1)/charsPerToken + other
}
