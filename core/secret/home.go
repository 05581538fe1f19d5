package secret

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shared are names of accounts and folders that are no person's, and stand-ins
// for the name of one.
var shared = set(
	"root", "user", "users", "username", "user-name", "user_name", "name", "you", "your", "yourname", "your-name", "your_name", "yourusername",
	"your-username", "your_username", "youruser", "your-user", "me", "myuser", "someuser", "some-user", "someone", "default", "public", "shared", "all", "guest", "nobody",
	"admin", "administrator", "runner", "runneradmin", "ubuntu", "debian", "fedora", "centos", "alpine", "arch", "ec2-user", "azureuser",
	"opc", "vagrant", "docker", "jenkins", "gitlab", "gitlab-runner", "github", "actions", "git", "node", "app", "apps", "dev", "developer", "devuser", "vscode",
	"codespace", "codespaces", "coder", "gitpod", "linuxbrew", "homebrew", "sandbox", "agent", "claude", "codex", "swe-agent", "openhands", "oh",
	"test", "tester", "testuser", "test-user", "foo", "bar", "baz", "foobar", "nodejs", "him", "her", "myself", "node_modules", "nodeuser", "dist", "staging", "external", "example", "demo", "deploy", "build", "builder", "ci", "circleci", "travis", "work", "worker",
	"workspace", "project", "projects", "www", "www-data", "web", "server", "service", "system", "daemon", "backup", "mail", "ftp", "nginx",
	"apache", "mysql", "postgres", "redis", "oracle", "hadoop", "spark", "airflow", "jovyan", "jupyter", "steam", "pi", "kali", "nixos", "nix", "wsl", "container",
	"index", "home", "page", "pages", "main", "settings", "dashboard", "profile", "login", "logout", "search", "api", "static", "assets", "data", "docs",
	"src", "lib", "bin", "etc", "tmp", "opt", "var", "usr", "library", "applications", "desktop", "documents", "downloads", "config", "local", "path", "dir", "folder", "file",
	"assistant", "model", "conda", "miniconda", "anaconda", "python", "java", "ruby", "rust", "perl", "mambauser", "nonroot", "appuser", "x", "xxx", "abc",
	"list", "show", "edit", "new", "create", "delete", "update", "get", "set", "id", "info", "about", "help", "account", "accounts", "orders", "products", "items",
)

// words are names of people that are words as well: they are replaced in
// paths, but not wherever they stand.
var words = set(
	"art", "april", "august", "june", "may", "mark", "will", "grace", "hope", "faith", "joy", "bill", "rob", "jack", "pat", "sue", "dawn", "rose", "ray", "max", "case",
	"drew", "grant", "chase", "cash", "dash", "dale", "dean", "earl", "frank", "gene", "guy", "jay", "josh", "kit", "lance", "lane", "mike", "miles", "nick", "norm", "page",
	"penny", "rich", "rob", "rusty", "sky", "stone", "summer", "tab", "tony", "van", "ward", "wade", "wood", "young", "star", "sun", "moon", "river", "lake", "forest", "code", "core", "hack",
	"hacker", "linux", "windows", "macos", "mac", "laptop", "desktop", "computer", "machine", "host", "master", "owner", "group", "team", "staff", "client", "manager", "support", "office",
	"student", "teacher", "research", "science", "labs", "lab", "tech", "media", "music", "video", "photo", "game", "games", "play", "player", "bot", "robot", "auto", "temp", "cache", "log", "logs",
	"run", "task", "tasks", "job", "jobs", "time", "date", "day", "one", "two", "red", "blue", "green", "black", "white", "gray", "brown", "gold", "silver", "king", "queen", "knight", "bishop", "angel", "buddy", "hunter", "fisher", "baker", "cook", "carter", "mason", "taylor", "tyler",
	"string", "text", "value", "key", "token", "password", "secret", "email", "address", "phone", "number", "type", "class", "function", "method", "object", "array", "true", "false", "null", "none", "error", "result", "results", "output", "input", "message", "content", "role", "tool", "tools",
)

