package screentest

// After returns the rows after a place, or before it, at most limit of them.
func After[T any](rows []T, at int, found bool, none, back bool, limit int) ([]T, bool) {
	from, to := 0, len(rows)
	switch {
	case back && !none:
		to = at
	case !back && !none:
		from = at
		if found {
			from++
		}
	}
	if back {
		cut := max(from, to-limit)
		return rows[cut:to], cut > from
	}
	cut := min(to, from+limit)
	return rows[from:cut], cut < to
}
