package filter

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// ranged reads the value of a number or a date, or two with dots between.
func (p *parser) ranged(c *condition) (Node, *Error) {
	at := p.i
	var s string
	var err *Error
	switch {
	case isQuote(p.runes[at]):
		s, err = p.quote()
	case p.peek(at) == '(':
		return nil, p.fail(at, "a value begins with a parenthesis", "write one, as in "+c.example()+"; for several, join terms by or")
	default:
		s, err = p.bare(noComma)
	}
	if err != nil {
		return nil, err
	}
	if !p.ends(p.i) {
		return nil, p.fail(p.i, "a value in quotes ends within a word", "put a space after the quotation mark")
	}
	s = strings.TrimSpace(strings.ReplaceAll(folded(s), "…", ".."))
	t := Term{Field: c.Field, Metric: c.metric, Op: Op(c.op)}
	if c.op == ":" {
		t.Op = Equal
	}
	read := c.number
	if c.Kind == Day {
		read = func(s string, t *Term, last bool) *problem { return c.date(s, p.opts, t, last) }
	}
	bad := c.bounds(s, &t, read)
	if bad == nil {
		bad = c.checkBounds(&t)
	}
	if bad != nil {
		return nil, p.fail(at, bad.text, bad.hint)
	}
	return t, nil
}

// problem is what is wrong with a value, and what to write instead.
type problem struct{ text, hint string }

// bounds reads one value, or the bounds of a range: a..b, a.. or ..b.
func (c *condition) bounds(s string, t *Term, read func(string, *Term, bool) *problem) *problem {
	first, last, two := strings.Cut(s, "..")
	if !two {
		return read(s, t, false)
	}
	name := c.called()
	if strings.HasPrefix(last, ".") && !(c.unit() && isDecimal(last)) {
		return &problem{"a range with too many dots", "write two, as in " + name + ":" + first + ".." + strings.TrimLeft(last, ".")}
	}
	switch {
	case c.Field == After || c.Field == Before:
		return &problem{name + " takes one date", "write after:2026-11-01 before:2026-11-20"}
	case t.Op != Equal:
		return &problem{"a range after " + c.op, fmt.Sprintf("write %s:%s, or -%s:%s for all others", name, c.rangeExample(), name, c.rangeExample())}
	case first == "" && last == "":
		return &problem{"a range without bounds", fmt.Sprintf("write one, as in %s:%s", name, c.rangeExample())}
	case last == "":
		t.Op = GreaterEqual
		return read(first, t, false)
	case first == "":
		t.Op = LessEqual
		return read(last, t, false)
	}
	t.Op = Between
	if bad := read(first, t, false); bad != nil {
		return bad
	}
	return read(last, t, true)
}

func (c *condition) rangeExample() string {
	switch {
	case c.Kind == Day:
		return "2026-11-01..2026-11-20"
	case c.unit():
		return "0.7..0.9"
	}
	return "5..50"
}

func (c *condition) checkBounds(t *Term) *problem {
	if t.Op != Between || c.Kind == Number && t.Num <= t.Max {
		return nil
	}
	if c.Kind == Day && (t.Date.relative() != t.Last.relative() || t.Date.From.Before(t.Last.To)) {
		return nil // as time goes by, 2026-11-01..7d may end before it begins
	}
	first, last := numberText(t), numberText(&Term{Field: t.Field, Num: t.Max})
	if c.Kind == Day {
		first, last = t.Date.Text, t.Last.Text
	}
	return &problem{"the range ends before it begins", fmt.Sprintf("write %s:%s..%s", c.called(), last, first)}
}

// unit reports whether the values of a field lie between 0 and 1.
func (c *condition) unit() bool { return c.Field.unit() }

func (f Field) unit() bool { return f == Score || f == Likely || f == Seen || f == Metric }

// maxCount is the greatest number of anything: all below are exact in a
// float64.
const maxCount = 1e15

