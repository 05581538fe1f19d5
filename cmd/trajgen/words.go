package main

import "strings"

// The words from which text is made. They are drawn with a bias to the front
// of each list (see pick), as words of real text are.
var (
	nouns = strings.Fields(`file request value buffer error session config test handler cache user response parser token
		line index connection record query path table message key worker server result client queue lock field column
		node tree schema branch commit module package service stream socket channel timeout retry header payload cursor
		batch chunk window offset segment cluster replica partition snapshot checkpoint migration transaction row page
		metric counter gauge trace span event listener callback hook plugin driver adapter wrapper context scope closure
		pointer slice map array struct interface method function variable constant flag option argument parameter
		template layout view model controller router endpoint resource secret credential certificate signature hash
		digest checksum archive bundle manifest artifact image container volume mount network subnet gateway proxy
		balancer scheduler executor pool thread process signal semaphore barrier fence journal ledger account invoice
		order customer product price discount shipment warehouse sensor device firmware battery profile avatar comment
		thread reply digest calendar reminder locale currency timezone encoding charset glyph font palette texture mesh
		shader camera frame vertex matrix vector tensor gradient layer epoch dataset sample label feature embedding`)
	verbs = strings.Fields(`read write check load parse send open close update create build merge split flush fetch store
		resolve validate encode decode compress rotate reset retry cancel commit lock release acquire drop append insert
		delete scan filter sort group join match format render print trim copy move rename link bind listen dial accept
		reject throttle drain schedule enqueue dispatch notify subscribe publish archive restore migrate replicate
		reconcile normalize sanitize escape quote wrap unwrap iterate traverse visit collect reduce fold expand inline`)
	adjectives = strings.Fields(`new empty missing stale old invalid wrong nil slow unused broken shared local remote
		nested partial pending unknown duplicate unexpected large small default explicit implicit optional required
		concurrent atomic lazy eager cached cold warm idle busy dirty clean strict loose sparse dense flat deep raw`)
	folders = strings.Fields(`internal cmd pkg src api core store server client config parser auth billing cache queue
		storage metrics search render scheduler ingest export worker web ui models services handlers middleware utils
		migrations scripts tools deploy docs tests fixtures vendor third_party assets locale jobs events gateway`)
	extensions = strings.Fields(`.go .go .go .py .py .ts .ts .tsx .rs .sql .yaml .json .md .toml .sh .css .proto .java`)
	levels     = strings.Fields(`INFO INFO INFO INFO DEBUG DEBUG WARN ERROR`)
	people     = strings.Fields(`ana ben chen dora emil fatima goran hana ivan jun kofi lena mateo nina omar priya quinn
		rosa sven tomas uma vera wei ximena yusuf zoe`)
	types    = strings.Fields(`string int bool error []byte int64 float64 time.Duration []string context.Context`)
	statuses = strings.Fields(`200 200 200 200 201 204 301 304 400 401 403 404 409 429 500 502 503`)
	emoji    = strings.Fields(`🚀 ✅ ❌ 🎉 🔥 🐛 👀 💡 📦 ⚠️ 🧪 🔧 👍 🙏 😅 🤔 📈 🗑️ 👩‍💻 🇩🇪`)
	chinese  = strings.Fields(`配置 文件 请求 缓存 数据库 日志 测试 错误 用户 接口 服务 模块 函数 参数 连接 超时 重试 任务 队列 消息
		索引 字段 表格 订单 结果 脚本 部署 容器 版本 分支 提交 线程 并发 内存 性能 磁盘 网络 权限 证书 密钥 时间 格式 编码 路径
		目录 备份 迁移 监控 告警 指标 报表 页面 组件 样式 输入 输出 解析 渲染 排序 过滤 搜索 合并 拆分 压缩 校验 更新 删除 插入`)
)

