package metric

import (
	"slices"
	"strings"
)

// kindWords lists what prompts say when they ask for a type of work.
func kindWords() []row[vote] {
	return []row[vote]{
		{vote{kindCode, 1}, anywhere, []string{
			"bug", "fix the bug", "refactor", "unit test", "unit tests", "failing test", "failing tests", "test suite", "pytest", "function", "class", "method", "compile", "compiler", "stack trace", "traceback", "exception", "codebase", "repository", "repo", "pull request", "commit", "merge conflict", "source code", "write a script", "script", "implement", "python", "javascript", "typescript", "golang", "rust", "java", "c++", "html", "css", "react", "api endpoint", "endpoint", "frontend", "backend", "lint", "regex", "code", "coding", "program", "algorithm", "pr", "cli", "library", "module", "package", "import", "component", "parser", "leetcode", "feature", "github issue", "segfault", "null pointer", "debug", "read the readme",
			"代码", "函数", "编译", "报错", "重构", "单元测试", "实现一个", "脚本", "程序", "接口", "前端", "后端", "算法", "调试", "仓库", "编程",
		}},
		{vote{kindData, 1}, anywhere, []string{
			"csv", "spreadsheet", "excel", "dataset", "data set", "dataframe", "pandas", "sql", "query the", "database", "table", "rows", "columns", "chart", "plot", "histogram", "statistics", "totals", "total per", "average", "median", "aggregate", "monthly totals", "totals per", "pivot", "correlation", "regression", "analyze the data", "data analysis", "json file", "parquet", "etl", "top customers", "sum of", "per month", "by month", "sqlite", "postgres query",
			"数据", "表格", "统计", "数据库", "图表", "汇总", "平均", "数据分析", "查询",
		}},
		{vote{kindResearch, 1}, anywhere, []string{
			"research", "search the web", "search online", "look up", "latest news", "news about", "top news", "news headlines", "sports news", "citations", "literature", "papers", "arxiv", "investigate", "web search", "find information", "state of the art", "competitors", "with sources", "cite sources",
			"搜索", "调研", "研究", "新闻", "论文", "资料", "查一下", "查找", "最新",
		}},
		{vote{kindResearch, 0.4}, anywhere, []string{"search for", "find out", "compare the", "sources", "paper", "survey", "market", "trends", "google", "wikipedia"}},
		{vote{kindWriting, 1}, anywhere, []string{
			"write an email", "write a letter", "write a poem", "poem", "essay", "blog post", "blog", "article", "story", "rewrite", "rephrase", "proofread", "translate", "translation", "summarize", "summary", "summarise", "draft", "email", "mail to", "letter", "paragraph", "tone", "headline", "slogan", "press release", "release notes", "cover letter", "paragraphs", "following text", "resume", "speech", "caption", "tweet", "lyrics", "haiku", "novel", "edit this text", "grammar", "copywriting", "documentation", "readme", "changelog", "report",
			"写一封", "写一篇", "写一首", "作文", "文章", "诗", "故事", "翻译", "润色", "改写", "总结", "摘要", "邮件", "文案", "小说", "演讲",
		}},
		{vote{kindMath, 1.4}, anywhere, []string{
			"solve", "equation", "integral", "derivative", "probability", "prove that", "how likely", "likelihood", "proof", "theorem", "matrix", "polynomial", "triangle", "geometry", "algebra", "calculus", "how many ways", "greatest common", "prime number", "prime numbers", "remainder", "square root", "compute the", "calculate the", "percent of", "arithmetic", "odds", "perimeter", "modulo", "factorial", "combinatorics", "fahrenheit", "celsius", "volume of a", "area of a", "logarithm", "tip amount", "discount", "interest rate", "mortgage",
			"方程", "求解", "证明", "概率", "计算", "积分", "导数", "三角形", "几何", "数学", "多少种",
		}},
		{vote{kindOps, 1}, anywhere, []string{
			"deploy", "deployment", "docker", "dockerfile", "docker compose", "kubernetes", "k8s", "nginx", "server", "systemd", "cron", "cron job", "crontab", "terraform", "ansible", "ci pipeline", "ci/cd", "github actions", "rollback", "disk space", "disk is full", "backup", "backups", "restart", "port", "firewall", "ssl", "certificate", "dns", "load balancer", "monitoring", "grafana", "log rotation", "rotate", "logs", "service", "uptime", "install", "upgrade", "migrate", "cluster", "aws", "vm", "ssh", "permissions", "environment variable", "rsync",
			"book a flight", "flight", "reservation", "cancel my", "my order", "order number", "return the", "refund", "exchange the", "schedule a", "appointment", "calendar", "reminder", "remind me", "ticket", "baggage", "shipping address", "delivery",
			"部署", "服务器", "安装", "重启", "配置", "运维", "日志", "备份", "升级", "订单", "预订", "退款", "提醒", "日程", "缓存",
		}},
		{vote{kindQA, 0.9}, anywhere, []string{
			"what is", "what are", "what's the", "who is", "who was", "when did", "where is", "why is", "why does", "how does", "how do", "difference between", "explain", "define", "meaning of", "tell me about", "is it true", "which of the following",
			"是什么", "什么是", "为什么", "有什么区别", "解释一下", "请解释", "介绍一下", "怎么样", "有哪些", "请问",
		}},
		{vote{kindQA, 0.7}, sentence, []string{"describe", "name", "list", "identify", "give an example", "give me", "give two", "give three", "suggest", "recommend", "classify", "determine", "compare", "推荐", "列举"}},
		{vote{kindWriting, 0.7}, sentence, []string{"write", "create a character", "generate a list", "generate a sentence", "compose", "imagine", "brainstorm", "come up with", "generate an", "generate a", "create a story", "create an", "invent", "edit the", "rewrite the", "写", "创作"}},
		{vote{kindChat, 0.2}, anywhere, []string{
			"hello", "hi", "hey", "good morning", "good evening", "how are you", "what's up", "nice to meet", "thanks", "thank you", "bye", "good night", "test",
			"你好", "您好", "早上好", "晚上好", "再见", "谢谢", "晚安",
		}},
		{vote{kindChat, 2}, anywhere, []string{
			"who are you", "what's your name", "what is your name", "who created you", "who built you", "who made you", "do you have a name", "are you a robot", "are you human", "are you an ai", "tell me a joke", "let's chat", "i'm bored", "i feel", "i'm feeling", "lonely", "role play", "roleplay", "do you like", "your favorite", "do you love",
			"你是谁", "你叫什么", "聊聊", "聊天", "讲个笑话", "我心情", "你可以做什么", "你能做什么",
		}},
		{vote{kindNone, 0}, anywhere, []string{"hi-res", "in order", "in order to", "function call", "function calls", "data race", "good code", "zip code", "class of", "business class", "economy class", "first class", "basic economy", "gift card", "report back", "error code", "promo code", "discount code", "discount for", "order to", "not research", "toilet paper", "google cloud", "google docs", "import to", "table of contents", "how many", "how much", "short story about", "port of", "type class", "input field", "input fields"}},
	}
}

