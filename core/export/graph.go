package export

// messageGraph writes the messages of a session and of its branches as a tree, in the shape
// that verifiers has: each message once, with the place of the one before it. A
// compaction and an edit begin a path of their own.
var messageGraph = Emitter{
	Name:        "graph",
	Description: "message graph as verifiers has it: a tree for each session with its branches, always on policy",
	Losses:      "models, tokens and what is made of them",
	perMessage:  true,
	reserved:    templateTags,
	tree:        &treeForm{encode: encodeTree, decode: decodeTree},
}