// The lines of each kind of text. A name in braces is filled by pieces (see
// fill.go); everything else stands as it is.
var templates = map[kind][]string{
	prose: {
		"The {adj} {noun} is not the problem. {Verb} in `{path}` is called before the {noun} has been set, so `{name}` sees a {adj} value.",
		"I will {verb} the {noun} first and then look at why `{name}` returns a {adj} {noun}.",
		"- `{path}`: {verb} the {noun} before it can {verb} ({int} lines changed)",
		"The change keeps the {adj} {noun} and makes `{Name}` {verb} only what it needs.",
		"This took {ms} ms before and {ms} ms now, measured over {int} runs.",
		"Next I'll check whether {noun} and {noun} still {verb} after the {noun} moved to `{pkg}`.",
		"Please {verb} the {noun} in {path}; {person} says the {adj} {noun} should {verb} on its own.",
		"1. {Verb} every {noun} that `{name}` leaves {adj}.",
		"That explains the {adj} {noun}: `{snake}` is read by the {noun} while the {noun} tries to {verb} it.",
		"All {int} tests pass. The {noun} no longer has to {verb} twice, and the {adj} {noun} is gone. {emoji}",
		"There are two ways to {verb} it: a {adj} {noun}, which costs {size}, or one {noun} per {noun}.",
		"",
	},
	think: {
		"The user wants the {noun} to {verb}. Let me see how {name} gets its {noun}; it is probably set in {path}.",
		"Hmm, {name} returns before the {noun} is {adj}. If the {noun} were {adj}, line {int} could not {verb} at all.",
		"So either the {noun} is {adj} or {Name} was built with a {adj} {noun}. The second is more likely, because {snake} is {int}.",
		"Wait. The {noun} that I changed is used by {pkg} as well, so I should not {verb} it without a test.",
		"I could {verb} the {noun} here, but then every {noun} has to {verb}. Better: keep it {adj} and let {name} decide.",
		"Check again: {int} + {int} lines, offset {int}, and the {noun} starts at {int}. That does not add up, so a {noun} is missing.",
		"Plan: {verb} the {noun}, {verb} {path}, run the tests, then {verb} the {adj} {noun}.",
		"",
	},
	chineseProse: {
		"请先检查{zh}和{zh},然后把{zh}的{zh}改成新的{zh}。",
		"问题出在 `{name}`:{zh}还没有{zh},{zh}就已经被读取了。",
		"我先看一下 {path} 里的{zh},再决定要不要调整{zh}和{zh}的顺序。",
		"- {zh}{zh}:从 {ms} 毫秒降到 {ms} 毫秒,{zh}占用 {size}",
		"{zh}失败的原因是{zh}{zh}不一致,第 {int} 行的{zh}应该是 {int}。{emoji}",
		"修改已经完成:{int} 个{zh}全部通过,{zh}里不再有{zh}。",
	},
	logs: {
		"{date}T{clock}Z {level} {pkg} {verb} {noun} id={uuid} took={ms}ms",
		"{date}T{clock}Z {level} [{snake}] {adj} {noun} {snake}={int} {snake}={hex}",
		`{ip} - - [{date} {clock}] "GET /{pkg}/{noun}/{int} HTTP/1.1" {status} {int} {ms}`,
		`{"time":"{date}T{clock}Z","level":"{level}","msg":"{verb} {noun}","{snake}":{int},"trace_id":"{hex}{hex}","path":"/{pkg}/{noun}"}`,
		"{clock} {host} {noun}[{int}]: {verb} {adj} {noun} for {person} from {ip} port {int}",
		"{clock} {level} {Name}.{name}: {verb} {noun} {int}/{int} ({size}) {hex}",
	},
	tests: {
		"=== RUN   Test{Name}/{snake}_{int}",
		"--- PASS: Test{Name}/{snake}_{int} ({ms}s)",
		"    {snake}_test.go:{int}: {name}({int}) = {int}, want {int}",
		"ok  	{url}/{pkg}	{ms}s",
		"tests/{pkg}/test_{snake}.py::test_{snake} PASSED                    [{int}%]",
		"    {snake}_test.go:{int}: {adj} {noun}: got {str}, want {str}",
		"PASS  {path} ({ms} s)",
		"  ✓ {verb}s the {adj} {noun} when {name} is {int} ({ms} ms)",
	},
	source: {
		"func (s *{Name}) {Name}(ctx context.Context, {name} {type}) ({type}, error) {",
		"	if {name} := s.{name}.{Name}({name}); {name} != nil {",
		"		return nil, fmt.Errorf({str}, {name}, err)",
		"	}",
		"	for _, {name} := range s.{name} {",
		"	// {Name} must {verb} the {noun} before the {adj} {noun} can {verb} it.",
		"	{name}, err := {pkg}.{Name}(ctx, s.{name}, {int})",
		"	s.{name}[{name}] = append(s.{name}[{name}], {Name}{{name}: {int}, {name}: {str}})",
		"	{Name}  {type} `json:\"{snake}\"`",
		"	case {const}:",
		"}",
		"",
	},
	script: {
		"def {snake}({snake}: str, {snake}: int = {int}) -> dict[str, Any]:",
		"    \"\"\"{Verb} the {adj} {noun} and return its {noun}.\"\"\"",
		"    {snake} = self.{snake}.{snake}({str}, {snake}={int})",
		"    if not {snake}:",
		"        raise ValueError(f\"{adj} {noun}: {{snake}!r}\")",
		"    return {{str}: {snake}, {str}: {int}}",
		"export const {name} = async ({name}: {Name}): Promise<{Name}> => {",
		"  const { {name}, {name} } = await {name}.{name}({ {name}: {int} });",
		"  expect({name}.{name}).toEqual({str});",
		"SELECT {snake}, count(*) FROM {snake} WHERE {snake} = {int} GROUP BY {snake} ORDER BY {snake} DESC;",
		"",
	},
	listing: {
		"-rw-r--r-- 1 {person} staff {big} {date} {clock} {snake}{ext}",
		"drwxr-xr-x 4 {person} staff   4096 {date} {clock} {snake}",
		"./{path}",
		"{size}	./{path}",
		"{hex}{hex}{hex}{hex}{hex}  {path}",
		"?? {path}",
	},
	traces: {
		"  File \"/srv/{path}\", line {int}, in {snake}",
		"    {snake} = self.{snake}.{snake}({snake}, {int})",
		"	at {Name}.{name} (/app/{path}:{int}:{int})",
		"goroutine {int} [{verb} {noun}, {int} minutes]:",
		"{url}/{pkg}.(*{Name}).{Name}(0xc000{hex}, {0x{hex}, 0x{int}})",
		"	/src/{path}:{int} +0x{int}",
	},
	jsons: {
		`  {"id": "{uuid}", "{snake}": {int}, "{snake}": "{adj} {noun}", "{snake}": [{int}, {int}, {ms}]},`,
		`  {"{snake}": {"{snake}": "{hex}", "{snake}": {big}, "active": true}, "url": "https://{url}/{noun}/{int}"},`,
		`    "{snake}": {str},`,
		`    "{snake}": {ms},`,
	},
	diffs: {
		"@@ -{int},{int} +{int},{int} @@ func (s *{Name}) {Name}(",
		"-	{name} := {pkg}.{Name}(s.{name}, {int})",
		"+	{name}, err := {pkg}.{Name}(ctx, s.{name}, {int})",
		"+	if {name} == nil {",
		"+		return fmt.Errorf({str}, err)",
		" 	s.{name}.{Name}({name})",
		" }",
		"diff --git a/{path} b/{path}",
		"index {hex}..{hex} 100644",
	},
	matches: {
		"{path}:{int}:	{name} := {pkg}.{Name}({name})",
		"{path}:{int}:// {Name} {verb}s the {adj} {noun}",
		"{path}:{int}:    self.{snake} = {snake}({str})",
	},
	commands: {
		"go test ./{pkg}/... -run Test{Name} -count={int}",
		"python -m pytest tests/{pkg}/test_{snake}.py -q -k '{noun} and not {adj}'",
		"grep -rn '{name}' {pkg}/ | head -{int}",
		"git log --oneline -{int} -- {path}",
		"curl -s https://{url}/{noun}/{int} | jq '.{snake}[] | select(.{snake} > {int})'",
		"docker compose logs --tail={int} {noun}-{noun}",
		"sed -n '{int},{int}p' {path}",
		"kubectl get pods -n {pkg} -o json | jq -r \".items[].metadata.name\"",
		"find . -name '*{ext}' -newer {path} -size +{int}k",
	},
	paths: {"{path}"},
	errors: {
		"Error: {path}: no such file or directory",
		"Error: command exited with status {int}: {adj} {noun} in {name}",
		"Error: {verb} {noun}: {adj} {noun} at line {int}, column {int}",
		"Error: timed out after {int} seconds while trying to {verb} the {noun}",
	},
	asks: {
		"{Verb} the {adj} {noun} in {path} and make sure that the tests still pass.",
		"Why does {name} return a {adj} {noun}? It should {verb} the {noun}.",
		"Can you {verb} {path} so that the {noun} can {verb} without a {adj} {noun}? {emoji}",
		"One more thing: the {noun} is still {adj} after the last change, see line {int}.",
		"Please write a script that can {verb} all {noun}s of the last {int} days and print the {adj} ones.",
		"No, that's wrong. The {noun} should not {verb} when the {noun} is {adj}.",
	},
	chineseAsks: {
		"帮我看一下 {path},为什么{zh}之后{zh}会丢失?",
		"请写一个{zh}{zh}的{zh},要求能处理{int}个{zh}。",
		"还是不对,{zh}的{zh}没有{zh},请检查 {name}。",
		"接下来把{zh}{zh}也一起{zh}了吧,谢谢 {emoji}",
	},
}
