package redact

import (
	"regexp"
	"strings"

	"learnings/lessons"
)

// This file judges a word by its role and not by its form: in a sentence or call about access,
// as an argument of a program that logs in, or beside the name of a key. There, a word that
// nobody would write otherwise is a secret; see peopleChoose and generated.

// A role is a place for secrets.
type role struct {
	cue          *regexp.Regexp // what marks the place
	not          *regexp.Regexp // a cue that says something else; nil for none
	before, near int            // the number of words examined before and after a cue
	secret       func(word string) bool
	quoted       bool // only words between quotation marks
	said         bool // a word without the signs of passwords needs something that leads to it
}

// roleRules returns the rules of this file.
func roleRules() []rule {
	access := &role{near: 8, before: 5, secret: peopleChoose, said: true, cue: regexp.MustCompile(`(?:` + passSaid + `)|` +
		`(?i:\blog(?:ged|ging)?[ -]?(?:in|on)\b|\bsign(?:ed|ing)?[ -]?in\b|\bcred(?:ential)?s?\b|\bwpa[23]?\b|\bssid\b|\bwlan\b|\bwi-?fi\b|\b(?:pre-?shared|wpa[_-]?psk|psk)\b|\bpin code\b|\bbasic[ _-]?auth\b|\b(?:smtp|imap|ftp)s?\b|\buse [\w.-]{2,20} ?/|\b(?:admin|root|administrator|postgres)\s?[/:]|\b(?:admin|root|service) account\b|\bunlocks? with\b|\bvpn\b|\bmelde\b.{0,30}\b(?:mit|als)\b|\banmeld(?:en|ung)\b|\bzugangsdaten\b|\busuario\b|\bentra con\b|\bidentifiant\b|\bconnecte-toi\b|\butente\b|\bgebruiker\b)|логин|[Зз]айди под|пользователь`)}
	calls := &role{near: 10, secret: peopleChoose, quoted: true,
		cue: regexp.MustCompile(`(?i)\b\w*(?:auth|connect|login|log_in|signin|sign_in|credentials?|identified by)\w*["']?\s*[=:]?\s*[([]`)}
	keys := &role{near: 7, before: 5, secret: generated,
		cue: regexp.MustCompile(`(?i)\b(?:[\w-]*[_-])?(?:api|sdk|app|admin|access|license|hmac|signing|encryption|shared)?[ _-]?(?:keys?|tokens?|secrets?|hmac|authorization)\b|(?:^|[\s"'$\x60])[\w.-]+ (?:auth|login) `),
		not: otherKey()}
	logins := &role{near: 24, secret: func(w string) bool { return peopleChoose(w) || generated(w) }, cue: loginProgram()}
	return []rule{
		{name: "password", words: append([]string{"login", "log in", "log on", "logged in", "logging in", "sign in", "signed in", "signin", "creds", "credential", "wpa", "ssid", "wlan", "wifi", "wi-fi", "psk", "preshared", "pre-shared", "pin code", "basic", "smtp", "imap", "ftp", "use ", "admin", "root", "postgres", "account", "unlock", "vpn", "melde", "anmeld", "zugangsdaten", "usuario", "entra con", "identifiant", "connecte-toi", "utente", "gebruiker", "логин", "айди под", "пользователь"}, saidWords...), look: access.find},
		{name: "password", words: []string{"auth", "connect", "login", "log_in", "signin", "sign_in", "credential", "identified by"}, look: calls.find},
		{name: "key-value", words: []string{"key", "token", "secret", "hmac", "authorization", " auth ", " login "}, look: keys.find},
		{name: "password", words: loginWords, wide: true, look: logins.find},
	}
}

// loginWords are programs and commands that take credentials. All others are judged by
// their flags and the words around them.
var loginWords = []string{"chpasswd", "sshpass", "lftp", "smbclient", "rdesktop", "xfreerdp", "psexec", "cqlsh", "bcp ", "sqlplus", "ipmitool", "rabbitmqctl", "kinit", "signtool", "jarsigner", "keytool",
	"bw login", "bw unlock", "op signin", "secret-tool", "pass insert", "wpa_passphrase", "nmcli", "expect -c", "wandb login", "gh secret", "fly secrets", "flyctl secrets", "wrangler secret", "vercel env", "supabase secrets",
	"heroku config:set", "doppler secrets", "nats ", "mosquitto_", "sqlcmd", "net use", "runas", "vncpasswd", "cryptsetup", "openssl", "ssh-keygen", "redis-cli", "mongosh", "zip -p", "sudo -s", "ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami", "dsconf", "mount.cifs", "isql", "tsql", "winexe", "evil-winrm", "impacket-", "pdbedit", "smbpasswd", "snmp", "<<<", "restic", "borg", "ncftp", "imapsync", "enable secret", "privilege 15 secret"}