// toolKinds are words in names of tools. The first that stands in a row decides.
var toolKinds = []struct {
	vote  vote
	words []string
}{
	{vote{kindResearch, 1}, []string{"websearch", "webfetch", "browser", "browse", "arxiv", "wikipedia", "scholar", "news", "crawl", "tavily", "serp", "google", "search_web", "searchweb", "web"}},
	{vote{kindData, 1}, []string{"sql", "sqlite", "postgres", "database", "dataframe", "pandas", "csv", "spreadsheet", "notebook", "jupyter", "chart", "plot", "bigquery", "excel", "sheets", "db"}},
	{vote{kindMath, 1}, []string{"calculator", "calculate", "wolfram", "sympy", "calc", "math"}},
	{vote{kindOps, 1}, []string{
		"docker", "kubectl", "kubernetes", "terraform", "aws", "gcloud", "deploy", "systemctl", "cron", "email", "mail", "gmail", "calendar", "slack", "message", "ticket", "jira", "reservation", "reservations", "flight", "flights", "order", "orders", "booking", "baggages", "passengers", "certificate", "user", "product", "payment", "address", "transfer", "human", "airports", "restaurant", "hotel", "weather", "reminder", "alarm", "invoice", "note", "notes", "event", "meeting", "contact",
	}},
	{vote{kindCode, 1}, []string{"multiedit", "patch", "lint", "diagnostics", "symbol", "str", "editor", "git", "github", "compile", "test", "tests", "codebase", "goto", "palindrome"}},
	{vote{kindCode, fileTool}, []string{"edit", "write", "file", "files", "grep", "glob", "read", "create", "ls"}},
	{vote{kindWriting, 1}, []string{"document", "doc", "docs", "translate", "grammar"}},
}

// fileTool is how much a tool says that reads or writes any files.
const fileTool = 0.5

// nameKind guesses what work a tool is for, from its name.
func nameKind(name string) (v vote) {
	v = vote{kind: kindNone}
	for _, row := range toolKinds {
		nameWords(name, func(word string) bool {
			if slices.Contains(row.words, word) {
				v = row.vote
			}
			return v.kind == kindNone
		})
		if v.kind != kindNone {
			break
		}
	}
	return v
}

