package secret

import (
	"strings"
	"testing"
)

// Whoever has the token of a webhook may write where it leads to; what is left
// of the address tells which service it is of.
func TestWebhooks(t *testing.T) {
	s := New(nil)
	const hooks, hook = "ho" + "oks", "ho" + "ok"
	token := "f7UdmPwe9YRmWzUv" + "YjRoud0eGhe4id4nEqb7oICaSMrLyk4foyOotnkSBbMmiruuvvC7"
	id, uuid := "613169091676851671", "1f0c2a6e-5d3b-4c7a-9e8f-"+"0a1b2c3d4e5f"
	for _, c := range []struct {
		before, secret, after string
	}{
		{"https://discord.com/api/web" + hooks + "/" + id + "/", token, ""},
		{"HTTPS://Discord.com/API/Web" + strings.ToUpper(hooks) + "/" + id + "/", token, ""},
		{"see discord.com/api/web" + hooks + "/" + id + "/", token, "."},
		{"(https://canary.discord.com/api/v9/web" + hooks + "/" + id + "/", token, ")"},
		{"https://discord.com/api/web" + hooks + "/" + id + "/", token, "?thread_id=123&wait=true"},
		{"https://discord.com/api/web" + hooks + "/" + id + "/", token, "/slack"},
		{`url = "https:\/\/discord.com\/api\/web` + hooks + `\/` + id + `\/`, token, `"`},
		{"https://guilded.example/web" + hooks + "/" + uuid + "/", token, ""},
		{"https://app.corp.net/v1/web" + hooks + "/wh_1NxYz2eZvKYlo2C/", token[:24], " "},
		{"https://" + hooks + ".zapier.com/" + hooks + "/catch/123456/", "o2xab9c", "/"},
		{"https://" + hooks + ".zapier.com/" + hooks + "/standard/123456/", uuid[:8] + "aabbccdd11223344aabbccdd", ""},
		{"https://n8n.corp.net/web" + hook + "/", uuid, ""},
		{"https://n8n.corp.net/web" + hook + "-test/", uuid, "'"},
		{"http://ha.local:8123/api/web" + hook + "/", "-zR4x" + token[:30], ""},
		{"https://api.vercel.com/v1/integrations/" + "deploy/prj_9dTrnx4bRYhBbRCmpRMiXqbZbHCk/", "aB3dE5gH7i", ""},
		{"https://" + hook + ".us1.make.celonis" + ".com/", "k2" + strings.ToLower(token[2:32]), "\n"},
		{"https://api.cloudflare.com/client/v4/pages/web" + hooks + "/deploy_" + hooks + "/", uuid, ""},
		{"https://x.logic.azure.com/workflows/a/triggers/manual/paths/invoke?sv=1.0&amp;si" + "g=", token[:43], "'"},
		{`"https://x.logic.azure.com/invoke?sv=1.0\u0026si` + `g=`, token[:43], `"`},
		{"https://acct.blob.core.windows.net/c/f.zip?sv=2024&si" + "g=", token[:40] + "%2Ba%3D", ""},
	} {
		text := "x " + c.before + c.secret + c.after + " y"
		want := "x " + c.before + "<REDACTED:webhook>" + c.after + " y"
		if got := redacted(s, text); strings.ReplaceAll(got, ":1>", ">") != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	for _, text := range []string{
		"/api/web" + hooks + "/" + id,
		"/web" + hook + "/" + uuid, // nobody says where
		"https://api.corp.net/web" + hooks + "/" + uuid,
		"https://discord.com/api/web" + hooks + "/" + id + "/${TOKEN}",
		"https://discord.com/api/web" + hooks + "/" + id + "/messages",
		"src/" + hooks + "/" + token + ".js",
		"https://" + hooks + ".zapier.com/" + hooks + "/catch/123456",
		"git log -- ." + hooks + "/8f3b2a1c9d4e5f60718293a4b5c6d7e8f9012345",
		"config=abc&si" + "g=short", "desi" + "g=" + token,
	} {
		if got := redacted(s, text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