// number reads a number: 0.8, .8 and 80% of a score, 1200, 1.2k and 3M of a
// count.
func (c *condition) number(s string, t *Term, last bool) *problem {
	name, bare := c.called(), strings.ToLower(s)
	exponent := ""
	for _, by := range [...]struct{ suffix, exponent string }{{"k", "e3"}, {"m", "e6"}, {"%", "e-2"}} {
		if cut, ok := strings.CutSuffix(bare, by.suffix); ok && (by.suffix == "%") == c.unit() {
			bare, exponent = cut, by.exponent
			break
		}
	}
	if !isDecimal(bare) {
		return c.noNumber(s)
	}
	x, err := strconv.ParseFloat(bare+exponent, 64)
	switch {
	case c.unit() && (err != nil || x > 1):
		hint := fmt.Sprintf("write a number up to 1, as in %s", c.example())
		switch {
		case err != nil || exponent != "" || x < 2 || x > 100:
		case x <= 10:
			hint = fmt.Sprintf("write %[2]s for %[1]s of 10, %[1]s%% for %[1]s of 100", bare, strconv.FormatFloat(x/10, 'f', -1, 64))
		default:
			hint = fmt.Sprintf("write %[1]s%%, or %s", bare, strconv.FormatFloat(x/100, 'f', -1, 64))
		}
		return &problem{name + " is between 0 and 1", hint}
	case c.unit():
	case err != nil || x > maxCount:
		return &problem{"the number is too large", "write a smaller one, as in " + c.Example}
	case x != math.Trunc(x):
		return &problem{name + " is a whole number", fmt.Sprintf("write %.0f or %.0f", math.Floor(x), math.Ceil(x))}
	}
	if last {
		t.Max = x
	} else {
		t.Num = x
	}
	return nil
}

func isDecimal(s string) bool {
	digits, dots := 0, 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '.':
			dots++
		default:
			return false
		}
	}
	return digits > 0 && dots <= 1
}

// noNumber is the problem with a text that is no number of the field.
func (c *condition) noNumber(s string) *problem {
	name, text := c.called(), show(s)+" is no number"
	switch {
	case s != "" && strings.ContainsFunc(s[:1], func(r rune) bool { return r == '-' }), strings.HasPrefix(s, "−"), strings.HasPrefix(s, "–"):
		if isDecimal(strings.TrimLeft(s, "-−–")) {
			return &problem{name + " is never negative", "write a number from 0 on, as in " + c.example()}
		}
	case strings.ContainsRune(s, ','):
		return c.comma(s)
	case strings.HasSuffix(s, "%"):
		return &problem{name + " is a number, not a share", "write one, as in " + c.Example}
	case c.unit() && strings.IndexFunc(s, unicode.IsDigit) == 0:
		return &problem{text + " from 0 to 1", "write one, as in " + c.example()}
	}
	return &problem{text, "write one, as in " + c.example()}
}

// comma is the problem with a comma in a number: before decimals, between
// thousands, or between several numbers.
func (c *condition) comma(s string) *problem {
	parts := strings.Split(s, ",")
	thousands := len(parts[0]) <= 3
	for _, part := range parts[1:] {
		thousands = thousands && len(part) == 3
	}
	hint := "for several numbers, join terms by or"
	switch joined := strings.Join(parts, ""); {
	case c.unit() && len(parts) == 2 && isDecimal(strings.Join(parts, ".")):
		hint = "write " + strings.Join(parts, ".")
	case !c.unit() && thousands && isDecimal(joined):
		hint = "write " + joined
	}
	return &problem{"a comma in a number", hint}
}

// numberText writes the number of a term: 1250 is 1250, 1200 is 1.2k.
func numberText(t *Term) string {
	x, suffix := t.Num, ""
	switch {
	case t.Field == Seen:
		return shareText(x)
	case t.Field.unit():
	case x >= 1e6 && math.Mod(x, 1e5) == 0:
		x, suffix = x/1e6, "M"
	case x >= 1e3 && math.Mod(x, 1e2) == 0:
		x, suffix = x/1e3, "k"
	}
	return strconv.FormatFloat(x, 'f', -1, 64) + suffix
}

// shareText writes a share as people say it, 0.5 as 50%; as a number what would not
// be the same one when it is read.
func shareText(x float64) string {
	text := strconv.FormatFloat(math.Round(x*1e6)/1e4, 'f', -1, 64)
	if same, err := strconv.ParseFloat(text+"e-2", 64); err != nil || same != x {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return text + "%"
}
