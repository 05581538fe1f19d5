package store

import (
	"fmt"

	"winnow/core/review"
	"winnow/store/proposals"
)

// proposalChecks are what is to be so of compressions.
var proposalChecks = []check{
	// What lists know of them is what they say.
	{
		rule: "compression", ask: `SELECT substr(id, 1, 8), format('is said to be %d by lists, its compression says %d', compression, is_now), id FROM (
			SELECT id, compression, coalesce((SELECT ` + proposals.CodeSQL + ` FROM proposals p WHERE p.segment_id = s.id), 0) AS is_now FROM task_segments s)
			WHERE compression <> is_now`,
		mend: []string{`UPDATE task_segments AS s SET compression = coalesce((SELECT ` + proposals.CodeSQL + ` FROM proposals p WHERE p.segment_id = s.id), 0) WHERE id = ?`},
	},
	{look: (*checking).proposals},
	{rule: "compression", ask: `SELECT 'database', format('text %d is of no compression and of no entry of the journal', id), id FROM proposal_texts t
			WHERE id NOT IN (SELECT text FROM proposals) AND id NOT IN (SELECT before ->> 'text' FROM journal_proposals WHERE json_valid(before))
			AND id NOT IN (SELECT after ->> 'text' FROM journal_proposals WHERE json_valid(after))`,
		mend: []string{"DELETE FROM proposal_texts WHERE id = ?"}},
	{look: (*checking).keptProposals},
	{rule: "compression", ask: `SELECT 'entry ' || id, 'is a verdict on compressions without any', NULL FROM journal j
		WHERE target = 0 AND action = 'compress' AND NOT EXISTS (SELECT 1 FROM journal_proposals p WHERE p.entry = j.id)`},
}

// proposals checks that what is proposed can be read. Of what can't, the segment is to
// be compressed again.
func (c *checking) proposals() error {
	rows := c.rows(proposals.AllSQL)
	return proposals.EachBroken(rows, func(segment string, why error) {
		c.report("compression", review.Short(segment), mend("DELETE FROM proposals WHERE segment_id = ?", segment), "its compression can't be read: %v", why)
	})
}

// keptProposals checks that the journal can give back what was decided.
func (c *checking) keptProposals() error {
	return proposals.EachBrokenChange(c.rows(proposals.AllChangesSQL), func(entry int64, why error) {
		c.report("compression", fmt.Sprintf("entry %d", entry), nil, "can't be undone or redone: %v", why)
	})
}
