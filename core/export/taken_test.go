package export

import (
	"testing"

	"winnow/core/edit"
)

// What was redacted is taken out of what lies beside messages as words of its own. What
// gives JSON its form stays.
func TestTakenOutBesideMessages(t *testing.T) {
	taken := &takenOut{edit.NewFinder([]string{"Zebedee Smith", "the", "object", "type", "Ann", "redacted"})}
	s := Sample{
		Tools:    `[{"type":"function","function":{"name":"f","description":"reads the other path of Ann","parameters":{"type":"object","properties":{"Ann":{"type":"object"}}}}}]`,
		Metadata: `{"type" : "Ann", "by":"Zebedee Smith", "at":"Annual"}`, Topic: "Ann and Annabel",
	}
	taken.from(&s)
	want := Sample{
		Tools:    `[{"type":"function","function":{"name":"f","description":"reads [redacted] other path of [redacted]","parameters":{"type":"object","properties":{"Ann":{"type":"object"}}}}}]`,
		Metadata: `{"type" : "[redacted]", "by":"[redacted]", "at":"Annual"}`, Topic: "[redacted] and Annabel",
	}
	if s.Tools != want.Tools || s.Metadata != want.Metadata || s.Topic != want.Topic {
		t.Errorf("%s\n%s\n%s", s.Tools, s.Metadata, s.Topic)
	}
}
