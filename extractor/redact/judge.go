package redact

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"learnings/lessons"
)

// This file judges a word by what it is made of and by where it stands, whatever the program,
// the service or the language: how odd the word is, which words about access are in its
// sentence, and whether values stand where it does. The more usual a word is, the more has to
// speak for it.

// A form is what a word is made of.
type form int

const (
	plain  form = iota // nothing odd
	codes              // digits, or groups of letters and digits
	likely             // as people make up passwords: a word with digits
	made               // as machines make keys, and checksums and ids
	odd                // letters, digits and signs as in no name and no code
)

// need is how much has to speak for a word of a form.
var need = [...]int{codes: 3, likely: 3, made: 2, odd: 3}

// judged returns the words of a text that are secrets, or with doubt those that may be.
func judged(s string, doubt bool) (out []span) {
	at, one, two := 0, 0, 0 // the beginnings of a line and of the two before it
	for l := range strings.Lines(s) {
		c := context{line: l, above: s[two:at]}
		var last span // the last secret, and its form
		var lastForm form
		for _, w := range roleWords(l) {
			f, word := plain, l[w.from:w.to]
			if strings.ContainsAny(word, strongSigns) || doubt || (len(word) >= minSecret && hasLetter(word) || codeForm().MatchString(word)) && (c.speaks() || w.to < len(l) && l[w.to] == '@') {
				f = formOf(word)
			}
			if f == plain {
				continue
			}
			listed := f == lastForm && w.from-last.to < len(", and ``  ")
			if n := c.evidence(w, f); n >= need[f] || listed || doubt && (f == odd || f == made && n >= 0 || f == likely && n == need[f]-1) {
				out = append(out, span{at + w.from, at + w.to, "password"})
				last, lastForm = w, f
			}
		}
		at, one, two = at+len(l), at, one
	}
	return out
}

// formOf tells the form of a word.
func formOf(w string) form {
	digit, letter := hasDigit(w), hasLetter(w)
	switch {
	case !digit:
		return plain
	case codeForm().MatchString(w):
		return codes
	case !letter:
		return plain
	case generated(w) || base32Form().MatchString(w) && entropy(w) > 3:
		return made
	case len(w) > 32 || !peopleChoose(w) || notSecretPrefix().MatchString(w) || operators().MatchString(w) || namedSo().MatchString(w):
		return plain
	case strange(w):
		return odd
	}
	return likely
}

var (
	codeForm   = lessons.LazyRegexp(`^(?:\d{4,8}|(?:[a-z0-9]{4,6}-)+[a-z0-9]{4,6})$`)
	namedSo    = lessons.LazyRegexp(`^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)+\d{1,3}$`) // AuthService2
	base32Form = lessons.LazyRegexp(`^[A-Z2-7]{16,64}$`)
	// operators are signs as code, addresses and Markdown have them.
	operators = lessons.LazyRegexp(`^#[0-9A-Fa-f]{3,8}\W?$|^[\w.-]+#L?\d+\W?$|%[0-9A-F]{2}|@\^?v?\d|[!=<>]=|\.[*+]|[?&]\w+=|&&|\$[\w{(]+[/:.]|^@`)
	// substituted are signs in the place of letters.
	substituted = lessons.LazyRegexp(`[a-z][@!$][a-z$]|[A-Z][@!$][a-z]`)
)

// strange reports a word with signs as in no name and no code: between them is more than
// words and numbers, or they stand for letters.
func strange(w string) bool {
	w = strings.Trim(w, "*_^~.,;:!?")
	if !strings.ContainsAny(w, strongSigns) || strings.ContainsAny(w, "/:=") {
		return false
	}
	pieces := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(strongSigns, r) })
	return len(pieces) > 2 && strings.Count(w, "*") == 0 || substituted().MatchString(w) || slices.ContainsFunc(pieces, func(p string) bool { return hasDigit(p) && hasLetter(p) && !wordy(p) })
}

// A context is a line of text, in which words stand.
type context struct {
	line  string
	above string // the two lines before it
	known bool
	cue   bool
}

// speaks reports whether a line has a word about access.
func (c *context) speaks() bool {
	if !c.known {
		n := weigh(c.line)
		c.known, c.cue = true, n.name+n.access > 0 || weigh(c.above).name > 0 || strings.Contains(c.line, "<<<") || strings.Contains(c.line, " / ") || strings.Contains(c.line, " as ")
	}
	return c.cue
}

