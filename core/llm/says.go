package llm

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// says is what a server says in place of an answer: unchecked text.
type says struct {
	text  string
	codes string // its codes and types, in lower case, with spaces around each
	usage Usage
	told  bool // usage was told
}

// readSays understands the ways in which servers say what is wrong: OpenAI's
// {"error":{"message","type","code"}}, older vLLM's the same without "error",
// {"error":"…"}, FastAPI's {"detail":…}, plain text. A page of HTML says
// nothing to a person.
func readSays(body []byte, contentType string) says {
	var b struct {
		Error, Message, Detail, Code, Type any
		Usage                              any
	}
	lenient := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := json.Unmarshal(body, &b, lenient, json.MatchCaseInsensitiveNames(true)); err != nil {
		text := strings.TrimSpace(string(body))
		if strings.Contains(contentType, "html") || strings.HasPrefix(text, "<") {
			text = ""
		}
		return says{text: text}
	}
	s := says{}
	s.read(b.Error, b.Code, b.Type)
	for _, other := range []any{b.Message, b.Detail} {
		if s.text == "" {
			s.read(other)
		}
	}
	if u, ok := b.Usage.(map[string]any); ok {
		in, _ := u["prompt_tokens"].(float64)
		out, _ := u["completion_tokens"].(float64)
		if in < mostTokens && out < mostTokens {
			s.usage, s.told = told(int(in), int(out))
		}
	}
	return s
}

// read takes the text out of v, and codes out of v and others.
func (s *says) read(v any, codes ...any) {
	switch v := v.(type) {
	case string:
		s.text = v
	case map[string]any:
		s.text, _ = v["message"].(string)
		codes = append(codes, v["code"], v["type"])
	case []any: // FastAPI's list of what does not validate
		if len(v) > 0 {
			if first, ok := v[0].(map[string]any); ok {
				s.text, _ = first["msg"].(string)
			}
		}
	}
	for _, code := range codes {
		if code != nil {
			s.codes += fmt.Sprintf(" %s ", strings.ToLower(fmt.Sprint(code)))
		}
	}
}

func (s says) failed() bool { return s.text != "" || s.codes != "" }

// outOfCredit tells a 429 that lasts from one that passes.
// https://platform.openai.com/docs/guides/error-codes
func (s says) outOfCredit() bool {
	for _, code := range []string{"insufficient_quota", "credit_balance_exhausted", "spend_limit_exceeded", "usage_limit_exceeded", "billing"} {
		if strings.Contains(s.codes, code) {
			return true
		}
	}
	return false
}

// noModel tells a model that is not there from a path that is not: OpenAI and
// OpenRouter have a code, vLLM and Ollama only words.
func (s says) noModel() bool {
	if strings.Contains(s.codes, "model_not_found") {
		return true
	}
	text := strings.ToLower(s.text)
	if !strings.Contains(text, "model") {
		return false
	}
	for _, words := range []string{"does not exist", "not found", "no such model", "not a valid model", "unknown model"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// tooLong recognizes a text that does not fit into the model's context: OpenAI
// and llama.cpp have a code, vLLM and others only words. OpenAI also calls a
// single request that is above the rate of a minute one too many.
func (s says) tooLong() bool {
	if strings.Contains(s.codes, "context_length") || strings.Contains(s.codes, "exceed_context") {
		return true
	}
	text := strings.ToLower(s.text)
	for _, words := range []string{"context length", "context size", "context window", "maximum context", "request too large"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
