package store

import (
	"fmt"

	"winnow/core/memory"
	"winnow/core/review"
	"winnow/store/memories"
)

// memoryChecks are what is to be so of memories.
var memoryChecks = []check{
	{look: (*checking).memories},
	{look: (*checking).memorySources},
	{rule: "memory", ask: `SELECT 'memory ' || substr(id, 1, 8), 'has no source', NULL FROM memories m
		WHERE NOT EXISTS (SELECT 1 FROM memory_sources o WHERE o.memory_id = m.id)`},
	{rule: "memory", ask: `SELECT 'database', format('a source of memory %s is kept, which is not there', substr(memory_id, 1, 8)), memory_id FROM memory_sources
		WHERE memory_id NOT IN (SELECT id FROM memories)`, mend: []string{"DELETE FROM memory_sources WHERE memory_id = ?"}},
	{rule: "memory", ask: `SELECT 'database', format('a tag of memory %s is kept, which is not there', substr(memory_id, 1, 8)), memory_id FROM memory_tags
		WHERE memory_id NOT IN (SELECT id FROM memories)`, mend: []string{"DELETE FROM memory_tags WHERE memory_id = ?"}},
	{look: (*checking).keptMemories},
	{look: (*checking).looked},
	{rule: "memory", ask: `SELECT 'entry ' || id, 'is a verdict on memories without any', NULL FROM journal j
		WHERE target = 0 AND action = 'memory' AND NOT EXISTS (SELECT 1 FROM journal_memories m WHERE m.entry = j.id)`},
}

// memories checks what is derived of what memories say.
func (c *checking) memories() error {
	return memories.EachBroken(c.rows(memories.AllSQL), func(m *memory.Memory, words, hash string) {
		c.report("memory", "memory "+review.Short(m.ID), mend(memories.AgainSQL, words, hash, m.ID), "is found by other words than it says")
	})
}

// memorySources checks that quotes can be read. Sources that can't are given up.
func (c *checking) memorySources() error {
	return memories.EachBrokenSource(c.rows(memories.AllSourcesSQL), func(id, detail string, why error) {
		c.report("memory", "memory "+review.Short(id), mend("DELETE FROM memory_sources WHERE memory_id = ? AND detail = ?", id, detail), "a source can't be read: %v", why)
	})
}

// looked checks that it is known who looked for memories where segments say that somebody
// did. Those that nobody did are looked at again.
func (c *checking) looked() error {
	return memories.EachUnlooked(c.rows(memories.DoneSQL), c.rows(memories.LookedSQL), func(id string) {
		c.report("memory", "segment "+review.Short(id), mend(memories.UnlookedSQL, id), "is marked as looked at for memories, which nobody did")
	})
}

// keptMemories checks that the journal can give back what was decided.
func (c *checking) keptMemories() error {
	return memories.EachBrokenChange(c.rows(memories.AllChangesSQL), func(entry int64, why error) {
		c.report("memory", fmt.Sprintf("entry %d", entry), nil, "can't be undone or redone: %v", why)
	})
}
