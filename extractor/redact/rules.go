package redact

import (
	"regexp"
	"strings"
	"sync"

	"learnings/lessons/lazy"
)

// A hint is something cheap to see in a text without which a rule cannot match.
type hint uint

const (
	hintWord   hint = 1 << iota // a word such as password, token or key
	hintAssign                  // = or :
	hintURL                     // ://
	hintAt                      // @
	hintHome                    // a folder of users
	hintLong                    // a run of minToken characters that a token is made of
	hintDigit
	hintBegin // of a key block
	hintHash  // $
	hintFlagP // -p
	hintCut   // … where something was left out
)

// secretWords are what a secret is called, as parts of lower-case words.
var secretWords = []string{"pass", "secret", "token", "key", "pwd", "credential", "auth", "bearer", "cookie", "sig"}

func hintsOf(s string) hint {
	var h hint
	run := 0
	for i := range len(s) {
		c := s[i]
		if tokenChar(c) {
			if run++; run == minToken {
				h |= hintLong
			}
			if c >= '0' && c <= '9' {
				h |= hintDigit
			}
			if c == '=' {
				h |= hintAssign
			}
			if c == '-' && i+1 < len(s) && s[i+1] == 'p' {
				h |= hintFlagP
			}
			continue
		}
		run = 0
		switch c {
		case ':':
			h |= hintAssign
			if strings.HasPrefix(s[i:], "://") {
				h |= hintURL
			}
		case '@':
			h |= hintAt
		case '$':
			h |= hintHash
		}
	}
	if strings.Contains(s, "home") || strings.Contains(s, "sers") || strings.Contains(s, "SERS") || strings.Contains(s, "ettings") {
		h |= hintHome
	}
	if strings.Contains(s, "…") {
		h |= hintCut
	}
	if strings.Contains(s, "-----BEGIN") {
		h |= hintBegin
	}
	low := strings.ToLower(s)
	for _, w := range secretWords {
		if strings.Contains(low, w) {
			return h | hintWord
		}
	}
	return h
}

// A rule is a pattern and what its match must be to count.
type rule struct {
	name     string
	needs    hint
	personal bool // gives way to secrets
	re       *regexp.Regexp
	group    int // of the pattern, that is taken out
	ok       func(m match) bool
}

// A match gives the groups of one match of a rule.
type match []string

func (r *rule) find(s string) []span {
	var out []span
	for _, at := range r.re.FindAllStringSubmatchIndex(s, -1) {
		from, to := at[2*r.group], at[2*r.group+1]
		if from < 0 || from == to {
			continue
		}
		m := make(match, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = s[at[2*i]:at[2*i+1]]
			}
		}
		if r.ok == nil || r.ok(m) {
			out = append(out, span{from, to, r.name})
		}
	}
	return out
}

// Parts of patterns.
const (
	quote = "[\"'`]"
	// passNames are names of what is a secret in whatever shape.
	passNames   = `passw(?:or)?d|passphrase|passcode|pwd`
	windowsHome = `(?i)\b[a-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4}`
	keyNames    = `api[_-]?key|secret|token|credentials?|(?:access|account|auth|encryption|master|private|service|session|shared[_-]?access|signing|storage)[_-]?key`
)