// Bounds of the sentence around a word.
const (
	seenBefore = 110
	seenAfter  = 60
)

// evidence counts what speaks for a word: a name of secrets 2, other words about access up
// to 2, and a place of values up to 2. Words about hashes, ids and the like count against it.
func (c *context) evidence(w span, f form) int {
	before, after := c.line[max(0, w.from-seenBefore):w.from], c.line[w.to:min(len(c.line), w.to+seenAfter)]
	if ends := sentenceBreak().FindAllStringIndex(before, -1); ends != nil {
		before = before[ends[len(ends)-1][0]+1:]
	}
	if end := sentenceBreak().FindStringIndex(after); end != nil {
		after = after[:end[0]]
	}
	b, a, word := weigh(before), weigh(after), c.line[w.from:w.to]
	at := placed(before, after)
	if f == codes && !hasLetter(word) && (b.name == 0 && b.access < 2 || at == 0) {
		return 0 // numbers are too common
	}
	if atUser().MatchString(before) || atUser().MatchString(after) {
		b.access++
	}
	n := max(b.name, a.name) + min(2, b.access+a.access) + at
	switch {
	case f == made, f == codes:
		n -= b.against + a.against
	case strings.ContainsAny(word, strongSigns), mixed().MatchString(word):
		n++
	case max(b.name, a.name) == 0 && counted2().MatchString(word):
		n-- // a name with a number may be anything
	case at == 1 && max(b.name, a.name) == 0 && weigh(c.above).name > 0:
		n++ // a field of a secret
	}
	return n
}

var (
	counted2 = lessons.LazyRegexp(`^[a-z]+\d{1,2}$`)                            // a name with a number
	mixed    = lessons.LazyRegexp(`^[^_.]*[A-Za-z]\d+[a-z]+[^_.]*?\d+[A-Za-z]`) // digits in the places of letters
)

// placed says how much the place of a word is one for values, by what stands beside it.
func placed(before, after string) int {
	t := strings.TrimRight(before, " \t\"'`*_([{「『“«")
	gap := before[len(t):]
	n := 0
	if calledSo().MatchString(after) {
		n = 1
	}
	if t == "" {
		return n
	}
	last := t[len(t)-1]
	words := strings.FieldsFunc(t[max(0, len(t)-40):], func(r rune) bool { return r <= ' ' || strings.ContainsRune(`,;()[]{}"'`, r) })
	if len(words) == 0 {
		return n
	}
	word := strings.ToLower(words[len(words)-1])
	switch {
	case last != ',' && last != '/' && weigh(word).against > 0:
		return -3
	case userOf().MatchString(before), strings.HasSuffix(t, "<<<"), (last == '/' || last == ':') && gap == "" && hostBehind().MatchString(after):
		return 3
	case userBefore().MatchString(before):
		if last == '/' {
			return 3
		}
		return 2
	case len(word) > 1 && (word[0] == '-' || word[0] == '/' && len(strings.TrimRight(word, ":=")) == 2):
		if flagOfPass().MatchString(word) {
			return 2
		}
		return 1
	case last == ':' && gap == "" && nameBefore().MatchString(before), last == '/' && gap != "", last == ',' && strings.ContainsAny(gap, `"'`), last == '>' && gap == "" && t[max(0, len(t)-2)] == ' ', meansOf()[word]:
		return 2
	case strings.IndexByte("=:>,/", last) >= 0 || last >= 0x80 || leadsTo()[word]:
		return max(n, 1)
	}
	if v := weigh(word); v.name+v.access > 0 || userBehind().MatchString(after) {
		return max(n, 1)
	}
	return n
}

// flagOfPass matches short flags by which programs take passwords.
var flagOfPass = lessons.LazyRegexp(`^[-/](?:p|w|a|k|pw|bd|s)[:=]?$`)

