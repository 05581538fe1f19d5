package metric

import (
	"path/filepath"
	"testing"
)

func TestTaskType(t *testing.T) {
	for _, c := range []struct {
		want  TaskType
		lines []string
	}{
		{Other, nil},
		{Other, []string{"u x"}},
		{Chat, []string{"u hello", "a hi, how can I help?"}},
		{Chat, []string{"u 你好", "a 你好！"}},
		{Chat, []string{"u who are you?", "a an assistant"}},
		{Chat, []string{"u hi", "a hi", "u thanks", "a welcome"}},
		{QA, []string{"u What is the capital of France?", "a Paris."}},
		{QA, []string{"u Explain why the sky is blue", "a Because light is scattered."}},
		{QA, []string{"u 地球到月亮有多远？", "a 约38万公里。"}},
		{Writing, []string{"u Write a poem about the sea", "a O sea"}},
		{Writing, []string{"u Translate this letter into French: Dear Sir", "a Cher Monsieur"}},
		{Writing, []string{"u 帮我写一封邮件给客户，说明延期", "a 尊敬的客户"}},
		{Writing, []string{"u Change this sentence to make it sound more formal: I wanted to alert you", "a I wished to inform you"}},
		{Math, []string{"u Solve the equation 2a+3b=20 for a", "a a = (20-3b)/2"}},
		{Math, []string{"u What is the probability that two of 23 people share a birthday?", `a \boxed{0.507}`}},
		{Math, []string{"u Resolve the following problem: 9 - 2 x 3", "a It is 3."}},
		{Code, []string{"u Read the README file", `c 1 read {"path":"README.md"}`, "t 1 x", "a It is about x."}},
		{Writing, []string{"u Delete the last two paragraphs from the following text: one two three", "a one"}},
		{Code, []string{"u Is racecar one?", `c 1 check_palindrome {"text":"racecar"}`, "t 1 true", "a yes"}},
		{Math, []string{"u 求解方程 x^2-5x+6=0", "a x=2 或 3"}},
		{Code, []string{"u Write a Python function that adds two numbers", "a ```python\ndef add(a, b): return a + b\n```"}},
		{Code, []string{"u fix it", `c 1 Read {"file_path":"/src/a.go"}`, "t 1 x", `c 2 Edit {"file_path":"/src/a.go"}`, "t 2 ok", "a done"}},
		{Code, []string{"u The unit test of the parser fails since yesterday, fix the bug", `c 1 bash {"command":"go test ./..."}`, "t 1 FAIL", "a fixed"}},
		{Code, []string{"u 帮我重构这个函数", `c 1 bash {"command":"pytest -q"}`, "t 1 ok", "a 好了"}},
		{Data, []string{"u sum up the rows of sales.csv by month and plot a chart", `c 1 bash {"command":"duckdb -c 'select 1'"}`, "t 1 ok", "a done"}},
		{Data, []string{"u Which ten customers bought most? It is all in the database", `c 1 sql_query {"query":"select 1"}`, "t 1 x", "a these"}},
		{Research, []string{"u Search the web for the latest news about battery recycling and list your sources", `c 1 web_search {"q":"x"}`, "t 1 x", `c 2 web_fetch {"u":"x"}`, "t 2 x", "a here"}},
		{Research, []string{"u 调研一下最新的论文", `c 1 arxiv_search {"q":"x"}`, "t 1 x", "a 这些"}},
		{Ops, []string{"u nginx on the server does not start after the upgrade", `c 1 terminal {"command":"systemctl status nginx"}`, "t 1 x", `c 2 terminal {"command":"journalctl -u nginx"}`, "t 2 x", "a fixed"}},
		{Ops, []string{"u I'd like to cancel my flight reservation", `c 1 get_reservation_details {"id":"X"}`, "t 1 x", `c 2 cancel_reservation {"id":"X"}`, "t 2 ok", "a cancelled"}},
		{Ops, []string{"u deploy the docker compose stack", `c 1 edit_file {"path":"docker-compose.yml"}`, "t 1 ok", `c 2 shell {"command":["docker","compose","up"]}`, "t 2 ok", "a up"}},
	} {
		a := Measure(Config{}, 1, script(c.lines...))
		if a.Summary.TaskType != c.want {
			t.Errorf("%q: %s, want %s (%s)", c.lines, a.Summary.TaskType, c.want, a.Summary.Reason)
		}
	}
}

// The project's own samples are of the types that their names say.
func TestTaskTypeOfSamples(t *testing.T) {
	for name, want := range map[string]TaskType{
		"birthday-odds": Math, "compose-postgres": Ops, "flaky-parser-test": Code, "monthly-totals": Data, "port-config-toml": Code,
		"release-notes-emoji": Writing, "rotate-nginx-logs": Ops, "small-talk": Chat, "slow-docs-search": Code, "sidebar-overlap": Code, "zh-config-cache": Code,
	} {
		msgs := sessionsOf(t, filepath.Join("../../testdata/sessions", name+".jsonl"))
		if len(msgs) == 0 {
			t.Fatalf("%s holds no session", name)
		}
		if a := Measure(Config{}, 1, msgs[0]); a.Summary.TaskType != want {
			t.Errorf("%s: %s, want %s", name, a.Summary.Reason, want)
		}
	}
}

func TestNameKind(t *testing.T) {
	for name, want := range map[string]kind{
		"Edit": kindCode, "str_replace_based_edit_tool": kindCode, "mcp__github__get_file_contents": kindCode, "WebSearch": kindResearch, "web_fetch": kindResearch, "execute_sql": kindData, "NotebookEdit": kindData,
		"calculate": kindMath, "send_email": kindOps, "getOrderDetails": kindOps, "TodoWrite": kindCode, "python": kindNone, "unheard_of": kindNone, "": kindNone,
	} {
		if got := nameKind(name).kind; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

func TestCommandKind(t *testing.T) {
	for json, want := range map[string]kind{
		`"go test ./..."`: kindCode, `"cd /srv && docker ps"`: kindOps, `["bash","-lc","psql -c 'select 1'"]`: kindData, `"ls -la"`: kindNone, `"cat a.go"`: kindNone, `"./make.sh"`: kindNone, `""`: kindNone, `"/usr/bin/kubectl get pods"`: kindOps,
	} {
		if got := commandKind(json); got != want {
			t.Errorf("%s: %d, want %d", json, got, want)
		}
	}
	for json, want := range map[string]kind{`"/a/b.go"`: kindCode, `"C:\\x\\B.CSV"`: kindData, `"Dockerfile"`: kindOps, `"/a/docker-compose.yml"`: kindOps, `"README"`: kindNone, `"a.unknown"`: kindNone, `""`: kindNone, `3`: kindNone} {
		if got := pathKind(json); got != want {
			t.Errorf("%s: %d, want %d", json, got, want)
		}
	}
}
