package voice

import "strings"

// endMarkers are what simulators of users and loops around agents write in the
// user's name to end a talk, besides what endMarker knows by its form.
var endMarkers = [...]string{"[STOP]", "<STOP>", "[DONE]", "<DONE>", "[END]", "<END>", "[FINISHED]", "[EOS]", "</s>", "<|endoftext|>", "<|im_end|>", "<|eot_id|>", "[TERMINATE]", "<TERMINATE>", "TERMINATE"}

// withoutEndMarker returns a text without the markers of a talk's end that
// stand after it. "" is left of one that is nothing else.
func withoutEndMarker(text string) string {
	for {
		rest, found := cutEndMarker(text)
		if !found {
			return text
		}
		text = strings.TrimSpace(rest)
	}
}

// cutEndMarker cuts the last marker off. In front of it stands nothing, white
// space or the end of a sentence.
func cutEndMarker(text string) (rest string, found bool) {
	for _, marker := range endMarkers {
		if rest, found := strings.CutSuffix(text, marker); found && apart(rest) {
			return rest, true
		}
	}
	const sign = "###"
	inner, found := strings.CutSuffix(text, sign)
	if !found {
		return text, false
	}
	i := strings.LastIndex(inner, sign)
	if i < 0 || !shouted(inner[i+len(sign):]) || !apart(inner[:i]) {
		return text, false
	}
	return inner[:i], true
}

// apart reports whether a marker may follow a text.
func apart(text string) bool {
	return text == "" || strings.ContainsAny(text[len(text)-1:], " \t\r\n.!?>]#")
}

// shouted reports whether a marker's name is one: a few words of capitals.
func shouted(name string) bool {
	const most = 32
	letters := 0
	for _, c := range []byte(name) {
		switch {
		case 'A' <= c && c <= 'Z':
			letters++
		case c != '-' && c != '_' && c != ' ':
			return false
		}
	}
	return letters >= 2 && len(name) <= most
}