// Spreads reports whether a name of a user is a secret wherever it stands as a
// word: it has three letters at least and is no common word.
func Spreads(name string) bool {
	name = strings.ToLower(name)
	letters := 0
	for _, r := range name {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 3 && !shared[name] && !shared[strings.TrimRight(name, "0123456789")] && !words[name] && !isPlaceholder(name)
}

// findHome looks at a folder of homes: /home/, /Users/, \Users\.
func findHome(sc *scan, start, end int) {
	text := sc.text
	if sep := text[start]; sep == '/' {
		if folder := text[start:end]; folder != "/home/" && folder != "/Users/" || !beginsPath(text, start) && !deepHome(text, start, end) {
			return
		}
	} else if start < 2 || text[start-1] != ':' || !isLetter(text[start-2]) {
		return
	}
	sc.addUser(end, false)
}

// beginsPath reports whether the slash at a place is the first one of a path,
// or follows what may stand before a home: a drive, file://, a mount point.
func beginsPath(text string, at int) bool {
	if at == 0 {
		return true
	}
	before := text[max(0, at-24):at]
	switch c := text[at-1]; {
	case c == '/':
		return strings.HasSuffix(before, "file://") || !strings.HasSuffix(before, "://")
	case c == ':':
		return true
	case !isWord(c) && c != '.' && c != '-' && c != '}' && c < 0x80:
		return true
	}
	if strings.HasSuffix(before, "/var") || strings.HasSuffix(before, "/System/Volumes/Data") || strings.HasSuffix(before, "/host") || strings.HasSuffix(before, "/private") {
		return true
	}
	if onVolume(text, at) {
		return true
	}
	if n := len(before); n >= 6 && strings.EqualFold(before[n-6:n-1], "/mnt/") { // a drive in Linux on Windows
		return true
	}
	if n := len(before); n >= 2 && before[n-2] == '/' && isLetter(before[n-1]) { // a drive in a shell on Windows
		return true
	}
	return escapeAt(text, at-1) == 1 && at >= 2
}

// volumes are where systems keep copies of homes, and those of other machines.
var volumes = [...]string{"/mnt/", "/media/", "/backup", "/srv/", "/data/", "/export/", "/nfs/", "/net/", "/Volumes/", "/snapshots/"}

// onVolume reports whether a path that goes on at a place lies on a volume.
func onVolume(text string, at int) bool {
	from := at
	for from > 0 && at-from < 64 && (isName[text[from-1]] || text[from-1] == '/') {
		from--
	}
	from = min(at, from+escapeAt(text, from))
	for _, v := range volumes {
		if strings.HasPrefix(text[from:], v) && from+len(v) <= at+1 {
			return true
		}
	}
	return false
}

// inCode are folders of programs, in which a folder of homes is one of pages.
var inCode = set("src", "app", "apps", "pages", "page", "views", "view", "templates", "components", "repo", "workspace", "testbed", "code", "project", "www", "html", "lib", "libs",
	"packages", "static", "public", "frontend", "backend", "client", "server", "web", "website", "node_modules", "site-packages", "assets", "api", "routes", "screens", "features", "modules",
	"test", "tests", "docs", "doc", "images", "img", "css", "js", "ui", "site", "v1", "v2", "en", "zh")

// ofPages are folders and files in one of pages.
var ofPages = set("templates", "views", "migrations", "components", "models", "urls", "tests", "css", "js", "img", "images", "styles", "hooks", "utils", "controllers", "widgets", "screens", "features",
	"layout", "sections", "hero", "banner", "header", "footer", "sidebar", "management", "forms", "serializers", "locale", "services", "store", "types", "blog", "contact", "news", "feed", "timeline",
	"overview", "welcome", "fonts", "media", "icons", "scripts", "partials", "helpers", "modules", "routes", "constants", "common", "core", "cards", "modals", "bloc", "presentation", "domain", "viewmodel")

// deepHome reports whether a folder of homes, text[start:end], lies deep in a
// path of files: a copy of a disk, with somebody's folder in it.
func deepHome(text string, start, end int) bool {
	from := start
	for from > 0 && start-from < 128 && (isName[text[from-1]] || text[from-1] == '/') {
		from--
	}
	from = min(start, from+escapeAt(text, from))
	if from == start || text[from] != '/' || strings.HasPrefix(text[from:], "//") {
		return false
	}
	for part := range strings.SplitSeq(text[from+1:start], "/") {
		if inCode[strings.ToLower(part)] {
			return false
		}
	}
	name, _, inside := strings.Cut(text[end:min(len(text), end+64)], "/")
	return inside && !ofPages[strings.ToLower(name)]
}

// FindInPath is Find for what is known to be a path of files: what follows a
// folder of homes in it is the name of a user, wherever that folder lies.
func (s *Scanner) FindInPath(path string) []Hit {
	hits := s.Find(path)
	sc := scan{text: path}
	for at := 0; at < len(path); {
		i := strings.IndexByte(path[at:], '/')
		if i < 0 {
			break
		}
		folder := path[at : at+i]
		at += i + 1
		if (folder == "home" || folder == "Users") && strings.IndexByte(path[at:], '/') > 0 {
			sc.addUser(at, false)
		}
	}
	return Join(path, hits, sc.hits)
}

// findFlatHome looks at the name of a folder made of a path, as agents keep
// their sessions in: projects/-home-NAME-project.
func findFlatHome(sc *scan, _, end int) { sc.addUser(end, true) }

// findTilde looks at a ~ for the home of another user: ~NAME/.
func findTilde(sc *scan, start, end int) {
	text := sc.text
	if start > 0 && !isSpace(text[start-1]) && strings.IndexByte("\"'`=:(", text[start-1]) < 0 {
		return
	}
	if end >= len(text) || !isLetter(text[end]) {
		return
	}
	to := end
	for to < len(text) && to-end < 32 && (isWord(text[to]) || text[to] == '-') && !('A' <= text[to] && text[to] <= 'Z') {
		to++
	}
	if to < len(text) && text[to] == '/' && to+1 < len(text) && (isWord(text[to+1]) || text[to+1] == '.') && Spreads(text[end:to]) {
		sc.add(User, end, to)
	}
}

// addUser takes the name that begins at a place, if it is a person's. In a
// flat path, words end at hyphens.
func (sc *scan) addUser(at int, flat bool) {
	text, to := sc.text, at
	for to < len(text) && to-at < 64 {
		r, size := utf8.DecodeRuneInString(text[to:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' && (r != '-' || flat) {
			break
		}
		to += size
	}
	// A point ends a sentence, and three are an ellipsis.
	for to > at && (text[to-1] == '.' || text[to-1] == '-') {
		to--
	}
	name := strings.ToLower(text[at:to])
	if to == at || to-at >= 64 || text[at] == '.' || shared[name] || shared[strings.TrimRight(name, "0123456789")] || isPlaceholder(name) || !hasLetter(name) || strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".tsx") || strings.HasSuffix(name, ".ts") {
		return
	}
	sc.add(User, at, to)
}

func hasLetter(text string) bool {
	return strings.IndexFunc(text, unicode.IsLetter) >= 0
}