// ownRules are the rules that gitleaks lacks or has only for some places, the
// surest first. They are compiled when first needed: that takes a millisecond
// or two, which a hook would feel.
var ownRules = sync.OnceValue(func() []rule {
	re := regexp.MustCompile
	return []rule{
		{name: "private-key", needs: hintBegin,
			re: re(`(?s)-----BEGIN[ A-Z0-9]*PRIVATE KEY(?: BLOCK)?-----(?:.*?-----END[ A-Z0-9]*PRIVATE KEY(?: BLOCK)?-----|(?:\s*[\w-]+: [^\n]*\n)*(?:\s*[A-Za-z0-9+/=]{16,})+(?:\s+[A-Za-z0-9+/]{1,15}={0,2})?)`)},
		{name: "cloud-key", needs: hintDigit, group: 1, ok: realKey,
			re: re(`(?:^|[^A-Za-z0-9])(` + cloudKeys + `)`)},
		{name: "jwt", needs: hintDigit,
			re: re(`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?|\beyJ[\w-]{60,}`)},
		{name: "webhook", needs: hintURL, group: 1,
			re: re(`(?i)(?:hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/|webhook\.office\.com/)([\w/@+-]{20,})`)},
		{name: "authorization", needs: hintWord, group: 2, ok: func(m match) bool { return secretValue(m[2], m[1] != "") },
			re: re(`(?i)\bauthorization` + quote + `?\s{0,3}[:=,]\s{0,3}` + quote + `?((?:bearer|basic|token|digest|apikey|negotiate|ntlm)\s+)?([^\s"'` + "`" + `,;]{8,})`)},
		{name: "bearer", needs: hintWord, group: 1, ok: func(m match) bool { return secretValue(m[1], false) },
			re: re(`(?i)\bbearer\s+([\w.~+/=-]{16,})`)},
		{name: "cookie", needs: hintWord | hintAssign, group: 1, ok: func(m match) bool { return hasDigit(m[1]) },
			re: re(`(?i)\b(?:set-)?cookie` + quote + `?:\s*` + quote + `?([\w.-]+=[^\r\n"']{8,})`)},
		{name: "url-password", needs: hintURL | hintAt, group: 1, ok: func(m match) bool { return !harmless(m[1]) },
			re: re(`\b[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@"'<>` + "`" + `]*:([^\s/"'<>` + "`" + `]{2,200})@[\w\[.-]`)},
		{name: "url-password", needs: hintURL | hintAt, group: 1, ok: func(m match) bool { return !harmless(m[1]) && !portAndPath(m[1]) },
			re: re(`(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|clickhouse|s?ftp|smtps?|ldaps?)(?:\+\w+)?://[^\s/:@"'<>]*:([^\s"'<>]{2,200})@[\w\[.-]`)},
		{name: "url-password", needs: hintURL | hintAt, group: 1, ok: func(m match) bool { return secretValue(m[1], false) },
			re: re(`://([^\s/:@"'<>]{16,200})@[\w\[.-]`)},
		{name: "url-parameter", needs: hintWord | hintAssign | hintDigit, group: 1, ok: func(m match) bool { return secretValue(m[1], false) },
			re: re(`(?i)[?&;](?:[\w.-]*(?:token|key|secret|signature|password|passwd|auth)|sig|code)=([^&\s"'#<>]{12,})`)},
		{name: "password", needs: hintWord | hintAssign, group: 5, ok: passwordValue,
			re: re(`(?i)([\w.-]{0,40}(?:` + passNames + `)[\w-]{0,20})` + quote + `?(\s{0,3})(:=|=>|==?|:)\s{0,3}(` + quote + `?)([^\s"'` + "`" + `<>]{4,200})`)},
		{name: "key-value", needs: hintWord | hintAssign, group: 2, ok: func(m match) bool { return !measure().MatchString(m[1]) && secretValue(m[2], false) },
			re: re(`(?i)([\w.-]{0,40}(?:` + keyNames + `)[\w-]{0,20})` + quote + `?\]?\s{0,3}(?::=|=>|==?|:)\s{0,3}` + quote + `?([^\s"'` + "`" + `<>]{8,400})`)},
		{name: "password", needs: hintWord | hintDigit, group: 1, ok: func(m match) bool { return secretValue(m[1], false) },
			re: re(`(?i)\b(?:` + passNames + `|api[ _-]?key|access[ _-]?key|secret(?:[ _-]?key)?|token|credentials?)(?:\s+(?:for|of|to|on)\s+\S+){0,2}\s+(?:is|was|are|set to|should be|now)\s*:?\s+` + quote + `?([^\s"'` + "`" + `]{6,200})`)},
		{name: "password", needs: hintWord, group: 1, ok: func(m match) bool { return secretValue(m[1], false) },
			re: re(`(?i)(?:^|[\s"'])--?[\w-]*(?:` + passNames + `|pass|` + keyNames + `)[ =]+` + quote + `?([^\s"'` + "`" + `]{6,200})`)},
		{name: "password", needs: hintFlagP, group: 1, ok: func(m match) bool { return !harmless(m[1]) },
			re: re(`\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^\n|;&]{0,200}?\s-p` + quote + `?([^\s"']{4,200})`)},
		{name: "password", needs: hintFlagP, group: 1, ok: func(m match) bool { return !harmless(m[1]) },
			re: re(`\bsshpass\s+-p\s*` + quote + `?([^\s"']{3,200})`)},
		{name: "password-hash", needs: hintHash,
			re: re(`\$(?:2[abxy]|[156y]|argon2(?:id|i|d))\$[^\s"'` + "`" + `:]{20,}`)},
		{name: "cut", needs: hintCut | hintDigit, group: 1, ok: cutToken,
			re: re(`([\w+/=-]{8,})(?:\n\[)?…`)},
		{name: "cut", needs: hintCut | hintDigit, group: 1, ok: cutToken,
			re: re(`…(?:\]\n)?([\w+/=-]{8,})`)},
		{name: ruleEmail, needs: hintAt, personal: true, group: 1, ok: personalMail,
			re: re(`(?i)(?:^|[^\w.+:/-])([\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24})\b`)},
		{name: ruleUser, needs: hintHome, personal: true, group: 1, ok: personalName,
			re: re(`(?:^|[^\w.-]|/(?:var|export|private|mnt/[a-z])|/[a-z])/(?:home|Users)/([^\s/\\"'` + "`" + `:;,<>|*?()\[\]{}]+)`)},
		{name: ruleUser, needs: hintHome, personal: true, group: 1, ok: personalName, // John Smith
			re: re(windowsHome + `([^\\/:*?"'<>|\s]+(?: [^\\/:*?"'<>|\s]+){1,3})[\\/]`)},
		{name: ruleUser, needs: hintHome, personal: true, group: 1, ok: personalName,
			re: re(windowsHome + `([^\\/:*?"'<>|\s]+)`)},
		{name: ruleUser, needs: hintHome, personal: true, group: 1, ok: personalName,
			re: re(`(?:^|[\s/\\"'` + "`" + `])-(?:home|Users)-([A-Za-z0-9]+)-`)},
	}
})