// userOf ends with a user given by a flag and what joins the password to it.
var (
	userOf     = lessons.LazyRegexp(`\s(?:-[uUl]|--user(?:name)?)[ =]?["']?[\w.@\\-]+[:,%/]$`)
	userBehind = lessons.LazyRegexp(`^["']?\s+(?:[-/][uUl]\b|/user|--user)`)
	userBefore = lessons.LazyRegexp(`(?i)(?:\b|_)(?:user(?:name)?|usr|login|account|as|als|como|use|with|mit|con|avec|com|usuario|utente|benutzer)[ :=]+["']?[\w.@-]{2,30}["']?(?:\s*[,;/:]\s*|\s+)(?:(?:and|und|y|et|e|with|mit)\s+)?["']?$`)
	nameBefore = lessons.LazyRegexp(`(?:^|[\s"'(])[A-Za-z][\w.@-]{1,30}:$`)
	hostBehind = lessons.LazyRegexp(`^@[a-z][a-z]`)
)

// calledSo joins a word and the cue behind it: "is the key", "to log in".
var calledSo = lessons.LazyRegexp(`(?i)^["'` + "`" + `*)]*(?:\s+(?:\w+\s+)?|,\s*(?:that|which|this|it)(?:\s+|.))(?:is|s|was|as|to|for|when|if|into|opens|works)\b`)

// sentenceBreak also matches the start of the next field of a record.
var sentenceBreak = lessons.LazyRegexp(`,\s*"\w+"\s*:|[.!?]\s|[。！？|]|\s&&\s|;\s`)

// Words before a value: by means of what, and those that lead up to it.
var (
	meansOf = lazySet(`with using mit avec con com met med z ze s с`)
	leadsTo = lazySet(`is was are be becomes now to ist lautet heißt heisst war est c'est era es é è är er je este là adalah είναι это jest olarak diventata su auf in para na
		use used try type enter send put say says answer give and or y und et e i и or as als called old new`)
)

// A weight is what the words of a text say about a value in it.
type weight struct{ name, access, against int }

// weigh reads a text for words about access. Names such as authKey and HMAC_KEY are several.
func weigh(s string) (n weight) {
	var buf [64]byte
	var first []byte
	var last byte
	for i := 0; i < len(s); {
		if c := class(s[i]); s[i] < 0x80 && c > 1 {
			i++
			continue
		}
		w, ascii := buf[:0], true
		for from := i; i < len(s) && (s[i] >= 0x80 || class(s[i]) < 2); i++ {
			c := s[i]
			if c >= 'A' && c <= 'Z' {
				if i > from && s[i-1] >= 'a' && s[i-1] <= 'z' {
					break
				}
				c += 'a' - 'A'
			}
			ascii = ascii && c < 0x80
			w = append(w, c)
		}
		if !ascii {
			w = bytes.ToLower(w)
		}
		kind := vocabulary()[string(w)]
		switch {
		case kind == 0 && (!ascii || len(w) > 6) && slices.ContainsFunc(stems, func(s string) bool { return bytes.Contains(w, []byte(s)) }):
			n.name = 2
		case last == '1' && kind == 't': // one-time
			n.name = 2
		case last == 'k' && (kind == 'i' || kind == 'q'): // the id of a key
			n.access--
		case last == 's' && (kind == 'i' || kind == 'q'):
			n.name = 0
		case kind == 'k' && (last == 'o' || last == '-'): // a primary key, a cache key
		case kind == 'n' || kind == 's':
			n.name = 2
		case kind == 'a' || kind == 'k' || !ascii && slices.ContainsFunc(accessStems, func(s string) bool { return bytes.Contains(w, []byte(s)) }):
			if n.access == 0 || string(w) != string(first) { // the same word twice says nothing more
				n.access++
				first = append(first[:0], w...)
			}
		case kind == '-' || kind == 'i':
			n.against += 3
		}
		last = kind
	}
	return n
}

// vocabulary has the words of which a sentence about access is made, by what they are:
// n and s names of secrets, k keys, a others about access; o says of a key that it opens
// nothing, i and q that something of a key follows; - and i speak against a secret.
var vocabulary = sync.OnceValue(func() map[string]byte {
	all := map[string]byte{}
	for line := range strings.Lines(vocabularyText) {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			all[w] = words[0][0]
		}
	}
	return all
})

