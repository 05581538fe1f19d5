package metric

// Corrects reports whether somebody says of the work so far that it is wrong, as
// UserSignal counts it. asked says that the answer before ended with a question, see
// Asks: a "no" answers it then.
func Corrects(text string, asked bool) bool {
	m, _ := moodOf(text, asked)
	return m == corrects
}

// Asks reports whether an answer ends with a question to the user.
func Asks(text string) bool { return asks(text) }
