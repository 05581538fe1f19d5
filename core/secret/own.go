package secret

// ownRules are the rules of our own. Each looks at the text around a keyword
// itself.
var ownRules = []rule{
	{id: PrivateKey, keywords: []string{"-----begin"}, find: findPrivateKey},
	{id: URLPassword, keywords: []string{"://"}, find: findURLPassword},
	{id: Authorization, keywords: []string{"bearer ", "basic "}, find: findAuthorization},
	{id: Authorization, keywords: []string{"authorization:"}, find: findAuthorizationHeader},
	{id: Cookie, keywords: []string{"cookie:"}, find: findCookie},
	{id: Field, keywords: []string{
		"password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key",
		"privatekey", "private_key", "private-key", "credential", "authorization", "cookie", "pwd",
		"accountkey", "account_key",
	}, find: findField},
	{id: Field, keywords: []string{"sshpass ", "mysql ", "mysqldump ", "mysqladmin ", "mariadb "}, find: findOption},
	{id: Field, keywords: []string{`auth"`, `auth\"`}, find: findAuth},
	{id: Field, keywords: []string{"-u ", "-u'", `-u"`, "--user ", "--user="}, find: findCurlUser},
	{id: Key, keywords: []string{":aa"}, find: findTelegram},
	{id: Key, keywords: []string{"sk-", "gocspx-", "ya29.", "whsec_", "gsk_", "r8_", "xai-", "tvly-"}, find: findKey},
	{id: Webhook, keywords: []string{
		"hook/", `hook\/`, "hooks/", `hooks\/`, "hookb2/", `hookb2\/`, "hook-test/", "/with/key/", "integrations/deploy/",
		"hooks.slack", "hook.site", ".make.com", "integromat.com", ".celonis.com",
	}, find: findWebhook},
	{id: Webhook, keywords: []string{"sig="}, find: findURLSignature},
	{id: Mail, keywords: []string{"@"}, find: findMail},
	{id: User, keywords: []string{"/home/", "/users/", `\users\`, `\\users\\`}, find: findHome},
	{id: User, keywords: []string{"/-home-", "/-users-"}, find: findFlatHome},
	{id: User, keywords: []string{"~"}, find: findTilde},
}