const vocabularyText = `n pass pwd pw bindpw rootpw psw passwd password passwords passphrase passcode credential credentials creds psk passe mdp clave senha parola zugangscode zugangsdaten pin otp totp mfa pepper login logins auth authorization
s secret secrets
k key keys token tokens pat
a log logged logging signin sign signed access account admin root administrator user username usr uid unlock unlocks vpn wifi wlan ssid wpa wep code codes seed salt bearer community hmac signing encryption encrypt decrypt enc cipher
a aes identified smtp imap ftp ldap snmp radius tacacs join fa ssh sudo api sdk license authenticate authentication connect connection recovery backup verification security guest door alarm vault asks prompt router database db
a melde anmelden anmeldung benutzer usuario utente utilisateur identifiant gebruiker użytkownik compte cuenta conta konto entra accès accesso acceso acesso chiave clé llave chave anahtar ключ токен код доступ доступа логин пользователь
o primary foreign partition sort public object composite unique map dict idempotency row lookup routing kms deploy continuation page next cancellation
a zaloguj zalogować logga logge connexion accedi accede entrar giriş kullanıcı вход войти войди verificación vérification bestätigungscode sms temporary
1 one
t time
i id ids version fingerprint checksum hash
q arn name count type
- hashes sha md checksums digest digests commit commits rev revision etag integrity blob branch tag git trace span request uuid guid ulid nanoid cache pod image container exit status error errors port line lines zip country build job release timeout length limit size`

// stems are in names of secrets in all their forms.
var stems = strings.Fields(`passw passphrase passcode passkey passord kennwort contrase wachtwoord losenord adgangskod kodeord salasana hasl heslo jelsz sifre authoriz
	lösenord hasł şifre парол 密码 密碼 口令 パスワード パス 暗証番号 비밀번호 비번 암호 كلمة סיסמ पासवर्ड κωδικ รหัสผ่าน`)

// accessStems are in words about access of languages that write words together.
var accessStems = strings.Fields("登录 登錄 登入 账号 帳號 ログイン アカウント 로그인 계정 아이디 验证码 認証 인증")

// atUser matches a user or machine by its form, and a login.
var atUser = lessons.LazyRegexp(`(?i)[\w.]@\w|(?:^|\s)[-/](?:[ul]|user|username|login)[ :=]|\b\d+\.\d+\.\d+\.\d+\b|\bas \w+ with\b|\blog(?:ged|ging)? ?(?:in|on)\b|\bsign(?:ed|ing)?[ -]?in\b`)

// roleWords returns the words of a line that have digits, without surrounding punctuation:
// the value of pairs such as bob:word and KEY=word, what is glued to a flag, and otherwise
// the whole.
func roleWords(line string) (out []span) {
	for i := 0; i < len(line); {
		if !wordSign[line[i]] {
			i++
			continue
		}
		from, digit := i, false
		for ; i < len(line) && wordSign[line[i]]; i++ {
			digit = digit || line[i] >= '0' && line[i] <= '9'
		}
		to := i
		for to > from && strings.IndexByte(".:?", line[to-1]) >= 0 {
			to--
		}
		if !digit || to-from < 4 {
			continue
		}
		if p := pair().FindStringSubmatchIndex(line[from:to]); p != nil {
			g := groupOf(p, 0)
			from, to = from+p[2*g], from+p[2*g+1]
		}
		out = append(out, span{from: from, to: to})
	}
	return out
}

// pair matches a name and its value; in scott/word@host the value is the word.
var pair = lessons.LazyRegexp(`^/?[\w.-]{1,40}(?:[:=%]|/)([^@/:]+)(?:@[\w.:-]+)?$|^-[pPaw]([^-\s].{5,})$`)

// wordSign has the bytes of which passwords and keys are made.
var wordSign = func() (of [256]bool) {
	for c := '!'; c <= '~'; c++ {
		of[c] = !strings.ContainsRune("\"'`,()[]{}<>|\\;", c)
	}
	return of
}()

// peopleChoose reports whether people would choose a word as a password and hardly
// write it otherwise.
func peopleChoose(w string) bool {
	return (saidMix(w) || counted().MatchString(w)) && !date().MatchString(w) && !atHost().MatchString(w) && !numbered().MatchString(w) && !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "/") && (!hexOnly().MatchString(w) || counted().MatchString(w)) &&
		!version().MatchString(w) && !dotted().MatchString(w) && !strings.Contains(w, "::") && !uuidish().MatchString(w)
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
		return !strings.Contains(w, "/")
	}
	return !codeLike(w) && random(w)
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
