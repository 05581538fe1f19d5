package digest

import "strings"

// simpleCommands takes a command of a shell apart at what stands between its
// parts, and drops what they are piped into if that only cuts their output. It
// reads quotes, substitutions and here-documents as well as needed to tell the
// parts.
func simpleCommands(command string) []string {
	s := splitter{text: command}
	for s.at < len(s.text) {
		s.step()
	}
	s.end("")
	return s.parts
}

type splitter struct {
	text    string
	at      int
	word    strings.Builder // the part under way
	parts   []string
	piped   bool   // the part under way gets the output of the one before
	heredoc string // the word that ends the document which begins with the next line
}

// end ends a part. What it wrote into a file is told apart by the file, not by
// what was written.
func (s *splitter) end(sep string) {
	part := strings.Join(strings.Fields(s.word.String()), " ")
	s.word.Reset()
	for _, quiet := range [...]string{"2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null", "&>/dev/null", "|| true"} {
		part = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(part), quiet))
	}
	part = strings.TrimSpace(strings.Trim(part, "(){} "))
	if part != "" && part != "true" && !(s.piped && partKind(part) == looks) {
		if s.piped && len(s.parts) > 0 {
			s.parts[len(s.parts)-1] += " | " + part
		} else {
			s.parts = append(s.parts, part)
		}
	}
	s.piped = sep == "|"
}

// step reads a character, or what belongs together.
func (s *splitter) step() {
	from := s.at
	c := s.text[s.at]
	s.at++
	switch c {
	case '\\':
		if s.at < len(s.text) && s.text[s.at] == '\n' {
			s.at++
			s.word.WriteByte(' ')
			return
		}
		s.at = min(s.at+1, len(s.text))
	case '\'', '"', '`':
		s.quoted(c)
	case '$':
		if s.at < len(s.text) && s.text[s.at] == '(' {
			s.nested()
		}
	case '<':
		if strings.HasPrefix(s.text[from:], "<<") && !strings.HasPrefix(s.text[from:], "<<<") {
			s.here()
			return
		}
	case '&':
		if s.at < len(s.text) && s.text[s.at] == '>' || from > 0 && s.text[from-1] == '>' {
			break // a redirection
		}
		s.separate(c)
		return
	case ';', '|', '\n':
		s.separate(c)
		return
	}
	s.word.WriteString(s.text[from:s.at])
}

func (s *splitter) separate(c byte) {
	sep := string(c)
	if c != '\n' && s.at < len(s.text) && s.text[s.at] == c {
		sep += sep
		s.at++
	} else if c == '|' && s.at < len(s.text) && s.text[s.at] == '&' {
		s.at++
	}
	s.end(sep)
	if c == '\n' && s.heredoc != "" {
		s.skip(true)
	}
}

func (s *splitter) quoted(quote byte) {
	for s.at < len(s.text) && s.text[s.at] != quote {
		switch {
		case s.text[s.at] == '\\' && quote != '\'':
			s.at++
		case quote == '"' && strings.HasPrefix(s.text[s.at:], "$("):
			s.at++
			s.nested()
			continue
		}
		s.at++
	}
	s.at = min(s.at+1, len(s.text))
}

// nested passes a substitution, whose parenthesis opens here. A here-document in
// it may hold any quotes.
func (s *splitter) nested() {
	depth := 0
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '<':
			if rest := s.text[s.at:]; strings.HasPrefix(rest, "<<") && !strings.HasPrefix(rest, "<<<") {
				s.at++
				s.mark()
				if i := strings.IndexByte(s.text[s.at:], '\n'); i >= 0 {
					s.at += i + 1
					s.skip(false)
				}
				s.at--
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				s.at++
				return
			}
		}
	}
}

// here reads the beginning of a here-document: the first of "<<" was read. A
// program that reads its text from there is known by that text, a file by its name.
func (s *splitter) here() {
	s.mark()
	s.word.WriteString(" <<")
}

// mark remembers the word that ends a here-document.
func (s *splitter) mark() {
	s.at++
	rest := strings.TrimLeft(s.text[min(s.at, len(s.text)):], "- ")
	end := strings.IndexAny(rest, " \t\r\n;|&<>)")
	if end < 0 {
		end = len(rest)
	}
	s.heredoc = strings.Trim(rest[:end], `'"\`)
	s.at = len(s.text) - len(rest) + end
}

// skip passes the lines of a here-document.
func (s *splitter) skip(keep bool) {
	from := s.at
	for s.at < len(s.text) {
		line, _, found := strings.Cut(s.text[s.at:], "\n")
		s.at += len(line)
		if found {
			s.at++
		}
		if strings.TrimSpace(line) == s.heredoc {
			break
		}
	}
	s.heredoc = ""
	if n := len(s.parts) - 1; keep && n >= 0 && strings.Contains(s.parts[n], "<<") && !strings.Contains(s.parts[n], ">") {
		s.parts[n] += " " + s.text[from:s.at]
	}
}
