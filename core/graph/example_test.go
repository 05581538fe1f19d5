package graph_test

import (
	"fmt"

	"winnow/core/chat"
	"winnow/core/graph"
)

// A wrong answer is mended; what the model wrote stays in the first version,
// and both make a pair.
func Example() {
	var g graph.Graph
	history, _ := g.Open("main")
	history.Append(chat.Message{Role: chat.User, Content: "What is 6 × 7?"}, false)
	history.Append(chat.Message{Role: chat.Assistant, Content: "41"}, true)

	history.Edit(1, func(m *chat.Message) { m.Content = "42" })

	for p := range g.Pairs() {
		fmt.Println(p.Chosen.Content, "over", p.Rejected.Content)
	}
	// Output: 42 over 41
}