// loginProgram matches one of loginWords as a whole word.
func loginProgram() *regexp.Regexp {
	all := make([]string, len(loginWords))
	for i, w := range loginWords {
		all[i] = regexp.QuoteMeta(strings.TrimSpace(w))
	}
	return regexp.MustCompile(`(?i)(?:^|[^\w./<-]|/)(?:` + strings.Join(all, "|") + `)`)
}

// otherKey matches keys and tokens that open nothing.
var otherKey = lessons.LazyRegexp(`(?i)\b(?:primary|foreign|cache|partition|sort|public|object|composite|unique|map|dict|idempotency|row|lookup|routing|kms|deploy|continuation|page|next|cancellation)[ _-]?(?:keys?|tokens?)\b|\b(?:keys?|tokens?|secrets?)[ _-]?(?:ids?|arn|name|count|version|fingerprint|checksum|hash)\b`)

// find returns the words of a text that are secrets by their role.
func (r *role) find(text string) (out []span) {
	at := 0
	for line := range strings.Lines(text) {
		words := roleWords(line, func(w string) bool { return len(w) >= minSecret && hasDigit(w) && hasLetter(w) && r.secret(w) })
		if len(words) > 0 { // most lines have none, and that is quick to see
			cues := r.cue.FindAllStringIndex(line, -1)
			if r.not != nil && cues != nil {
				plain := r.not.ReplaceAllStringFunc(line, func(s string) string { return strings.Repeat(" ", len(s)) })
				cues = r.cue.FindAllStringIndex(plain, -1)
			}
			for _, w := range words {
				if r.stands(line, cues, w) {
					out = append(out, span{from: at + w.from, to: at + w.to})
				}
			}
		}
		at += len(line)
	}
	return out
}

// stands reports whether a word is in a place for a secret.
func (r *role) stands(line string, cues [][]int, w span) bool {
	return (!r.quoted || w.quoted(line)) && (!r.said || strings.ContainsAny(line[w.from:w.to], strongSigns) || led(line, cues, w)) && r.among(line, cues, w)
}

// led reports whether a word follows a cue, directly or after what leads to it: "is",
// "use", an arrow, a quotation mark, a word of another script.
func led(line string, cues [][]int, w span) bool {
	before := strings.TrimRight(line[:w.from], " *_(\"'`[=")
	if before == "" || len(before) < w.from && strings.TrimLeft(line[len(before):w.from], " ") != "" || before[len(before)-1] >= 0x80 {
		return true
	}
	for _, c := range cues {
		if behind := line[min(c[1], w.from):w.from]; c[1] <= w.from && (c[1] >= len(before) || strings.HasPrefix(behind, ":") && fewWords(behind[1:], 1)) {
			return true
		}
	}
	return leads().MatchString(before)
}

var leads = lessons.LazyRegexp(`(?i)(?:[:=>/,]|\b(?:is|was|are|es|ist|heißt|heisst|lautet|est|era|use|try|type|enter|and|or|old|new|now|key|code|called|y|und|et|e|mit|avec|con|with|to|als|as|did|was|are|от|под|паролем|с))$`)

// among reports whether a word is near a cue in the same sentence.
func (r *role) among(line string, cues [][]int, w span) bool {
	for _, c := range cues {
		switch {
		case w.from >= c[1] && (r.quoted && w.from-c[1] < 80 || fewWords(line[c[1]:w.from], r.near)), w.to <= c[0] && r.before > 0 && fewWords(line[w.to:c[0]], r.before) && calledSo().MatchString(line[w.to:c[0]]):
			return true
		}
	}
	return false
}

// calledSo joins a word and the cue behind it: "is the key", "to log in".
var calledSo = lessons.LazyRegexp(`(?i)^["'` + "`" + `*)]*(?:\s+(?:\w+\s+)?|,\s*(?:that|which|this|it)(?:\s+|.))(?:is|s|was|as|to|for|when|into)\b`)

// fewWords reports whether the text between a cue and a word has at most most words and
// no end of a sentence.
func fewWords(s string, most int) bool {
	return len(s) <= 12*most && len(strings.Fields(s)) <= most && !sentenceBreak().MatchString(s)
}

// sentenceBreak also matches the start of the next field of a record.
var sentenceBreak = lessons.LazyRegexp(`"\s*,\s*"|,\s*"\w+"\s*:|[.!?]\s|[。！？|]|\s&&\s|;\s`)

