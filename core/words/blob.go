package words

// Encoded data (base64) has hundreds of words per line that nobody ever
// searches for, each of them only once in the world: they would make up most of
// an index. They are left out where there is much of it. Ids, keys and hashes
// stand alone or are shorter, and stay.
const (
	// blobWord is the length of a word at which it may be part of a blob: text
	// rarely has longer ones, and of base64 every second line begins with one.
	blobWord = 20
	// blobRun is how long encoded data is at least: longer than a hash.
	blobRun = 160
	// blobLine is how long its lines are at least, but for the last one: they
	// have 64 or 76 characters, keys that stand in a list less than 56.
	blobLine = 56
	// blobRest is how long the last line is at least.
	blobRest = 8
	// blobGap is what may stand between lines: a line end that may be escaped.
	blobGap = 3
)

// encoded has, by ASCII character, 1 for upper case letters, 2 for lower case, 4
// for digits and 8 for what else stands in base64.
const encoded = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08\x00\x08\x00\x08\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x00\x00\x00\x08\x00\x00" +
	"\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x00\x00\x08" +
	"\x00\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x00\x00\x00\x00\x00"

func encodedAs(c byte) uint8 {
	if int(c) >= len(encoded) {
		return 0
	}
	return encoded[c]
}

// blobAround returns where the encoded data ends, or a line of it, that the word
// text[from:to] is part of; 0 if it is of none.
func blobAround(text string, from, to int) (end int) {
	if !mixed(text[from:min(to, from+blobRun)]) {
		return 0
	}
	for from > 0 && to-from < blobRun && encodedAs(text[from-1]) != 0 {
		from--
	}
	for at, size := from, 0; ; {
		end := runEnd(text, at, blobRun)
		if end-at < blobRest || !mixed(text[at:end]) {
			return 0
		}
		if size += end - at; size >= blobRun {
			break
		}
		if end-at < blobLine {
			return 0
		}
		for at = end; at < len(text) && at-end < blobGap && encodedAs(text[at]) == 0; {
			at++
		}
	}
	return runEnd(text, from, len(text))
}

// blobLineAt returns where the line of encoded data ends that begins at from,
// after others; 0 if it is none.
func blobLineAt(text string, from int) (end int) {
	end = runEnd(text, from, blobRun)
	if end-from < blobRest || !mixed(text[from:end]) {
		return 0
	}
	return runEnd(text, end, len(text))
}

// runEnd returns where a run of characters of base64 ends, after limit of them
// at the latest.
func runEnd(text string, from, limit int) int {
	end := from
	for end < len(text) && end-from < limit && encodedAs(text[end]) != 0 {
		end++
	}
	return end
}

// mixed reports whether upper case, lower case and digits change as often as if
// they were drawn. In base64 62 of 100 characters are of another kind than the
// one before; in names and paths it is one of four.
func mixed(text string) bool {
	var kinds, last uint8
	changes := 0
	for i := range len(text) {
		k := encodedAs(text[i])
		kinds |= k
		if k != last {
			changes++
		}
		last = k
	}
	return kinds&7 == 7 && 100*changes >= 42*len(text)
}
