package llmtest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/token"
)

// Exchange is a request that waits for its reply.
type Exchange struct {
	Request Request

	w    http.ResponseWriter
	r    *http.Request
	done <-chan struct{} // closed with the server
}

// Reply answers a request.
type Reply func(Exchange)

// Answer is a good answer with this text.
func Answer(text string) Reply {
	return func(x Exchange) { x.complete(map[string]any{"role": "assistant", "content": text}, "stop", true) }
}

// Prose is an answer with JSON between sentences.
func Prose(value string) Reply {
	return Answer("Sure! These are the tasks [as numbered above]:\n\n" + value + "\n\nLet me know if {anything} is unclear.")
}

// Fenced is an answer with JSON in a code block.
func Fenced(value string) Reply { return Answer("```json\n" + value + "\n```") }

// Thought is an answer with JSON after reasoning, which holds a draft.
func Thought(draft, value string) Reply {
	return Answer("<think>\nA first idea: " + draft + "\nNo, that is wrong.\n</think>\n\n" + value)
}

// Uncounted is Answer by a server that counts no tokens.
func Uncounted(text string) Reply {
	return func(x Exchange) { x.complete(map[string]any{"role": "assistant", "content": text}, "stop", false) }
}

// Finished is an answer that ended for another reason than "stop": "length",
// "content_filter".
func Finished(text, reason string) Reply {
	return func(x Exchange) { x.complete(map[string]any{"role": "assistant", "content": text}, reason, true) }
}

// Refused is what a model says that does not want to.
func Refused(text string) Reply {
	return func(x Exchange) {
		x.complete(map[string]any{"role": "assistant", "content": nil, "refusal": text}, "stop", true)
	}
}

// Reasoned is an answer in which the server took everything for reasoning.
func Reasoned(text string) Reply {
	return func(x Exchange) {
		x.complete(map[string]any{"role": "assistant", "content": nil, "reasoning_content": text}, "stop", true)
	}
}

// Raw is an answer with status 200 and this body.
func Raw(contentType, body string) Reply {
	return func(x Exchange) {
		x.w.Header().Set("Content-Type", contentType)
		fmt.Fprint(x.w, body)
	}
}

// Garbage is an answer with status 200 that is no JSON.
func Garbage() Reply { return Raw("text/html", "<html><body>It works!</body></html>") }

// Status is an answer with this status and message. Headers are pairs of a
// name and a value.
func Status(status int, message string, headers ...string) Reply {
	return Coded(status, message, "", headers...)
}

// Coded is Status with a code, such as "insufficient_quota".
func Coded(status int, message, code string, headers ...string) Reply {
	return func(x Exchange) {
		for i := 0; i+1 < len(headers); i += 2 {
			x.w.Header().Set(headers[i], headers[i+1])
		}
		writeFailure(x.w, status, message, code)
	}
}

// Body is an answer with this status and exactly this body.
func Body(status int, contentType, body string) Reply {
	return func(x Exchange) {
		x.w.Header().Set("Content-Type", contentType)
		x.w.WriteHeader(status)
		fmt.Fprint(x.w, body)
	}
}

// EchoKey is Status with a message that holds the key that was sent.
func EchoKey(status int) Reply {
	return func(x Exchange) {
		writeFailure(x.w, status, "Incorrect API key provided: "+x.Request.Key()+". Sent as "+x.r.Header.Get("Authorization"), "invalid_api_key")
	}
}

// Hang gives no answer until the client leaves or the server is closed.
func Hang() Reply {
	return func(x Exchange) {
		select {
		case <-x.r.Context().Done():
		case <-x.done:
		}
	}
}

// Late waits until release is closed or gives a value, then replies.
func Late(release <-chan struct{}, then Reply) Reply {
	return func(x Exchange) {
		select {
		case <-release:
			then(x)
		case <-x.r.Context().Done():
		case <-x.done:
		}
	}
}

// Half announces an answer, sends the first half of it and cuts the connection.
func Half(text string) Reply {
	return func(x Exchange) {
		body := completion(x.Request, map[string]any{"role": "assistant", "content": text}, "stop", true)
		x.w.Header().Set("Content-Type", "application/json")
		x.w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		_, _ = x.w.Write(body[:len(body)/2])
		_ = http.NewResponseController(x.w).Flush()
		panic(http.ErrAbortHandler) // how a handler cuts the connection
	}
}

// Cut cuts the connection without an answer.
func Cut() Reply { return func(Exchange) { panic(http.ErrAbortHandler) } }

// Flood sends an answer without end, until the client leaves or the server is
// closed.
func Flood(status int) Reply {
	return func(x Exchange) {
		x.w.Header().Set("Content-Type", "application/json")
		x.w.WriteHeader(status)
		if _, err := fmt.Fprint(x.w, `{"choices":[{"message":{"role":"assistant","content":"`); err != nil {
			return
		}
		block := bytes.Repeat([]byte("water "), 10_000)
		for {
			select {
			case <-x.done:
				return
			default:
			}
			if _, err := x.w.Write(block); err != nil {
				return
			}
		}
	}
}

// Func replies with what f says to the request.
func Func(f func(Request) Reply) Reply {
	return func(x Exchange) { f(x.Request)(x) }
}

// Repeat is a script of n times the same reply.
func Repeat(n int, reply Reply) []Reply {
	script := make([]Reply, n)
	for i := range script {
		script[i] = reply
	}
	return script
}

func (x Exchange) complete(message map[string]any, reason string, count bool) {
	x.w.Header().Set("Content-Type", "application/json")
	_, _ = x.w.Write(completion(x.Request, message, reason, count))
}

// completion returns a response of the chat completions API. Tokens are
// counted as four characters each.
func completion(q Request, message map[string]any, reason string, count bool) []byte {
	response := map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": q.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}},
	}
	if count {
		in, out := 0, 0
		for _, m := range q.Messages {
			in += token.Estimate(m.Content)
		}
		for _, text := range []string{"content", "reasoning_content"} {
			if s, ok := message[text].(string); ok {
				out += token.Estimate(s)
			}
		}
		response["usage"] = map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
	}
	return encode(response)
}

func writeFailure(w http.ResponseWriter, status int, message, code string) {
	failure := map[string]any{"message": message, "type": "error", "param": nil, "code": nil}
	if code != "" {
		failure["code"] = code
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encode(map[string]any{"error": failure}))
}

// encode never fails: what is encoded are maps, texts and numbers.
func encode(v any) []byte {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return []byte(strings.ToValidUTF8(err.Error(), ""))
	}
	return b
}
