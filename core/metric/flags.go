package metric

// Flag is a fact about a segment that lists are filtered by.
type Flag string

// The flags.
const (
	NoAssistant       Flag = "no_assistant"
	Truncated         Flag = "truncated"
	MalformedToolCall Flag = "malformed_tool_call"
	UnansweredCall    Flag = "unanswered_call"
	OrphanResult      Flag = "orphan_result"
	UnbalancedThink   Flag = "unbalanced_think"
	Unfinished        Flag = "unfinished"
	HasErrorEnd       Flag = "has_error_end"
	Interrupted       Flag = "interrupted"
	Loop              Flag = "loop"
	UserCorrected     Flag = "user_corrected"
	UserThanked       Flag = "user_thanked"
	NoReasoning       Flag = "no_reasoning"
	NoUser            Flag = "no_user"
	NoTools           Flag = "no_tools"
	EmptyAnswer       Flag = "empty_answer"
	Declined          Flag = "declined"
	HandedOver        Flag = "handed_over"
	APIError          Flag = "api_error"
	Compacted         Flag = "compacted"
	Media             Flag = "media"
)

// AboutFlag is a flag as people look it up.
type AboutFlag struct {
	Flag Flag
	Help string
}

// Flags returns all flags in the order in which they are written.
func Flags() []AboutFlag {
	return []AboutFlag{
		{NoAssistant, "no message of the assistant is in it; keeps it out of memories and training data"},
		{Truncated, "an answer was cut off by a limit on its length, or the last one broken off; keeps it out of training data"},
		{MalformedToolCall, "a call has no name, its arguments are no JSON object, or it could not be read as a call; keeps it out of training data"},
		{UnansweredCall, "a call has no result"},
		{OrphanResult, "a tool result answers no call"},
		{UnbalancedThink, "think tags are opened and not closed, or the other way round"},
		{Unfinished, "it does not end with an answer of the assistant"},
		{HasErrorEnd, "the last tool result is a failure"},
		{Interrupted, "the user stopped the agent, or did not allow a call"},
		{Loop, "one call was made three times or more with nothing changed in between"},
		{UserCorrected, "the user said that something is wrong"},
		{UserThanked, "the user said thanks or praised"},
		{NoReasoning, "no message of the assistant carries reasoning"},
		{NoUser, "nobody wrote anything: no message of a user, or only what machines write in the user's place"},
		{NoTools, "no tool was called"},
		{EmptyAnswer, "the final answer is empty"},
		{Declined, "an answer of the assistant declines what was asked"},
		{HandedOver, "the assistant ended its work by handing it over to a person"},
		{APIError, "a message stands where a request to the model failed"},
		{Compacted, "earlier messages were replaced by a summary in it"},
		{Media, "images, audio or files were left out of it"},
	}
}
