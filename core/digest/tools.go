package digest

import (
	"slices"
	"strings"

	"winnow/core/phrases"
)

// kind says what a call does, as far as its name tells.
type kind uint8

const (
	looks    kind = iota // changes nothing
	acts                 // runs something, or nobody knows
	checks               // builds or tests
	changes              // files, or what an interface keeps
	delivers             // gives work away: pushes, tags, publishes
	thinks
)

// edits are the tools that change a file.
var edits = set("edit", "write", "multiedit", "notebookedit", "apply_patch", "applypatch", "str_replace_editor", "str_replace_based_edit_tool", "create",
	"write_file", "create_file", "edit_file", "replace", "insert", "str_replace", "patch", "search_replace", "write_to_file", "replace_in_file", "insert_edit_into_file")

// shells are the tools that run a command.
var shells = set("bash", "shell", "terminal", "exec_command", "run_command", "execute_bash", "execute_command", "run_shell_command", "container.exec",
	"local_shell", "run_terminal_cmd", "run_in_terminal", "exec", "sh", "shell_command", "execute", "bash_command", "powershell")

// viewers are the tools that look, and are not known by how their names begin.
var viewers = set("read", "grep", "glob", "ls", "view", "cat", "websearch", "webfetch", "todowrite", "todoread", "taskupdate", "taskcreate", "tasklist", "taskget", "toolsearch",
	"open", "lsp", "skill", "calculate", "update_plan", "bashoutput", "taskoutput", "codebase_search", "file_search", "grep_search", "google_web_search", "web_search", "web_fetch", "scroll_down", "scroll_up", "goto")

// viewerVerbs and changeVerbs begin the names of calls to an interface.
var (
	viewerVerbs = []string{"get", "list", "search", "find", "read", "fetch", "check", "query", "lookup", "look", "show", "describe", "count", "is", "has", "calculate", "browse", "view", "extract", "retrieve"}
	changeVerbs = []string{"update", "book", "cancel", "create", "delete", "send", "modify", "exchange", "return", "add", "remove", "set", "transfer", "pay", "refund", "submit", "post", "put", "make", "reserve", "order", "approve", "assign", "move", "rename", "save"}
)

func set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

// bare returns the name of a tool without the server it comes from.
func bare(tool string) string {
	if i := strings.LastIndex(tool, "__"); i >= 0 && strings.HasPrefix(tool, "mcp__") {
		tool = tool[i+2:]
	}
	return strings.ToLower(tool)
}

func kindOf(tool, command string) kind {
	name := bare(tool)
	switch {
	case name == "think" || name == "sequentialthinking":
		return thinks
	case shells[name]:
		return commandKind(command)
	case viewers[name]:
		return looks
	case edits[name]:
		return changes
	}
	verb, _, _ := strings.Cut(name, "_")
	switch {
	case hasWord(viewerVerbs, verb):
		return looks
	case hasWord(changeVerbs, verb):
		return changes
	}
	return acts
}

func hasWord(words []string, word string) bool {
	for _, one := range words {
		if one == word {
			return true
		}
	}
	return false
}

// viewing are the programs that change nothing, checking how commands begin that
// build or test.
var (
	viewing  = set("ls", "cat", "head", "tail", "grep", "rg", "find", "wc", "pwd", "which", "echo", "file", "stat", "tree", "du", "df", "env", "ps", "sort", "uniq", "diff", "jq", "awk", "less", "whoami", "date", "type", "printf", "nl", "sleep")
	checking = []string{"go test", "go build", "go vet", "npm test", "npm run", "npx tsc", "npx vitest", "npx jest", "tsc", "pytest", "python -m pytest", "python3 -m pytest", "make", "cargo", "yarn", "pnpm",
		"tox", "ruff", "mypy", "eslint", "npx eslint", "golangci-lint", "mise run", "just", "bun test", "bun run", "gradle", "./gradlew", "mvn", "ctest", "jest", "vitest", "rspec", "bundle exec", "phpunit", "uv run pytest", "python -m unittest", "gofmt", "npx biome", "dotnet test", "dotnet build", "swift test", "swift build"}
	gitViews = set("log", "status", "diff", "show", "branch", "blame", "remote", "rev-parse", "ls-files", "reflog", "grep")
)

// commandKind says what a command does, by its parts: the one that does most
// counts.
func commandKind(command string) kind {
	most := looks
	for _, part := range simpleCommands(phrases.Clip(command, argMost)) {
		most = max(most, partKind(part))
	}
	return most
}

// Commands that change what is kept, and that give it away.
var (
	changing   = set("rm", "mv", "cp", "rmdir", "tee", "patch")
	gitChanges = set("commit", "merge", "rebase", "cherry-pick", "revert", "reset", "rm", "mv", "clean", "stash")
	delivering = []string{"git push", "git tag", "npm publish", "npm run publish", "yarn publish", "pnpm publish", "cargo publish", "twine upload", "docker push", "gh pr create", "gh pr merge", "gh release", "goreleaser"}
)

func partKind(part string) kind {
	begins := func(begin string) bool { return part == begin || strings.HasPrefix(part, begin+" ") }
	switch {
	case slices.ContainsFunc(delivering, begins):
		return delivers
	case slices.ContainsFunc(checking, begins):
		return checks
	}
	words := strings.Fields(part)
	for len(words) > 0 && strings.Contains(words[0], "=") {
		words = words[1:]
	}
	switch {
	case len(words) == 0 || words[0] == "cd" || strings.HasPrefix(words[0], "#"), viewing[words[0]] && !strings.Contains(part, " > "), words[0] == "1":
		return looks
	case words[0] == "sed" && !strings.Contains(part, " -i"):
		return looks
	case viewing[words[0]], changing[words[0]], words[0] == "sed", words[0] == "git" && len(words) > 1 && gitChanges[words[1]]:
		return changes
	case words[0] == "git" && len(words) > 1 && gitViews[words[1]]:
		return looks
	}
	return acts
}
