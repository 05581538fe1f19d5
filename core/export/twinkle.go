package export

import (
	"strconv"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
)

// twinkle is the trajectory of Twinkle, ModelScope's trainer: messages and
// tools as chat templates take them, and labels as pairs of a name and JSON in
// a string. The label key_rounds lists the messages that are trained, by their
// places in the list, from 0. It has no table: lists of lists are no columns
// there.
var twinkle = Emitter{
	Name:        "twinkle",
	Description: "Twinkle trajectories, what is trained in key_rounds",
	Losses:      "models, provenance",
	perMessage:  true,
	reserved:    templateTags,
	lacks:       noTools,
	encode:      encodeTwinkle,
	decode:      decodeTwinkle,
}

const twinkleRounds = "key_rounds"

func encodeTwinkle(dst []byte, s *Sample) ([]byte, int) {
	dst = appendList(append(dst, '{'), "messages", len(s.Messages), func(dst []byte, i int) []byte {
		return appendChatMessage(dst, &s.Messages[i])
	})
	if s.Tools != "" {
		dst = append(appendKey(dst, "tools"), s.Tools...)
	}
	dst = append(append(appendKey(dst, "user_data"), `[["`+twinkleRounds+`","`...), '[')
	for i := range s.Messages {
		if m := &s.Messages[i]; m.Role == chat.Assistant && m.Train {
			dst = strconv.AppendInt(appendComma(dst), int64(i), 10)
		}
	}
	return append(dst, "]\"]]}\n"...), 1
}

// decodeTwinkle reads the label loosely: Read compares it.
func decodeTwinkle(s *Sample, w *wire) error {
	var places []int
	for _, label := range w.UserData {
		_ = json.Unmarshal([]byte(label[1]), &places)
	}
	err := decodeChat(s, w)
	for _, place := range places {
		if place >= 0 && place < len(s.Messages) {
			s.Messages[place].Train = s.Messages[place].Role == chat.Assistant
		}
	}
	return err
}
