package main

// format writes sessions as one kind of recorder does. A new one is a row
// here and a file of its own.
type format struct {
	name string
	// perFile is how many sessions a file holds: 1 where a file is a session,
	// more where a line is one.
	perFile int
	// system says which sessions begin with a system message.
	system prompting
	// open returns a recorder of one session.
	open func(*page, *author) recorder
}

// recorder writes the lines of one session.
type recorder interface {
	// begin writes what comes before the first message.
	begin()
	// message writes the line or lines of one message.
	message(*message)
	// end writes what comes after the last message.
	end()
}

// prompting says which sessions of a format begin with a system message.
type prompting uint8

const (
	sometimes prompting = iota // as the author likes
	always                     // the recorder makes it up itself
	never
)

// conversationsPerFile makes files of about 10 MB: what published data sets
// have, and enough of them to be read in parallel.
const conversationsPerFile = 100

var formats = []format{
	{"openai", 1, sometimes, func(p *page, a *author) recorder { return &openAI{p, a} }},
	{"anthropic", 1, sometimes, func(p *page, _ *author) recorder { return &anthropic{p} }},
	{"messages", conversationsPerFile, sometimes, func(p *page, a *author) recorder { return &conversation{page: p, a: a} }},
	{"sharegpt", conversationsPerFile, always, func(p *page, a *author) recorder { return &shareGPT{page: p, a: a} }},
	{"claude-code", 1, never, func(p *page, a *author) recorder { return newClaudeCode(p, a) }},
}
