package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// Request is what a model is asked.
type Request struct {
	System string // the instruction, "" none
	User   string // the text it is about
}

// Asker asks a model for JSON. A Client is one.
type Asker interface {
	// Ask sends r and hands the JSON in the answer to check. If check fails,
	// the model may be asked again.
	Ask(ctx context.Context, r Request, check func(answer []byte) error) error
}

const (
	// maxRepaired is how much of its answer a model is shown again, in bytes:
	// about half of what is kept free of the context.
	maxRepaired = 8_000
	// maxMistake bounds, in bytes, what it is told about it.
	maxMistake = 1_000
	// noText stands for an empty answer: servers refuse a message without text.
	noText = "(no answer)"
)

// Ask sends r and hands the JSON arrays and objects in the answer to check, in
// order, until it takes one; extract tells what counts as one. If it takes
// none, the model is shown its answer and what is wrong with it, once. An
// error is one of ctx, or an *Error.
func (c *Client) Ask(ctx context.Context, r Request, check func(answer []byte) error) error {
	messages := conversation(r)
	a, err := c.send(ctx, messages)
	if err != nil {
		return err
	}
	wrong := a.take(check)
	if wrong == nil {
		return nil
	}
	c.usage.add(Usage{Repairs: 1})
	a, err = c.send(ctx, append(messages, repair(a, wrong)...))
	if err != nil {
		return err
	}
	if wrong = a.take(check); wrong == nil {
		return nil
	}
	hint := ": try a larger model"
	if a.text == "" && a.reasoning == "" {
		hint = ": does max_input_tokens fit the server's context?"
	}
	return &Error{cause: wrong, text: fmt.Sprintf("model %s gave no usable answer, also when shown its mistake: %s%s", c.model(), c.secret.show(wrong.Error()), hint)}
}

func conversation(r Request) []openai.ChatCompletionMessage {
	var m []openai.ChatCompletionMessage
	if r.System != "" {
		m = append(m, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: r.System})
	}
	return append(m, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: r.User})
}

// repair shows a model its answer and what is wrong with it.
func repair(a *answer, wrong error) []openai.ChatCompletionMessage {
	text := strings.TrimSpace(a.text)
	if len(text) > maxRepaired { // the end matters most: it is where answers go wrong
		half := maxRepaired / 2
		text = shorten(text, half) + "\n" + strings.ToValidUTF8(text[len(text)-half:], "")
	}
	if text == "" {
		text = noText
	}
	mistake := fmt.Sprintf("That answer cannot be used: %s.\nAnswer again, with the corrected JSON and nothing else.", shorten(wrong.Error(), maxMistake))
	return []openai.ChatCompletionMessage{
		{Role: openai.ChatMessageRoleAssistant, Content: text},
		{Role: openai.ChatMessageRoleUser, Content: mistake},
	}
}

// take hands the values in an answer to check until one passes. Some servers
// take the whole answer for reasoning; then the last value in there that
// passes is it.
func (a *answer) take(check func([]byte) error) error {
	if strings.TrimSpace(a.text) != "" {
		return extract(a.text).take(check)
	}
	f := extract(a.reasoning)
	slices.Reverse(f.values)
	if err := f.take(check); err == nil {
		return nil
	}
	return errors.New("it is empty")
}
