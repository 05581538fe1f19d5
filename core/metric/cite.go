package metric

import "strconv"

// Cite is a place in a reason that names a message.
type Cite struct {
	From, To int // bytes of the reason, with the '#'
	N        int // number of the message
}

// Cites returns the places of a reason that name messages, such as "#12", in
// order. Numbers inside of words ("a#1", "#1a") are none.
func Cites(reason string) []Cite {
	var cites []Cite
	for i := 0; i < len(reason); i++ {
		if reason[i] != '#' || i > 0 && wordByte(reason[i-1]) {
			continue
		}
		end := i + 1
		for end < len(reason) && reason[end] >= '0' && reason[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(reason[i+1 : end])
		if err != nil || n < 1 || reason[i+1] == '0' || end < len(reason) && wordByte(reason[end]) {
			continue
		}
		cites = append(cites, Cite{i, end, n})
		i = end - 1
	}
	return cites
}

// wordByte reports whether c may be part of a word of ASCII: around a citation
// in Chinese stands no space.
func wordByte(c byte) bool {
	return c == '_' || c == '#' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}
