package metric

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"winnow/core/phrases"
)

//go:embed words.toml
var wordsFile []byte

// wordLists are the lists of words.toml.
type wordLists struct {
	Brief      []string // how requests ask for a brief answer
	Mood       []row    // what users say of the work
	Refusal    []row    // how an assistant declines
	Work       []row    // what prompts ask for
	Tool       []row    // words in names of tools
	Extensions map[TaskType][]string
	Programs   map[TaskType][]string
}

// row is a list of phrases that mean the same.
type row struct {
	Means   mood
	Type    TaskType
	Weight  float64
	At      where
	Before  [][]string // the phrases follow on one text of each of these lists
	Phrases []string
}

// wordTables are the lists as they are looked things up in.
type wordTables struct {
	brief                []string
	moods                *lexicon[mood]
	refusals             *lexicon[bool]
	prompts              *lexicon[vote]
	tools                []row
	extensions, programs map[string]kind
}

// readLists reads words.toml, which is part of the program.
func readLists() (lists wordLists) {
	if err := toml.Unmarshal(wordsFile, &lists); err != nil {
		panic("core/metric: words.toml: " + err.Error())
	}
	return lists
}

// tables are made when they are first needed.
var tables = sync.OnceValue(func() *wordTables {
	lists := readLists()
	return &wordTables{
		brief:      lists.Brief,
		moods:      newLexicon(lists.Mood, func(r *row) mood { return r.Means }),
		refusals:   newLexicon(lists.Refusal, func(*row) bool { return true }),
		prompts:    newLexicon(lists.Work, (*row).vote),
		tools:      lists.Tool,
		extensions: byName(lists.Extensions),
		programs:   byName(lists.Programs),
	}
})

// byName turns lists of names by their kind around.
func byName(lists map[TaskType][]string) map[string]kind {
	kinds := map[string]kind{}
	for t, names := range lists {
		for _, name := range names {
			kinds[name] = kindOf(t)
		}
	}
	return kinds
}

func (r *row) vote() vote { return vote{kindOf(r.Type), r.Weight} }

// texts returns the phrases with all that comes before them.
func (r *row) texts() []string {
	texts := r.Phrases
	for _, list := range slices.Backward(r.Before) {
		var longer []string
		for _, before := range list {
			for _, text := range texts {
				longer = append(longer, before+text)
			}
		}
		texts = longer
	}
	return texts
}

func newLexicon[V any](rows []row, means func(*row) V) *lexicon[V] {
	var entries []phrases.Entry[usage[V]]
	for i := range rows {
		for _, text := range rows[i].texts() {
			entries = append(entries, phrases.Entry[usage[V]]{Text: text, Means: usage[V]{means(&rows[i]), rows[i].At}})
		}
	}
	return &lexicon[V]{phrases.NewIndex(entries)}
}
