package export

import (
	"crypto/sha256"
	"strconv"

	"winnow/core/chat"
	"winnow/core/similar"
)

// imprint is the same for samples that have the same messages.
type imprint [16]byte

// printOf hashes the messages in their canonical form. Ids of calls count by
// their place: recorders make them up. Which messages are trained, and the
// tools, do not count.
func printOf(s *Sample) imprint {
	places := map[string]string{}
	place := func(id string) string {
		if places[id] == "" {
			places[id] = strconv.Itoa(len(places) + 1)
		}
		return places[id]
	}
	h := sha256.New()
	var buf []byte
	for m := range s.each {
		c := chat.Message{Role: m.Role, Content: m.Content, Reasoning: m.Reasoning, Name: m.Name}
		for _, call := range m.Calls {
			call.ID = place(call.ID)
			c.ToolCalls = append(c.ToolCalls, call)
		}
		if m.ToolCallID != "" {
			c.ToolCallID = place(m.ToolCallID)
		}
		buf = chat.AppendCanonical(buf[:0], &c)
		h.Write(buf)
	}
	return imprint(h.Sum(nil))
}

// signatureOf returns the signature of what users and assistants say. What stands
// in front of a fork does not count: branches that begin alike are no duplicates. Nor
// does a summary, which nobody said.
func signatureOf(s *Sample) similar.Signature {
	var signer similar.Signer
	for i := range s.Messages {
		if m := &s.Messages[i]; !m.before && (m.Role == chat.User || m.Role == chat.Assistant) {
			said, _ := m.recorded().BesideSummary()
			signer.Add(said)
		}
	}
	return signer.Signature()
}
