package secret

import (
	_ "embed"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// gitleaksRules are the rules of gitleaks, as it publishes them; their licence
// lies beside them. The file and not the module is used: it would bring fifty
// packages that read and print settings.
//
//go:generate go run renew.go v8.30.1
//go:embed gitleaks/gitleaks.toml
var gitleaksRules []byte

// ruleSet is all rules and the automaton of their keywords.
type ruleSet struct {
	list      []rule
	keywords  *automaton
	byKeyword [][]int // rules by the id of a keyword
}

// gitleaksFile is what is read of the rules of gitleaks. Its own reader would
// compile all expressions at once; most of them are never needed.
type gitleaksFile struct {
	Allowlist gitleaksAllow
	Rules     []struct {
		ID          string
		Regex       string
		SecretGroup int `toml:"secretGroup"`
		Entropy     float64
		Keywords    []string
		Path        string
		Allowlists  []gitleaksAllow
	}
}

type gitleaksAllow struct {
	Condition   string
	RegexTarget string `toml:"regexTarget"`
	Regexes     []string
	StopWords   []string `toml:"stopwords"`
	Paths       []string
}

// loadRules reads the rules of gitleaks and adds our own. Which file a text
// comes from is not known: rules for files of a kind look at all texts, and
// what is allowed in files of a kind is not.
func loadRules() (*ruleSet, error) {
	var file gitleaksFile
	if err := toml.Unmarshal(gitleaksRules, &file); err != nil {
		return nil, fmt.Errorf("the rules for secrets cannot be read: %w", err)
	}
	set := &ruleSet{list: slices.Clone(ownRules)}
	global := newAllow(&file.Allowlist)
	for _, r := range file.Rules {
		if r.Regex == "" || replaced[r.ID] {
			continue
		}
		source := freed(r.ID, r.Regex)
		if _, err := syntax.Parse(source, syntax.Perl); err != nil {
			return nil, fmt.Errorf("the rule %s for secrets cannot be read: %w", r.ID, err)
		}
		next := rule{id: r.ID, lazy: &lazy{source: source}, group: r.SecretGroup, entropy: r.Entropy, keywords: r.Keywords}
		next.allowed = append(next.allowed, global)
		for i := range r.Allowlists {
			// What depends on a path as well is never allowed.
			if a := &r.Allowlists[i]; len(a.Regexes)+len(a.StopWords) > 0 && (len(a.Paths) == 0 || !newAllow(a).all) {
				next.allowed = append(next.allowed, newAllow(a))
			}
		}
		next.look(source)
		set.list = append(set.list, next)
	}
	set.index()
	return set, nil
}

// replaced are rules of gitleaks that ours take the place of.
var replaced = map[string]bool{
	PrivateKey:       true, // needs the whole block in view, however long it is
	"curl-auth-user": true, // takes the user as well, and lets passwords be that begin with a word
}

// freed returns an expression of gitleaks for texts that are no files of code:
// a key that is known by how it begins may be followed by whatever no key goes
// on with, such as the bracket or the comma of a sentence. A signed token is made of the letters of base64 for
// addresses (RFC 7515): no slash, and no backslash, which is that of an escape.
func freed(id, source string) string {
	const quoted = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)" // what they end with
	if id == "jwt" {
		source = strings.ReplaceAll(source, `\/\\_-`, `_-`)
	}
	if head, found := strings.CutSuffix(source, quoted); found && !strings.Contains(source, assignment) {
		return head + `(?:[^\w/+=-]|$)`
	}
	return source
}

// index builds the automaton of the keywords of all rules.
func (set *ruleSet) index() {
	ids := map[string]int{}
	var words []string
	for r := range set.list {
		for _, k := range set.list[r].keywords {
			k = strings.ToLower(k)
			id, known := ids[k]
			if !known {
				id = len(words)
				ids[k] = id
				words = append(words, k)
				set.byKeyword = append(set.byKeyword, nil)
			}
			set.byKeyword[id] = append(set.byKeyword[id], r)
		}
	}
	set.keywords = newAutomaton(words)
}
