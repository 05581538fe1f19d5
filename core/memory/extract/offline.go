package extract

import (
	"context"

	"winnow/core/memory"
)

// Offline finds memories without a model, in recorded words only: rules that users
// state in so many words, and commands that failed and went well when called another
// way. It is often silent: what it cannot tell from chance it leaves out. The zero
// Offline is ready and may be used by many goroutines.
type Offline struct{}

// OfflineVersion is that of its rules: others find other memories.
const OfflineVersion = "1"

// Name is "offline" with the version of its rules.
func (Offline) Name() string { return memory.RulesPrefix + OfflineVersion }

// offlineMost is how many memories a segment gives.
const offlineMost = 3

// Extract never fails but with ctx.
func (Offline) Extract(ctx context.Context, e *memory.Evidence, _ []memory.Memory) (memory.Answer, error) {
	if err := ctx.Err(); err != nil {
		return memory.Answer{}, err
	}
	a := memory.Answer{MadeBy: memory.ByRules, Prompt: OfflineVersion}
	a.Candidates = append(rules(e), pitfalls(e)...)
	a.Candidates = a.Candidates[:min(len(a.Candidates), offlineMost)]
	return a, nil
}
