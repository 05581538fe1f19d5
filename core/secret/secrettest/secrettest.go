// Package secrettest makes texts with secrets in them, and texts that only look
// as if they had any, for tests. No secret stands in it as it is: each is put
// together when it is asked for, so that nothing that scans this repository
// takes it for a leak. All are made up.
package secrettest

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

// Planted is a text with a secret in it.
type Planted struct {
	Rule  string
	Text  string
	Value string // the secret, that must not be left; it may be a part of what is replaced
}

// Alphabets of keys.
const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	hexa   = "0123456789abcdef"
	base62 = digits + lower + upper
	base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// All returns secrets of all kinds, the same at every call.
func All() []Planted {
	r := rand.New(rand.NewPCG(7, 40))
	key := func(n int, alphabet string) string {
		var b strings.Builder
		for range n {
			b.WriteByte(alphabet[r.IntN(len(alphabet))])
		}
		return b.String()
	}
	var all []Planted
	add := func(rule, before, value, after string) {
		all = append(all, Planted{rule, before + value + after, value})
	}
	aws := "AK" + "IA" + key(16, base32)
	add("aws-access-token", "export AWS_ACCESS_KEY_ID=", aws, "\n")
	add("aws-access-token", "the key is ", "AS"+"IA"+key(16, base32), " and it works")
	add("generic-api-key", "const serviceKey = \"", key(3, digits)+key(37, base62), "\"\n")
	add("github-pat", "git remote set-url origin https://x-access-token:", "gh"+"p_"+key(36, base62), "@github.com/o/r.git")
	add("github-oauth", "token ", "gh"+"o_"+key(36, base62), "\n")
	add("github-app-token", "", "gh"+"s_"+key(36, base62), "\n")
	add("github-fine-grained-pat", "use ", "github"+"_pat_"+key(82, base62), " for it")
	add("gitlab-pat", "PRIVATE-TOKEN: ", "gl"+"pat-"+key(20, base62), "\n")
	add("slack-bot-token", "SLACK=", "xo"+"xb-"+key(12, digits)+"-"+key(12, digits)+"-"+key(24, base62), "\n")
	add("slack-webhook-url", "curl ", "https://hooks."+"slack.com/services/T"+key(8, upper)+"/B"+key(8, upper)+"/"+key(24, base62), "\n")
	add("stripe-access-token", "stripe.api_key = '", "sk"+"_live_"+key(24, base62), "'")
	add("openai-api-key", "OPENAI_API_KEY=", "sk"+"-"+key(20, base62)+"T3Blbk"+"FJ"+key(20, base62), "\n")
	add("anthropic-api-key", "ANTHROPIC_API_KEY: ", "sk"+"-ant-api03-"+key(93, base62)+"AA", "\n")
	add("huggingface-access-token", "login(token=\"", "h"+"f_"+key(34, lower), "\")")
	add("gcp-api-key", "key=", "AI"+"za"+key(35, base62), "\n")
	add("npm-access-token", "//registry.npmjs.org/:_authToken=", "npm"+"_"+key(36, lower+digits), "\n")
	add("pypi-upload-token", "password = ", "py"+"pi-AgEIcHlwaS5vcmc"+key(60, base62), "\n")
	add("sendgrid-api-token", "", "SG"+"."+key(22, base62)+"."+key(43, base62), "\n")
	add("twilio-api-key", "sid ", "S"+"K"+key(32, hexa), "\n")
	add("digitalocean-pat", "doctl auth init -t ", "do"+"p_v1_"+key(64, hexa), "\n")
	add("shopify-access-token", "", "shp"+"at_"+key(32, hexa), "\n")
	add("databricks-api-token", "token: ", "da"+"pi"+key(32, hexa), "\n")
	add("age-secret-key", "# key\n", "AGE-SECRET"+"-KEY-1"+key(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"), "\n")
	add("jwt", "session ", jwt(key), "\n")
	add("private-key", "cat id_rsa\n", block("RSA PRIVATE", key, "\n"), "\n")
	add("private-key", "", block("OPENSSH PRIVATE", key, "\n"), "\n")
	add("private-key", `"key": "`, block("PRIVATE", key, `\n`), `"`)
	add("url-password", "DATABASE_URL=postgres://svc:", key(5, lower)+key(3, digits)+key(4, upper), "@db.internal:5432/app\n")
	add("url-password", "git clone https://deploy:", key(20, base62), "@git.corp.net/x.git")
	add("authorization", "headers: {Authorization: `Bearer ", key(40, base62), "`}")
	add("curl-auth-header", "curl -s https://api.corp.net -H 'Authorization: Bearer ", key(40, base62), "'\n")
	add("authorization", "Authorization: Basic ", base64.StdEncoding.EncodeToString([]byte("svc:"+key(12, base62))), "\n")
	add("authorization", "> Authorization: Token ", key(4, digits)+key(36, base62), "\n")
	add("cookie", "Set-Cookie: sid=", key(2, digits)+key(30, base62), "; Path=/; HttpOnly\n")
	add("secret-field", `{"user":"svc","password":"`, "Tr0ub"+key(3, digits)+"dor", `","port":5432}`)
	add("secret-field", "{'client_secret': '", key(10, lower)+key(4, digits), "'}")
	add("secret-field", `{"api_key": "`, key(14, lower), `"}`)
	add("secret-field", "DB_PASSWORD=", "hun"+key(6, base62)+key(3, digits)+"x", "\n")
	add("secret-field", "spec:\n  password: ", "hunter"+key(3, digits)+"X"+key(3, base62)+"7", "\n  user: svc\n")
	add("secret-field", "mysql --user svc --password ", key(5, lower)+key(2, digits)+key(4, upper)+"3", " app")
	add("secret-field", "machine git.corp.net login svc password ", key(6, lower)+key(3, digits)+key(3, upper), "\n")
	add("secret-field", `{"db":{"password":"`, "#Up"+key(4, digits)+"$x", `"}}`)
	add("secret-field", `{"signing_key":"`, key(3, digits)+key(29, base62), `"}`)
	add("api-key", "it is ", "s"+"k-or-v1-"+key(64, hexa), ".\n")
	add("api-key", "client ", "GOC"+"SPX-"+key(2, digits)+key(27, base62)+"4", "\n")
	const hooks, hook = "ho" + "oks/", "ho" + "ok/"
	add("webhook", "curl -d x https://discord.com/api/web"+hooks+key(18, digits)+"/", key(2, digits)+key(30, base62)+"-"+key(34, base62)+"_", "?wait=true\n")
	add("webhook", "POST /api/v10/web"+hooks+key(19, digits)+"/", key(67, base62)+"7", " 204\n")
	add("webhook", "https://ptb.discordapp.com/api/web"+hooks+key(18, digits)+"/", key(67, base62)+"7", "/messages/12")
	add("webhook", "https://hooks.zapier.com/"+hooks+"catch/"+key(7, digits)+"/", "b"+key(6, lower+digits), "/ is it")
	add("webhook", "https://contoso.web"+hook, uuid(key), "\n")
	add("webhook", "https://outlook.office.com/web"+hook, uuid(key)+"@"+uuid(key)+"/IncomingWeb"+hook+key(32, hexa)+"/"+uuid(key), "\n")
	add("webhook", "https://corp.webhook.office.com/web"+"hookb2/", uuid(key)+"@"+uuid(key)+"/IncomingWeb"+hook+key(32, hexa)+"/"+uuid(key), "\n")
	add("webhook", "https://prod-12.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?api-version=2016-06-01&sv=1.0&si"+"g=", "4b"+key(41, base62), "\n")
	add("webhook", "https://chat.corp.net/"+hooks, "a7"+key(24, lower+digits), "'\n")
	add("webhook", "<https://hooks.slack"+"-gov.com/services/T"+key(8, upper)+"/B"+key(8, upper)+"/", "4x"+key(22, base62), ">")
	add("webhook", "https://open.feishu.cn/open-apis/bot/v2/"+hook, uuid(key), "\n")
	add("webhook", "https://qyapi.weixin.qq.com/cgi-bin/web"+hook+"send?key=", uuid(key), "\n")
	add("webhook", "https://hook.eu1.make"+".com/", "k2"+key(30, lower+digits), "\n")
	add("webhook", "https://webhook"+".site/", uuid(key), "\n")
	add("webhook", "https://maker.ifttt.com/trigger/door/with"+"/key/", "d4"+key(20, base62), "\n")
	add("webhook", "curl -X POST https://api.netlify.com/build_"+hooks, key(24, hexa), "\n")
	add("email", "Author: Ann Lee <", "ann.lee"+key(3, digits)+"@"+"gmail.com", ">\n")
	add("email", "mail ", key(6, lower)+"@"+"physik.uni-muenchen.de", " about it")
	add("user-name", "cd /home/", "mariekej", "/projects/winnow && make\n")
	add("user-name", "File \"/Users/", "okonkwo", "/code/app.py\", line 3\n")
	add("user-name", `type C:\Users\`, "Thorvald", `\notes.txt`)
	add("user-name", `{"cwd":"C:\\Users\\`, "Ingeborg", `\\src"}`)
	add("user-name", "ls ~", "rasmusj", "/public\n")
	add("user-name", "~/.claude/projects/-home-", "yevgenia", "-work-app/x.jsonl\n")
	return all
}

func uuid(key func(int, string) string) string {
	return key(8, hexa) + "-" + key(4, hexa) + "-4" + key(3, hexa) + "-a" + key(3, hexa) + "-" + key(12, hexa)
}

func jwt(key func(int, string) string) string {
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	body := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + key(10, digits) + `","name":"` + key(6, lower) + `"}`))
	return head + "." + body + "." + key(43, base62)
}

func block(kind string, key func(int, string) string, newline string) string {
	lines := []string{"-----BEGIN " + kind + " KEY-----"}
	for range 12 {
		lines = append(lines, key(64, base62))
	}
	return strings.Join(append(lines, key(30, base62)+"==", "-----END "+kind+" KEY-----"), newline)
}

// Ordinary returns texts without secrets, that look as if they had some.
func Ordinary() []string {
	return []string{
		"commit 8f3b2a1c9d4e5f60718293a4b5c6d7e8f9012345\nAuthor: nobody",
		"index 3f2a1b9..c04d5e6 100644",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"d41d8cd98f00b204e9800998ecf8427e  empty.txt",
		`{"sha":"8f3b2a1c9d4e5f60718293a4b5c6d7e8f9012345","key":"8f3b2a1c9d4e5f60718293a4b5c6d7e8f9012345"}`,
		`"cache_key": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`,
		"session 550e8400-e29b-41d4-a716-446655440000 started",
		`{"sessionId":"550e8400-e29b-41d4-a716-446655440000","token_count":1234,"max_tokens":4096}`,
		`{"tool_use_id":"toolu_01A09q90qw90lq917835lq9","type":"tool_result"}`,
		`{"id":"call_Zx81kQm2Lr0Ty6Pw3Nv7Bs4D","key":"call_Zx81kQm2Lr0Ty6Pw3Nv7Bs4D"}`,
		"[image: image/png, 48 KB] data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
		"write to someone@example.com or admin@shop.example.org, see RFC 2606",
		"root@web-1:~# ls\nann@laptop:/srv$ make\ndeploy@build.corp.net:/var/www$ exit",
		"git clone git@github.com:charmbracelet/bubbletea.git",
		"noreply@github.com and no-reply@anthropic.com",
		"@property\ndef name(self): ...\n@app.route(\"/x\")\n@pytest.fixture",
		"npm install lodash@4.17.21 @babel/core@7.24.0 react@latest\nactions/checkout@v4",
		"icon@2x.png and y = a@b.T",
		"export API_KEY=<YOUR_API_KEY>\nexport TOKEN=$TOKEN\nexport SECRET=${SECRET}\nAPI_KEY=xxxxxxxxxxxxxxxx\napi_key: your_api_key_here",
		`key = os.environ["X_API_KEY"]` + "\npassword = getpass()\ntoken = process.env.GITHUB_TOKEN\nsecret = config.get('secret')",
		"password = getpass.getpass(\"Password: \")\nif password == \"\": raise ValueError",
		`{"type":"object","properties":{"password":{"type":"string","description":"The password"},"token":{"type":"string"}},"required":["password","token"]}`,
		`{"password":"string","token":"","secret":null,"api_key":"<API_KEY>","cookie":false}`,
		"postgres://user:password@localhost:5432/db and redis://localhost:6379/0",
		"https://github.com/o/r/blob/8f3b2a1c9d4e5f60718293a4b5c6d7e8f9012345/main.go#L3",
		"ls /home/ /Users/Shared /home/runner/work /home/user/project C:\\Users\\Public\\x",
		"https://example.com/home/products and GET /api/users/12345",
		"func (t *Token) Key() string { return t.key }\ntokenizer := NewTokenizer(keywords)\nkeys := sortedKeys(m)",
		"Authorization: Bearer <token>\nAuthorization: Bearer $TOKEN\nuse bearer tokens for authentication",
		"github.com/tiktoken-go/tokenizer v0.10.0 h1:xcMbdR1D/rTF2/yEj1GQg3/jl5D9n5aQ546mr32di/w=",
		`integrity: "sha512-Zx81kQm2Lr0Ty6Pw3Nv7Bs4DZx81kQm2Lr0Ty6Pw3Nv7Bs4DZx81kQm2Lr0Ty6Pw3Nv7Bs4D=="`,
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJRTES\n-----END CERTIFICATE-----",
		"the secret is out: token prices fell, key players passed, access was denied",
		"secret-tool, keyboard=us, monkey: banana, author: Ann Lee, accessibility=high",
		"2026-01-31T12:34:56.789Z key=value token_type=Bearer auth=oauth2",
		"Key: ArrowDown, keyCode: 40, keymap_v2.json, TokenKind::Identifier3",
		"key = A.Int64Property; privateKey = ed25519.PrivateKey; KEY_CPU = C.RISCV_HWPROBE_KEY_CPUPERF_0; token: win32api.RegEnumKey",
		"ls /home/user1 /home/.config /home/node_modules/x; ssh sk-ecdsa-sha2-nistp256-cert-v01@openssh.com",
		"task-risk-assessment-2026 sk-learn-contrib-2024 disk-usage-monitor-daily-report-v2",
		"{password: password1, token: token2, secret: mySecret2}; login form password field; --password FILE --token TOKEN",
		`{"password":"$2b$12$abcdefghijklmnopqrstuv","auth":"oauth2","token":"%s","secret":"$(cat secret.txt)","api_key":"$API_KEY_2"}`,
		"~/notes and ~~struck~~ and ~5 minutes, http://cs.edu/~staff",
		"<REDACTED:aws-access-token:1> and password=<REDACTED:secret-field:2>",
		`{"next_page_token":"CAUQAA","page_token":"eyJvZmZzZXQiOjEwMH0"}`,
		"https://discord.com/developers/docs/resources/webhook#execute-webhook, POST /webhooks/{webhook.id}/{webhook.token}",
		"https://discord.com/api/webhooks/123456789012345678 and https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
		"https://discord.com/api/webhooks/<id>/<token> https://discord.com/api/webhooks/ID/YOUR_WEBHOOK_TOKEN_HERE_123456789",
		"src/hooks/useAuthProvider2FactorState.tsx .git/hooks/pre-commit.sample web/hooks/3f2a9b8c7d6e5f4a3b2c1d0e.js ~/.claude/hooks/format-on-save-v2",
		"https://raw.githubusercontent.com/octokit/webhooks/8f3b2a1c9d4e5f60718293a4b5c6d7e8f9012345/index.json",
		"https://github.com/octokit/webhooks/commit/8f3b2a1c9d4e5f60718293a4b5c6d7e8f9012345 and /repos/o/r/hooks/12345678/deliveries/1234567890123",
		"DELETE https://api.corp.net/v1/webhooks/550e8400-e29b-41d4-a716-446655440000 and https://dashboard.stripe.com/webhooks/we_1NxYz2eZvKYlo2CAbcd3Efg4",
		"GET /v2/webhooks/507f1f77bcf86cd799439011/events, /webhooks/01ARZ3NDEKTSV4RRFFQ69G5FAV and /webhook/stripe, /webhooks/github/push-events-2",
		"https://docs.github.com/en/webhooks/webhook-events-and-payloads hooks/catch/12345/abcdefg hooks.slack.com was down, sig=123 and ?sig=<SIGNATURE>",
		"密码是什么？ токен не найден. パスワードを入力",
	}
}
