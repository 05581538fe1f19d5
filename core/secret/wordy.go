package secret

// pairsOfWords are the letters that often follow a letter in words and names
// of programs: four of five pairs are among them, and one of four at random.
var pairsOfWords = map[byte]string{
	'a': "bcdgilmnprst", 'b': "aelo", 'c': "acehikort", 'd': "aeios", 'e': "acdeflmnprstx", 'f': "efio",
	'g': "er", 'h': "aeio", 'i': "acdefglmnoprstv", 'k': "e", 'l': "aeiloy", 'm': "aeiop", 'n': "acdegiost",
	'o': "cdlmnoprstuw", 'p': "aeiloprt", 'q': "u", 'r': "adeimorst", 's': "acehiopstu", 't': "aehiorstu",
	'u': "elmnrst", 'v': "aei", 'w': "ae",
}

// oftenFollows are pairsOfWords, as bits.
var oftenFollows = func() (bits [26]uint32) {
	for first, seconds := range pairsOfWords {
		for i := range len(seconds) {
			bits[first-'a'] |= 1 << (seconds[i] - 'a')
		}
	}
	return bits
}()

// wordy reports whether the letters of a text follow each other as in words.
func wordy(text string) bool {
	pairs, often := 0, 0
	for i := 1; i < len(text); i++ {
		if !isLetter(text[i-1]) || !isLetter(text[i]) {
			continue
		}
		pairs++
		often += int(oftenFollows[lower(text[i-1])-'a'] >> (lower(text[i]) - 'a') & 1)
	}
	return 2*often >= pairs
}

// shuffled reports whether a text of ten letters at least, and nothing else, is
// no word. Capital letters alone are the name of a setting, and words that are
// written together are none either.
func shuffled(text string) bool {
	capitals := 0
	for i := range len(text) {
		if !isLetter(text[i]) {
			return false
		}
		if text[i] < 'a' {
			capitals++
		}
	}
	return len(text) >= 10 && capitals < len(text) && !wordy(text)
}
