package export

import "winnow/core/secret"

// publicPaths tells paths as they may be published with a data set.
type publicPaths struct {
	home    string          // of the user
	scanner *secret.Scanner // nil: names of others stay
	taken   *takenOut       // by redactions
}

func newPublicPaths(opts *Options) (*publicPaths, error) {
	p := &publicPaths{home: opts.Home, taken: opts.taken}
	if opts.Redact == nil {
		return p, nil
	}
	p.scanner = secret.New(opts.Redact.Users)
	return p, p.scanner.Load()
}

// of returns a path with "~" for the home folder and, if secrets are replaced,
// without them. Placeholders have no numbers here: the path of a session is the
// same in every export, so that two of them can be told apart.
func (p *publicPaths) of(path string) string { return p.in(fromHome(path, p.home)) }

// in returns a text that may hold paths, such as a filter, without what a redaction
// took out, and without secrets if these are replaced.
func (p *publicPaths) in(text string) string {
	if text = p.taken.of(text); p.scanner == nil {
		return text
	}
	return secret.Replace(text, p.scanner.Find(text), func(h secret.Hit) string { return secret.Placeholder(h.Rule, 0) })
}
