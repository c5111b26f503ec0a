package redact

import (
	"slices"
	"strings"
	"sync"

	"learnings/lessons/lazy"
)

// Parts of patterns.
const (
	quote       = "[\"'`]"
	windowsHome = `(?i)\b[a-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4}`
	// passNames are names of what is a secret in whatever shape, in English.
	passNames = `passw(?:or)?d|passphrase|passcode|pwd`
	keyNames  = `api[_-]?key|secret|token|credentials?|(?:access|account|auth|encryption|master|private|preshared|service|session|shared[_-]?access|signing|storage|license|app)[_-]?key`
)

// words of names, in lower case.
var (
	passWords = []string{"passw", "passphrase", "passcode", "pwd"}
	keyWords  = []string{"key", "secret", "token", "credential"}
)

// ownRules are the rules that gitleaks lacks or has only for some places, the
// surest first.
func ownRules() []rule {
	return append([]rule{
		{name: "private-key", words: []string{"-----begin"}, far: true,
			re: lazy.Regexp(`(?s)-----BEGIN[ A-Z0-9]*PRIVATE KEY(?: BLOCK)?-----(?:.*?-----END[ A-Z0-9]*PRIVATE KEY(?: BLOCK)?-----|(?:\s*[\w-]+: [^\n]*\n)*(?:\s*[A-Za-z0-9+/=]{16,})+(?:\s+[A-Za-z0-9+/]{1,15}={0,2})?)`)},
		{name: "jwt", words: []string{"eyj"},
			re: lazy.Regexp(`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?|\beyJ[\w-]{60,}`)},
		{name: "webhook", words: []string{"hooks.slack.com", "discord", "webhook.office.com"},
			re: lazy.Regexp(`(?i)(?:hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/|webhook\.office\.com/)([\w/@+-]{20,})`)},
		{name: "authorization", words: []string{"authorization"}, group: 2, ok: func(m match) bool { return secretValue(m.value, m.groups[1] != "") },
			re: lazy.Regexp(`(?i)\bauthorization` + quote + `?\s{0,3}[:=,]\s{0,3}` + quote + `?((?:bearer|basic|token|digest|apikey|negotiate|ntlm)\s+)?([^\s"'` + "`" + `,;]{8,})`)},
		{name: "bearer", words: []string{"bearer"}, ok: unsure,
			re: lazy.Regexp(`(?i)\bbearer\s+([\w.~+/=-]{16,})`)},
		{name: "cookie", words: []string{"cookie"}, far: true, ok: func(m match) bool { return hasDigit(m.value) },
			re: lazy.Regexp(`(?i)\b(?:set-)?cookie` + quote + `?:\s*` + quote + `?([\w.-]+=[^\r\n"']{8,})`)},
		{name: "url-password", words: []string{"://"}, ok: func(m match) bool { return !harmless(m.value) && !sameAsUser(m) },
			re: lazy.Regexp(`\b[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@"'<>` + "`" + `]*:([^\s/"'<>` + "`" + `]{2,200})@[\w\[.-]`)},
		{name: "url-password", words: []string{"://"}, ok: func(m match) bool { return !harmless(m.value) && !portAndPath(m.value) && !sameAsUser(m) },
			re: lazy.Regexp(`(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|clickhouse|s?ftp|smtps?|ldaps?)(?:\+\w+)?://[^\s/:@"'<>]*:([^\s"'<>]{2,200})@[\w\[.-]`)},
		{name: "url-password", words: []string{"jdbc:oracle"}, ok: sure,
			re: lazy.Regexp(`\bjdbc:oracle:\w+:[^\s/@]{1,60}/([^\s"'@]{3,200})@`)},
		{name: "url-password", words: []string{"://"}, ok: unsure,
			re: lazy.Regexp(`://([^\s/:@"'<>]{16,200})@[\w\[.-]`)},
		{name: "url-parameter", words: []string{"token=", "key=", "secret=", "signature=", "password=", "passwd=", "auth=", "sig=", "code="}, ok: unsure,
			re: lazy.Regexp(`(?i)[?&;](?:[\w.-]*(?:token|key|secret|signature|password|passwd|auth)|sig|code)=([^&\s"'#<>]{12,})`)},
		{name: "password", words: passWords, group: 5, ok: passwordValue,
			re: lazy.Regexp(`(?i)([\w.-]{0,40}(?:` + passNames + `)[\w-]{0,20})` + quote + `?(\s{0,3})(:=|=>|==?|:)\s{0,3}(` + quote + `?)([^\s"'` + "`" + `<>]{4,200})`)},
		{name: "password", words: []string{"pass", "pw"}, group: 5, ok: passwordValue, may: assigns("pass", "pw"),
			re: lazy.Regexp(`((?:[\w.-]{0,40}[_.-]|\b)(?i:pass|pw)\b|\w{0,40}[a-z](?:Pass|Pw|PW)\b)` + quote + `?(\s{0,3})(:=|=>|==?|:)\s{0,3}(` + quote + `?)([^\s"'` + "`" + `<>]{4,200})`)},
		{name: "password", words: []string{"pass", "secret"}, ok: func(m match) bool { return !harmless(m.value) && !schemaWord(m.value) },
			re: lazy.Regexp(`(?i)<(?:[\w:.-]{0,30}(?:` + passNames + `|secret)[\w:.-]{0,20})(?:\s[^<>]{0,100})?>([^<>\s]{4,200})</`)},
		{name: "password", words: []string{"pass"}, ok: sure,
			re: lazy.Regexp(`(?i)<[^<>]{0,120}name="[^"<>]{0,60}(?:` + passNames + `)"[^<>]{0,40}>([^<>\s]{4,200})</`)},
		{name: "password", words: passWords, ok: func(m match) bool { return sure(m) && !schemaWord(m.value) && !pathLike(m.value) }, // the environment of a container
			re: lazy.Regexp(`(?i)\bname["']?\s*[:=]\s*["']?[\w.-]{0,40}(?:` + passNames + `)["']?,?\s+(?:[+>-]\s*)?["']?value["']?\s*[:=]\s*["']?([^\s"'` + "`" + `<>{}|]{4,200})`)},
		{name: "key-value", words: keyWords, group: 2, ok: keyValue, may: assigns(keyWords...),
			re: lazy.Regexp(`(?i)([\w.-]{0,40}(?:` + keyNames + `)[\w-]{0,20})` + quote + `?\]?\s{0,3}(?::=|=>|==?|:)\s{0,3}` + quote + `?(?:base64:)?([^\s"'` + "`" + `<>]{8,400})`)},
		{name: "key-value", words: []string{"key", "secret", "token"}, ok: unsure, may: holds("</", `key="`),
			re: lazy.Regexp(`(?i)<[\w:.-]{0,30}(?:` + keyNames + `)[\w:.-]{0,20}>([^<>\s]{8,400})</|\bkey="[\w:.-]{0,30}(?:` + keyNames + `)"\s+value="([^"<>\s]{8,400})"`)},
		{name: "password", words: []string{"pass", "pwd", "key", "secret", "token", "credential"}, ok: flagValue,
			re: lazy.Regexp(`(?i)(?:^|[\s"'])--?[\w-]*(?:` + passNames + `|pass(?:in|out)?|` + keyNames + `)[ =]+(?:pass:)?` + quote + `?([^\s"'` + "`" + `]{6,200})`)},
		{name: "password-hash", words: []string{"$", "{sha", "{ssha"},
			re: lazy.Regexp(`\$(?:2[abxy]|[156y]|apr1|argon2(?:id|i|d))\$[^\s"'` + "`" + `:]{16,}|\bpbkdf2_sha\d+\$\d+\$[^\s"'` + "`" + `:]{16,}|\{S?SHA\d*\}[A-Za-z0-9+/=]{20,}`)},
		{name: "cut", words: []string{"…"}, ok: cutToken, re: lazy.Regexp(`([\w+/=-]{8,})(?:\n\[)?…`)},
		{name: "cut", words: []string{"…"}, ok: cutToken, re: lazy.Regexp(`…(?:\]\n)?([\w+/=-]{8,})`)},
		{name: ruleEmail, words: []string{"@"}, personal: true, ok: personalMail,
			re: lazy.Regexp(`(?i)(?:^|[^\w.+:/-])([\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24})\b`)},
		{name: ruleUser, words: []string{"/home/", "/users/"}, personal: true, ok: personalName,
			re: lazy.Regexp(`(?:^|[^\w.-]|/(?:var|export|private|mnt/[a-z])|/[a-z])/(?:home|Users)/([^\s/\\"'` + "`" + `:;,<>|*?()\[\]{}]+)`)},
		{name: ruleUser, words: []string{"users", "settings"}, personal: true, ok: personalName, may: holds(`:\`, ":/"), // John Smith
			re: lazy.Regexp(windowsHome + `([^\\/:*?"'<>|\s]+(?: [^\\/:*?"'<>|\s]+){1,3})[\\/]`)},
		{name: ruleUser, words: []string{"users", "settings"}, personal: true, ok: personalName, may: holds(`:\`, ":/"),
			re: lazy.Regexp(windowsHome + `([^\\/:*?"'<>|\s]+)`)},
		{name: ruleUser, words: []string{"-home-", "-users-"}, personal: true, ok: personalName,
			re: lazy.Regexp(`(?:^|[\s/\\"'` + "`" + `])-(?:home|Users)-([A-Za-z0-9]+)-`)},
	}, slices.Concat(commandRules(), saidRules(), roleRules())...)
}

// sameAsUser reports the password of an example: it is its user's name, or "password".
func sameAsUser(m match) bool {
	user := strings.TrimSuffix(m.before[strings.LastIndexByte(m.before, '/')+1:], ":")
	return strings.EqualFold(m.value, user) || strings.EqualFold(m.value, "password")
}

func sure(m match) bool   { return !harmless(m.value) }
func unsure(m match) bool { return secretValue(m.value, false) }

// keyValue judges the value of something that is called a key, a secret or a token.
func keyValue(m match) bool {
	return !measure().MatchString(m.groups[1]) && (secretValue(m.value, false) || strings.ContainsAny(m.value, strongSigns) && saidMix(m.value))
}

// measure are names of what only counts, describes or points to secrets.
var measure = lazy.Regexp(`(?i)(?:^|[_.-])(?:max|min|num|n|total|count|limit|budget|input|output|cached?|prompt|completion|used)[_-]?(?:tokens?|keys?)$` +
	`|tokeni[sz]|(?:tokens|ttl|count|limit|length|len|size|name|type|id|url|uri|path|file|field|usage|used|budget|header|endpoint|format|version|manager|expiry|expires(?:_?(?:in|at))?)$`)

// realKey keeps prefixed keys apart from names that only begin like one
// (sk-learn-pipeline-builder, pypi-publish-workflow).
func realKey(m match) bool {
	if harmless(m.value) {
		return false
	}
	if hasDigit(strings.TrimLeft(m.value, "abcdefghijklmnopqrstuvwxyz_")) && (!wordy(m.value) || uuidish().MatchString(m.value)) {
		return true
	}
	// A key may happen to be of letters alone; no name mixes them like this.
	_, body, ok := cutLast(m.value, "_")
	return ok && len(body) >= 20 && (jumps(body) >= 0.3 || strings.HasPrefix(m.value[1:], "k_"))
}

// passwordValue judges the value of something that is called a password: name,
// blanks, sign, quote and value of an assignment.
func passwordValue(m match) bool {
	name, blank, sign, quoted, value := m.groups[1], m.groups[2], m.groups[3], m.groups[4] != "", m.value
	if measure().MatchString(name) || harmless(value) || pathLike(value) {
		return false
	}
	value = strings.TrimRight(value, ".,;)}]!?|")
	if len(value) < 4 || !quoted && codeLike(value) {
		return false
	}
	if !onlyLetters(value) {
		return (len(value) >= 6 || quoted) && !number().MatchString(value)
	}
	// A word may be a password or a type, a hint, a variable. It counts where values
	// are written and prose is not (PASSWORD=word, password="word"), and behind a colon
	// where nothing follows it.
	if len(value) < 6 || schemaWord(value) {
		return false
	}
	return quoted || sign == "=" && blank == "" || sign == ":" && ends(m.after) && !aboutPasswords(value)
}

// schemaWord reports a word that stands behind "password:" in schemas and forms.
func schemaWord(word string) bool {
	low := strings.ToLower(word)
	return onlyLetters(word) && (strings.Contains(low, "pass") || strings.Contains(low, "secret") || plainWords()[low])
}

var plainWords = lazySet(`string number boolean required optional undefined hidden invalid missing redacted please default prompt disabled enabled
	secretstr varchar unknown bytes value values valor wert input inputs prompted data body form props config settings options object function return
	existing current changed random generated generate changeme plaintext encrypted hashed vault keyring keychain environment pflichtfeld nombre`)

// flagValue judges what follows a flag such as --password.
func flagValue(m match) bool {
	return !strings.HasPrefix(m.value, "-") && (secretValue(m.value, false) || saidMix(m.value))
}

func lazySet(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, w := range strings.Fields(list) {
			set[w] = true
		}
		return set
	})
}

func portAndPath(s string) bool {
	i := strings.IndexByte(s, '/')
	return i > 0 && i <= 5 && strings.Trim(s[:i], "0123456789") == ""
}

// cutToken judges what is left of a token at a place where text was cut. Half a
// secret has no shape to be known by, so here anything goes that is not plain.
func cutToken(m match) bool {
	return hasDigit(m.value) && hasLetter(m.value) && !wordy(m.value) && !hexOnly().MatchString(m.value) && !uuidPart().MatchString(m.value)
}

// remote is a command before an address that is a login on a machine.
var remote = lazy.Regexp(`\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs|autossh)\b[^\n]{0,120}$`)

// personalMail leaves the addresses of nobody: examples, robots, SSH remotes.
func personalMail(m match) bool {
	if remote().MatchString(m.before) {
		return false
	}
	name, host, _ := strings.Cut(strings.ToLower(m.value), "@")
	switch name {
	case "git", "noreply", "no-reply", "user", "hg", "svn":
		return false
	}
	_, ending, _ := cutLast(host, ".")
	switch ending {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "internal", "lan", "local", "localhost", "invalid", "test", "example":
		return false
	}
	base, _, _ := strings.Cut(host, ".")
	return base != "example" && !strings.Contains(host, ".example.") && !strings.HasSuffix(host, "noreply.github.com")
}

// personalName leaves the home folders that say nothing about a person.
func personalName(m match) bool {
	name := strings.Trim(strings.ToLower(m.value), `/\.`)
	switch name {
	case "", "user", "username", "you", "me", "name", "yourname", "your-name", "your_name", "someone", "myuser",
		"runner", "root", "ubuntu", "debian", "ec2-user", "vagrant", "vscode", "node", "app", "dev", "build", "builder",
		"circleci", "codespace", "linuxbrew", "shared", "public", "default", "all users", "runneradmin", "containeradministrator", "~", "…":
		return false
	}
	return !harmless(name)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