// cloudKeys are the shapes of keys that say what they are. They are looser than
// gitleaks', because a quote may have been cut.
const cloudKeys = `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b|AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1//0[\w-]{30,}` +
	`|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|gl(?:pat|ptt|dt|rt|cbt|ft|soat|imt|agent)-[\w.-]{16,}` +
	`|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|[srp]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[\w+/=]{16,}|SG\.[\w-]{10,}\.[\w-]{10,}` +
	`|npm_[A-Za-z0-9]{30,}|pypi-[\w-]{20,}|rubygems_[a-f0-9]{20,}|hf_[A-Za-z0-9]{20,}|sk-[\w-]{20,}|xai-[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}` +
	`|pplx-[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}|nvapi-[\w-]{20,}|lsv2_(?:pt|sk)_\w{20,}|tvly-[\w-]{16,}|fc-[a-f0-9]{32}` +
	`|do[opr]_v1_[a-f0-9]{20,}|hv[sbr]\.[\w-]{20,}|dapi[a-f0-9]{32}|lin_(?:api|oauth)_[A-Za-z0-9]{16,}|ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{30,}` +
	`|sbp_[a-f0-9]{20,}|sb_secret_[\w-]{16,}|dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.]{20,}|HRKU-[\w-]{20,}|fo1_[\w-]{20,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{20,}` +
	`|glsa_\w{20,}|glc_[\w+/=]{20,}|tskey-[\w-]{16,}|dckr_[op]at_[\w-]{16,}|ATATT3[\w=-]{20,}|figd_[\w-]{16,}|sntry[su]_[\w+/=-]{20,}` +
	`|sq0[a-z]{3}-[\w-]{16,}|EAA[A-Za-z0-9]{40,}|PMAK-[a-f0-9]{20,}-[a-f0-9]{20,}|nfp_[A-Za-z0-9]{20,}|pscale_(?:tkn|pw|oauth)_[\w.-]{20,}` +
	`|AGE-SECRET-KEY-1[A-Z0-9]{20,}|ops_eyJ[\w=-]{20,}|ph[cx]_[A-Za-z0-9]{20,}|key-[a-f0-9]{32}|SK[a-f0-9]{32}\b|\d{8,10}:AA[\w-]{30,}` +
	`|[MNO][A-Za-z0-9]{23,27}\.[\w-]{6}\.[\w-]{27,}`