// roleWords returns the words of a line that may be secrets, without surrounding
// punctuation, including the parts of pairs such as bob:word, bob,word and KEY=word.
func roleWords(line string, may func(w string) bool) (out []span) {
	for i := 0; i < len(line); {
		if !wordSign(line[i]) {
			i++
			continue
		}
		from := i
		for i < len(line) && wordSign(line[i]) {
			i++
		}
		to := i
		for to > from && strings.IndexByte(".:?", line[to-1]) >= 0 {
			to--
		}
		w := line[from:to]
		if len(w) < minSecret || !hasDigit(w) {
			continue
		}
		if p := pair().FindStringSubmatchIndex(w); p != nil {
			from, to = from+p[2], from+p[3]
		}
		if may(line[from:to]) {
			out = append(out, span{from: from, to: to})
		}
	}
	return out
}

// pair matches a name and its value; in scott/word@host the value is the word.
var pair = lessons.LazyRegexp(`^/?[\w.-]{1,40}(?:[:=%]|/)([^@/:]+)(?:@[\w.:-]+)?$`)

// wordSign reports whether a byte may be part of a password or key.
func wordSign(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte("\"'`,()[]{}<>|\\;", c) < 0
}

func (a span) quoted(line string) bool {
	return a.from > 0 && a.to < len(line) && line[a.from-1] == line[a.to] && strings.IndexByte("\"'`", line[a.to]) >= 0
}

// peopleChoose reports whether people would choose a word as a password and hardly
// write it otherwise.
func peopleChoose(w string) bool {
	return len(w) <= 64 && (saidMix(w) || counted().MatchString(w)) && !date().MatchString(w) && !atHost().MatchString(w) && !numbered().MatchString(w) && !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "/") && (!hexOnly().MatchString(w) || counted().MatchString(w)) &&
		!version().MatchString(w) && !dotted().MatchString(w) && !strings.Contains(w, "::") && !strings.Contains(w, "://") && !uuidish().MatchString(w)
}

var (
	// counted are a short word and so many digits that they count nothing: abc12345.
	counted = lessons.LazyRegexp(`^[a-zA-Z][a-z]{2,}\d{5,9}$`)
	atHost  = lessons.LazyRegexp(`^[a-z][\w.+-]+@[a-z0-9][a-z0-9.-]*$`)
	dotted  = lessons.LazyRegexp(`(?i)(?:^|\.)v\d+(?:\.|$)|\.(?:go|py|ts|tsx|js|rs|md|json|ya?ml|toml|jks|pem|crt|key|pfx|exe|sh|txt)$`)
	// numbered are words that are counted: field1, step-12, v2-beta3, db01, PROJ-123.
	numbered = lessons.LazyRegexp(`^(?:[a-z]+\d|[a-z]+V\d+|[A-Z]{2,10}-\d+|[a-z]+-\d+|[a-z]{1,5}\d{1,3}|[A-Z]+\d{1,3}|\d+(?:px|em|ms|min|kb|mb|gb|st|nd|rd|th|x|h|s|m|d)|#\d+|\w+\(\)?|\d[\d:.,-]*\w?)$`)
)

// generated reports whether a word looks like a key that a machine made: long,
// hexadecimal or of mixed letters and digits.
func generated(w string) bool {
	w = strings.TrimRight(w, "!*")
	switch {
	case len(w) < 20 || harmless(w) || w[0] == '?' || !hasDigit(w) || sumToken().MatchString(w) || ulid().MatchString(w) || recordID().MatchString(w) || publicBase64().MatchString(w) || notSecretPrefix().MatchString(w):
		return false
	case number().MatchString(w), date().MatchString(w):
		return false
	case hexOnly().MatchString(w):
		return len(w) >= 32
	case uuidish().MatchString(w):
		return true
	}
	return len(w) >= 20 && !wordy(w) && !pathLike(w) && !codeLike(w) && random(w)
}

var date = lessons.LazyRegexp(`^\d{4}-\d\d-\d\d`)

// notSecretPrefix matches the beginning of a word that calls itself an id or checksum.
var notSecretPrefix = lessons.LazyRegexp(`(?i)^(?:sha\d*|md5|commit|rev|etag|id|hash|build|layer|git|trace|span|chunk|digest|blob|object|image|node|test|tmp|uuid|snap|ref|cache|file|sess|session|req|request|msg|run|job|evt|event|org|usr|user|acct|cus|v\d+)[_:-]`)

// prefixed is a long hexadecimal number, or a number and a random word, behind a short
// word: sqp_…, pk_12345678_…. It is no checksum: these say what they are of.
var prefixed = lessons.LazyRegexp(`^[a-z][a-z0-9]{1,9}_(?:[0-9a-f]{32,128}|\d{6,12}_[A-Za-z0-9]{20,80})$`)

// issued reports whether a service issued a token, by its form.
func issued(token string) bool {
	return prefixed().MatchString(token) && !notSecretPrefix().MatchString(token)
}