// extensions say what work a file belongs to.
var extensions = map[string]kind{
	"go": kindCode, "py": kindCode, "js": kindCode, "ts": kindCode, "tsx": kindCode, "jsx": kindCode, "rs": kindCode, "java": kindCode, "c": kindCode, "h": kindCode, "cc": kindCode, "cpp": kindCode, "hpp": kindCode,
	"cs": kindCode, "rb": kindCode, "php": kindCode, "swift": kindCode, "kt": kindCode, "scala": kindCode, "html": kindCode, "css": kindCode, "scss": kindCode, "vue": kindCode, "svelte": kindCode, "lua": kindCode, "ex": kindCode, "hs": kindCode,
	"zig": kindCode, "mod": kindCode, "toml": kindCode, "lock": kindCode, "mjs": kindCode, "gradle": kindCode, "proto": kindCode, "dart": kindCode,
	"csv": kindData, "tsv": kindData, "xlsx": kindData, "xls": kindData, "parquet": kindData, "sql": kindData, "db": kindData, "sqlite": kindData, "ipynb": kindData, "arrow": kindData,
	"docx": kindWriting, "tex": kindWriting, "rst": kindWriting, "odt": kindWriting, "pptx": kindWriting,
	"tf": kindOps, "conf": kindOps, "service": kindOps, "cfg": kindOps, "ini": kindOps, "log": kindOps,
}

// programs say what work a command belongs to.
var programs = map[string]kind{
	"git": kindCode, "go": kindCode, "npm": kindCode, "npx": kindCode, "yarn": kindCode, "pnpm": kindCode, "pytest": kindCode, "cargo": kindCode, "make": kindCode, "gcc": kindCode, "g++": kindCode, "javac": kindCode, "mvn": kindCode, "gradle": kindCode,
	"tsc": kindCode, "rustc": kindCode, "ruff": kindCode, "eslint": kindCode, "mypy": kindCode, "gh": kindCode, "golangci-lint": kindCode, "gofmt": kindCode,
	"sqlite3": kindData, "psql": kindData, "mysql": kindData, "duckdb": kindData, "bq": kindData, "jq": kindData, "csvkit": kindData, "mlr": kindData,
	"docker": kindOps, "docker-compose": kindOps, "kubectl": kindOps, "helm": kindOps, "systemctl": kindOps, "journalctl": kindOps, "nginx": kindOps, "terraform": kindOps, "ansible": kindOps, "ssh": kindOps, "scp": kindOps, "rsync": kindOps, "apt": kindOps,
	"apt-get": kindOps, "yum": kindOps, "dnf": kindOps, "brew": kindOps, "crontab": kindOps, "df": kindOps, "du": kindOps, "free": kindOps, "top": kindOps, "ps": kindOps, "kill": kindOps, "service": kindOps, "iptables": kindOps, "ufw": kindOps, "certbot": kindOps,
	"dig": kindOps, "ping": kindOps, "netstat": kindOps, "ss": kindOps, "lsof": kindOps, "logrotate": kindOps, "chmod": kindOps, "chown": kindOps, "mount": kindOps, "aws": kindOps, "gcloud": kindOps,
	"pandoc": kindWriting, "pdflatex": kindWriting, "bc": kindMath,
}

// pathMembers are members of arguments that hold the path of a file.
var pathMembers = []string{`"file_path"`, `"path"`, `"filename"`, `"file"`, `"notebook_path"`, `"target_file"`, `"absolute_path"`, `"file_name"`, `"filepath"`}

// pathKind guesses what work a file is for, by the JSON of its path.
func pathKind(json string) kind {
	path := strings.TrimSuffix(json[max(0, len(json)-64):], `"`)
	if strings.HasSuffix(strings.ToLower(path), "dockerfile") || strings.HasSuffix(path, "compose.yml") || strings.HasSuffix(path, "compose.yaml") {
		return kindOps
	}
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 || len(path)-dot > 9 {
		return kindNone
	}
	if k, ok := extensions[strings.ToLower(path[dot+1:])]; ok {
		return k
	}
	return kindNone
}

// dataFiles in a command say more than its programs.
var dataFiles = []string{".csv", ".tsv", ".xlsx", ".parquet", ".sqlite", ".sql"}

// commandKind guesses what work a command is for, by the files of data or else
// the first program in it that is known.
func commandKind(json string) (k kind) {
	k = kindNone
	clipped := clip(json, commandMost)
	for _, ext := range dataFiles {
		if strings.Contains(clipped, ext) {
			return kindData
		}
	}
	for from := 0; from < len(clipped) && k == kindNone; {
		end := from
		for end < len(clipped) && (letterOrDigit(rune(clipped[end])) || clipped[end] == '-' || clipped[end] == '+') {
			end++
		}
		if end > from && (end == len(clipped) || clipped[end] != '.' && clipped[end] != '/') && (from == 0 || clipped[from-1] != '.' && clipped[from-1] != '-') {
			if found, ok := programs[clipped[from:end]]; ok {
				k = found
			}
		}
		from = end + 1
	}
	return k
}