// measure are names of what only counts, describes or points to secrets.
var measure = lazy.Regexp(`(?i)(?:^|[_.-])(?:max|min|num|n|total|count|limit|budget|input|output|cached?|prompt|completion|used)[_-]?(?:tokens?|keys?)$` +
	`|(?:tokens|ttl|count|limit|length|len|size|name|type|id|url|uri|path|file|field|usage|used|budget|header|endpoint|format|version|manager|expiry|expires(?:_?(?:in|at))?)$`)

// realKey keeps prefixed keys apart from names that only begin like one
// (sk-learn-pipeline-builder, pypi-publish-workflow).
func realKey(m match) bool { return !harmless(m[1]) && hasDigit(m[1]) && !wordy(m[1]) }

// passwordValue judges the value of something that is called a password: name,
// blanks, sign, quote and value of an assignment.
func passwordValue(m match) bool {
	name, blank, sign, quoted, value := m[1], m[2], m[3], m[4] != "", m[5]
	if measure().MatchString(name) || harmless(value) || pathLike(value) {
		return false
	}
	value = strings.TrimRight(value, ".,;)}]")
	if len(value) < 4 || !quoted && codeLike(value) {
		return false
	}
	if !onlyLetters(value) {
		return len(value) >= 6 || quoted
	}
	// A word may be a password or a type, a hint, a variable. It counts where
	// values are written and prose is not: PASSWORD=word, password="word".
	low := strings.ToLower(value)
	if len(value) < 6 || strings.Contains(low, "pass") || strings.Contains(low, "secret") || plainWords[low] {
		return false
	}
	return quoted || sign == "=" && blank == "" && name == strings.ToUpper(name)
}

// plainWords stand behind "password:" in schemas and forms.
var plainWords = map[string]bool{
	"string": true, "number": true, "boolean": true, "required": true, "optional": true, "undefined": true, "hidden": true,
	"invalid": true, "missing": true, "redacted": true, "please": true, "default": true, "prompt": true, "disabled": true, "enabled": true,
}

func portAndPath(s string) bool {
	i := strings.IndexByte(s, '/')
	return i > 0 && i <= 5 && strings.Trim(s[:i], "0123456789") == ""
}

// cutToken judges what is left of a token at a place where text was cut. Half a
// secret has no shape to be known by, so here anything goes that is not plain.
func cutToken(m match) bool {
	return hasDigit(m[1]) && hasLetter(m[1]) && !wordy(m[1]) && !hexOnly().MatchString(m[1]) && !uuidPart().MatchString(m[1])
}

// personalMail leaves the addresses of nobody: examples, robots, SSH remotes.
func personalMail(m match) bool {
	name, host, _ := strings.Cut(strings.ToLower(m[1]), "@")
	switch name {
	case "git", "noreply", "no-reply", "user", "hg", "svn":
		return false
	}
	_, ending, _ := cutLast(host, ".")
	switch ending {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "local", "localhost", "invalid", "test", "example":
		return false
	}
	base, _, _ := strings.Cut(host, ".")
	return base != "example" && !strings.Contains(host, ".example.") && !strings.HasSuffix(host, "noreply.github.com")
}

// personalName leaves the home folders that say nothing about a person.
func personalName(m match) bool {
	name := strings.Trim(strings.ToLower(m[1]), `/\.`)
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
