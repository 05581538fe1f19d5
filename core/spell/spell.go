// Package spell tells how far a name that somebody typed is from one that there is.
//
// It imports nothing. What counts as near enough to be suggested say those who
// suggest it: the language of filters, the keys.
package spell

// Distance counts the letters to insert, remove, change or swap with their
// neighbour that make one word of the other. A letter that is not ASCII counts as
// several: names have none.
func Distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
	}
	return row[len(b)]
}
