package httpd

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"winnow/core/inbox"
	"winnow/core/session"
	"winnow/core/spell"
)

// parameters are what a client says about what it sends. Session and offset are those
// of the next file only.
type parameters struct {
	agent, session string
	offset         int64
	replace        bool
	inbox.Hints
	wait time.Duration
}

// parameterNames are those of a query, and of the fields of a form.
var parameterNames = []string{"agent_id", "session", "format", "model", "offset", "replace", "wait"}

const (
	standardWait = 10 * time.Second
	mostWait     = 5 * time.Minute
	mostModel    = 200 // bytes of the name of a model
)

// fromQuery reads the parameters of a query.
func fromQuery(raw string) (parameters, *refusal) {
	p := parameters{offset: inbox.Whole, wait: standardWait}
	values, no := single(raw)
	if no != nil {
		return p, no
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if no := p.set(name, values[name]); no != nil {
			return p, no
		}
	}
	return p, nil
}

// set takes one parameter.
func (p *parameters) set(name, value string) *refusal {
	var err error
	switch name {
	case "agent_id":
		if value == "" {
			return &noAgent
		}
		p.agent, err = value, inbox.CheckAgent(value)
	case "session":
		p.session, err = value, inbox.CheckSession(value)
	case "model":
		p.Model, err = value, inbox.CheckName("model", value, mostModel)
	case "format":
		return p.setFormat(value)
	case "offset":
		n, bad := strconv.ParseInt(value, 10, 64)
		if bad != nil || n < 0 {
			return wrongParameter("offset %q: must be a number of bytes", value)
		}
		p.offset = n
	case "replace":
		on, bad := strconv.ParseBool(value)
		if bad != nil {
			return wrongParameter("replace %q: must be 1 or 0", value)
		}
		p.replace = on
	case "wait":
		n, bad := strconv.ParseFloat(value, 64)
		if bad != nil || !(n >= 0 && n <= mostWait.Seconds()) {
			return wrongParameter("wait %q: must be a number of seconds, %g at most", value, mostWait.Seconds())
		}
		p.wait = time.Duration(n * float64(time.Second))
	default:
		return wrongParameter("%q is no parameter: %s", name, spell.Known(name, parameterNames))
	}
	if err != nil {
		return wrongParameter("%v", err)
	}
	return nil
}

func (p *parameters) setFormat(value string) *refusal {
	names := []string{session.Auto}
	for _, f := range session.Formats() {
		names = append(names, f.Name)
	}
	if !slices.Contains(names, value) {
		return wrongParameter("format %q: unknown: %s", value, spell.Known(value, names))
	}
	p.Format = value
	return nil
}
