package segment

// content tells segments of different roles, contents or details apart.
type content struct{ plain, detail string }

// maxGuesses bounds the prints that are tried on rows whose number among equal
// ones does not follow from a lower one: 0.1 s.
const maxGuesses = 1 << 18

// classify finds which rows and pieces have equal content.
func (m *matching) classify() {
	m.rowClass, m.pieceClass = make([]int, len(m.old)), make([]int, len(m.pieces))
	ids := make(map[content]int, len(m.pieces))
	var some []int // a piece of each class
	for j := range m.pieces {
		p := &m.pieces[j].Print
		m.pieceClass[j] = -1
		if p.IsZero() {
			continue
		}
		c := content{p.Fingerprint, p.Detail}
		id, known := ids[c]
		if !known {
			id = len(some)
			ids[c], some = id, append(some, j)
		}
		m.pieceClass[j] = id
	}
	m.counts = make([]count, len(some))
	numbered := map[string]int{} // rows that are the second of their kind, or a later one
	for i := range m.old {
		o := &m.old[i]
		m.rowClass[i] = -1
		if o.Nth > 1 {
			numbered[o.Fingerprint] = i
		} else if id, known := ids[content{o.Fingerprint, o.Detail}]; known {
			m.rowClass[i] = id
		}
	}
	if len(numbered) > 0 {
		m.classifyNumbered(numbered, ids, some)
	}
}

// classifyNumbered finds the classes of rows whose fingerprint has a number in
// it. Whoever is the third has a second one beside it, unless that left.
func (m *matching) classifyNumbered(numbered map[string]int, ids map[content]int, some []int) {
	find := func(piece, n int) bool {
		p := &m.pieces[piece].Print
		i, ok := numbered[p.Nth(n)]
		if !ok || m.old[i].Nth != n {
			return false
		}
		delete(numbered, m.old[i].Fingerprint)
		if id, known := ids[content{p.Fingerprint, m.old[i].Detail}]; known {
			m.rowClass[i] = id
		}
		return true
	}
	tried := map[string]bool{}
	var plain []int // a piece of each fingerprint
	for _, j := range some {
		if f := m.pieces[j].Print.Fingerprint; !tried[f] {
			tried[f] = true
			plain = append(plain, j)
		}
	}
	for _, j := range plain {
		for n := 2; len(numbered) > 0 && find(j, n); n++ {
		}
	}
	missing := map[int]bool{}
	for _, i := range numbered {
		missing[m.old[i].Nth] = true
	}
	guesses := len(missing) * len(plain)
	if guesses == 0 || guesses > maxGuesses {
		return
	}
	for n := range missing {
		for _, j := range plain {
			find(j, n)
		}
	}
}
