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
	named              // as names are made, and passwords: Willow-4711, blueCastle44, qXbTTmWe
	likely             // as people make up passwords: a word with digits
	made               // as machines make keys, and checksums and ids
	odd                // letters, digits and signs as in no name and no code
)

// need is how much has to speak for a word of a form.
var need = [...]int{codes: 3, named: 3, likely: 3, made: 2, odd: 3}

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
			if f == plain || w.to < len(l) && l[w.to] == '(' && wordByte(l[w.to-1]) { // a call
				continue
			}
			listed := f == lastForm && w.from-last.to < len(", and ``  ")
			if n := c.evidence(w, f); n >= need[f] || listed || doubt && (f == odd || f == made && n >= 0 || (f == likely || f == named) && n == need[f]-1) {
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
	switch {
	case !hasDigit(w) && scrambled(w):
		return named
	case !hasDigit(w):
		return plain
	case codeForm().MatchString(w):
		return codes
	case !hasLetter(w):
		return plain
	case generated(w), base32Form().MatchString(w) && entropy(w) > 3, groups().MatchString(w):
		return made
	case len(w) > 32 || notSecretPrefix().MatchString(w):
		return plain
	case usual(w):
		if nameForm().MatchString(w) && weigh(w) == (weight{}) { // but not AuthService22
			return named
		}
		return plain
	case strange(w):
		return odd
	}
	return likely
}

// usual reports a word as names, addresses and code have them.
func usual(w string) bool {
	return !peopleChoose(w) || operators().MatchString(w) || namedSo().MatchString(w) || reference().MatchString(w) && wordy(w)
}

// scrambled reports letters that make no words, because capitals stand between few small ones.
func scrambled(w string) bool {
	words, lower := 0, 0
	for i := 1; i < len(w); i++ {
		if class(w[i]) == 0 {
			if lower++; class(w[i-1]) != 0 {
				words++
			}
		}
	}
	return len(w) >= 8 && len(w) <= 32 && words > 1 && (lower <= 2*words || len(w) > 15 && vowels(w) < 0.2) && jumps(w) >= 0.4 && !strings.ContainsAny(w, "/.-:$") && weigh(w) == (weight{})
}

var (
	codeForm   = lessons.LazyRegexp(`^(?:\d{4,8}[#*]?|(?:[a-z0-9]{4,6}-)+[a-z0-9]{4,6}|[0-9a-f]{14,31}|[0-9A-F]{14,31})$`)
	groups     = lessons.LazyRegexp(`^(?:(?:[0-9A-Z]{4}-){3,}[0-9A-Z]{4}|(?:[0-9A-Z]{5}-){3,}[0-9A-Z]{5}|(?:[0-9A-Z]{6}-){3,}[0-9A-Z]{6})$`)
	nameForm   = lessons.LazyRegexp(`^(?:[A-Z][a-z]+[0-9]?[a-z]*[-_.#!@]?\d{3,5}|[a-z]{2,}[A-Z][a-z]+\d{2,3})[!?]?$`)
	namedSo    = lessons.LazyRegexp(`^[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)+\d{1,3}$`) // AuthService2
	base32Form = lessons.LazyRegexp(`^[A-Z2-7]{16,64}$`)
	// operators are signs as code, addresses and Markdown have them.
	operators = lessons.LazyRegexp(`^#[0-9A-Fa-f]{3,8}\W?$|%[0-9A-F]{2}|[!=<>]=|\.[*+]|[?&]\w+=|&&|\$[\w{(]+[/:.]|^@`)
	reference = lessons.LazyRegexp(`^[\w.-]+#L?\d+\W?$|@\^?v?\d`) // repo#12, module@v2
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
	names said // what the lines before it say of a secret
}

// said is what the lines above a word say of a secret.
type said int

const (
	unread    said = iota
	silent         // no name of a secret
	naming         // one is named
	announces      // … and stands alone below
	lists          // … and this is what a file has
)

// over reads the lines above a word, once for all words of a line.
func (c *context) over() said {
	if c.names == unread {
		switch {
		case weigh(c.above).name == 0:
			c.names = silent
		case listing().MatchString(c.above):
			c.names = lists
		case headed().MatchString(c.above):
			c.names = announces
		default:
			c.names = naming
		}
	}
	return c.names
}

// speaks reports whether a line has a word about access.
func (c *context) speaks() bool {
	if !c.known {
		n := weigh(c.line)
		c.known, c.cue = true, n.name+n.access > 0 || c.over() != silent || strings.Contains(c.above, "?") || spoken(c.line)
	}
	return c.cue
}

// spoken are signs of values that need no word about access.
var spoken = holds("<<<", " / ", " as ", " -p", " -P", " -u", " -U", " -w", " /p", " /u", "env set ", ".toCharArray")

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
	after = strings.TrimLeft(after, "?!")
	_, taker, piped := strings.Cut(after, "|")
	if piped = piped && echoed().MatchString(before); piped {
		after = taker
	}
	if end := sentenceBreak().FindStringIndex(after); end != nil {
		after = after[:end[0]]
	}
	b, a, word := weigh(before), weigh(after), c.line[w.from:w.to]
	at := placed(before, after)
	if piped && a.name > 0 {
		at = max(at, 1)
	}
	if at == 1 && section().MatchString(c.above+before) {
		b.name = 2
	}
	if b.name == 0 && (c.over() == lists || c.over() == announces && onlyQuoted(before+after)) {
		b.name, at = 2, max(at, 1)
	}
	asked := c.line[max(0, w.from-seenBefore):w.from]
	if len(asked) == w.from {
		asked = c.above[max(0, len(c.above)-seenBefore):] + asked
	}
	if strings.ContainsAny(asked[max(0, len(asked)-seenAfter):], "?？\n") && ends(after) {
		if q := question().FindStringSubmatch(asked); q != nil {
			if of := weigh(q[1] + q[2]); of.name > 0 || of.access > 1 && of.against == 0 {
				b.name, at = 2, max(at, 1)
			}
		}
	}
	if f == codes && (strings.HasSuffix(before, "/") || counts(before, word, after)) {
		return 0
	}
	if at == 0 && f == named || f == codes && hexOnly().MatchString(word) && (at == 0 || b.name == 0 && (b.access < 2 || hasLetter(word))) {
		return 0 // names and numbers are too common
	}
	if atUser().MatchString(before) || atUser().MatchString(after) {
		b.access++
	}
	if f == made && issued(word) {
		return need[f]
	}
	n := max(b.name, a.name) + min(2, b.access+a.access) + at
	switch {
	case f == made, f == codes:
		if n -= b.against; at < 2 {
			n -= a.against
		}
	case strings.ContainsAny(word, strongSigns), mixed().MatchString(word):
		n++
	case max(b.name, a.name) == 0 && at < 2 && counted2().MatchString(word):
		n-- // a name with a number may be anything
	case at == 1 && max(b.name, a.name) == 0 && weigh(c.above+before).name > 0:
		n++ // a field of a secret
	}
	if at == 1 && f != made && f != codes && c.over() != silent && (valueField().MatchString(before) || strings.HasSuffix(strings.TrimSpace(c.above), "ata:")) { // data: or stringData:
		n++
	}
	if n > 0 && ofCode().MatchString(after) {
		return 0
	}
	return n
}

// counts reports a number of something, or of a port.
func counts(before, word, after string) bool {
	unit := strings.ToLower(strings.Trim(after[:len(after)-len(strings.TrimLeft(after, " -"+letters))], " -"))
	unit, _, _ = strings.Cut(unit, " ")
	of := strings.TrimRight(strings.ToLower(before), " :=")
	of = of[strings.LastIndexAny(of, " _.\"'(,")+1:]
	return strings.Trim(word, "0123456789") == "" && (wordIs("units", unit) || strings.HasSuffix(of, "s") && wordIs("units", of) || len(word) <= 5 && portFlag().MatchString(before))
}

var (
	portFlag = lessons.LazyRegexp(`\s-[pP] $`)
	ofCode   = lessons.LazyRegexp(`(?i)^["'` + "`" + `]?\s+(?:fields?|columns?|param(?:eter)?s?|variables?|propert(?:y|ies)|arguments?|methods?|functions?|class(?:es)?|tables?|flags?|hooks?)\b`)
	counted2 = lessons.LazyRegexp(`^[a-z]+\d$|^[a-z]{1,7}\d\d$`)                // a name with a number
	mixed    = lessons.LazyRegexp(`^[^_.]*[A-Za-z]\d+[a-z]+[^_.]*?\d+[A-Za-z]`) // digits in the places of letters
)

// question matches a question and what an answer begins with, up to its value: a few short
// words, and a user. Without its mark the value begins the next line.
var question = lessons.LazyRegexp(`(?:([^.?!\n]{4,120})[?？]\W{0,8}(?:[\pL'’]{1,5}[,:!.]?\s+){0,3}|(\pL[^.?!:\n]* [^.?!:\n]*):?\r?\n(?:> )*)["'*` + "`" + `]*(?:[\w.@-]{2,20}\s*[/:]\s*)?["'*` + "`" + `]*$`)

// echoed matches what gives its words to the program behind a "|".
var echoed = lessons.LazyRegexp(`(?:^|[^\w./-])(?:echo|printf)\s[^|]*$`)

// headed matches lines that announce what stands alone below them, listing the name of a
// file above what is in it.
var (
	headed  = lessons.LazyRegexp(`[^\s\pP][)"'` + "`" + `*]*:[\s>*]*$`)
	listing = lessons.LazyRegexp(`(?:^|[\s"*>|(` + "`" + `])[\w.~-]*/[\w./~-]+(?: <==|:)\s*$`)
)

// onlyQuoted reports that a line has nothing but signs of quotation.
func onlyQuoted(rest string) bool { return strings.Trim(rest, " \t\r\n>*_|\"'`") == "" }

// section is the head of a part of settings in which users stand with their passwords.
var section = lessons.LazyRegexp(`\[(?:admins|users)\]\s`)

// valueField matches the names of fields that hold the value of what another field names.
var valueField = lessons.LazyRegexp(`(?i)\b(?:value|default|content|data)["']?\s*[:=]\s*["']?$`)

// placed says how much the place of a word is one for values, by what stands beside it.
func placed(before, after string) int {
	t := strings.TrimRight(before, " \t\"'`*_([{「『“«")
	gap := before[len(t):]
	if n := len(t); gap != "" && strings.IndexByte(`"'`, gap[0]) >= 0 && n > 1 && class(t[n-1]) < 2 && !wordByte(t[n-2]) { // N'…', b"…"
		t = strings.TrimRight(t[:n-1], " ([{")
		gap = before[len(t):]
	}
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
	for ; len(words) > 1 && (len(word) == 1 && hasDigit(word) || wordIs("kinds", word)); words = words[:len(words)-1] { // of which kind: key 0 …
		word = strings.ToLower(words[len(words)-2])
	}
	word = strings.TrimLeft(word, ".") // a method
	v := weigh(words[len(words)-1])
	switch {
	case strings.Contains(gap, "(") && gap != "(" && (weigh(word).name > 0 || crypts(word)): // an argument of a function about secrets
		return 2
	case last != ',' && last != '/' && v.against > 0 && !strings.HasSuffix(word, "-key"), wordIs("owners", word) && class(last) == 0:
		return -3
	case userOf().MatchString(before), strings.HasPrefix(after[min(1, len(after)):], ".toCharArray()"), strings.HasSuffix(t, "<<<"), (last == '/' || last == ':') && gap == "" && hostBehind().MatchString(after):
		return 3
	case setBefore().MatchString(before), openedBy().MatchString(before):
		return 2
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
	case last == ':' && gap == "" && nameBefore().MatchString(before), last == '/' && gap != "" && !strings.HasSuffix(t, "//"), last == ',' && strings.ContainsAny(gap, `"'`), last == '>' && gap == "" && t[max(0, len(t)-2)] == ' ', wordIs("means", word):
		return 2
	case strings.IndexByte("=:>,/", last) >= 0 || last >= 0x80 || wordIs("leads", word):
		return max(n, 1)
	}
	if v.name+v.access > 0 || userBehind().MatchString(after) || passOfUser().MatchString(t) {
		return max(n, 1)
	}
	return n
}

// crypts are parts of the names of functions that take a key.
var crypts = holds("crypt", "hmac", "pbkdf", "argon", "cipher")

// flagOfPass matches short flags by which programs take passwords.
var flagOfPass = lessons.LazyRegexp(`^[-/](?:p|w|a|k|pw|bd|s|\w*pass\w*)[:=]?$`)

// userOf ends with a user given by a flag and what joins the password to it.
var (
	userOf     = lessons.LazyRegexp(`\s(?:-[uUla]|--?[\w-]*(?:user(?:name)?|auth|creds?|login))[ =]?["']?[\w.@\\-]+[:,%/]$`)
	userBehind = lessons.LazyRegexp(`^["']?\s+(?:[-/][uUl]\b|/user|--user)`)
	userBefore = lessons.LazyRegexp(`(?i)(?:\b|_)(?:user(?:name)?|usr|userid|login|account|register|admins|adduser|useradd|addlogin|setuser|radtest|as|als|como|use|with|mit|con|avec|com|usuario|utente|benutzer|zugang|identifiants)[ :=]+(?:(?:add|create|set)\s+)?["']?[\w.@-]{2,30}["']?(?: [\w-]+(?:\.[\w-]+)+)?(?:\s*[,;/:]\s*|\s+)(?:(?:and|und|y|et|e|with|mit)\s+)?["']?$`)
	setBefore  = lessons.LazyRegexp(`\benv set \w+[ =]["']?$|["'][\w.@-]{2,30}["']\s+["']$`)
	openedBy   = lessons.LazyRegexp(`(?i)\b(?:open|unlock|unzip|decrypt|extract)(?:s|ed)? (?:it|them|that|this|the \w+) (?:with|using)\s+["'` + "`" + `]?$`)
	passOfUser = lessons.LazyRegexp(`(?i)(?:\wpasswd(?:\s+-\w+(?:\s+\S+)??)?|[-_](?:passw(?:or)?d|pass|pwd?)|(?-i:\bAUTH))\s+\S+$`) // change_password bob …
	nameBefore = lessons.LazyRegexp(`(?:^|[\s"'(])[A-Za-z][\w.@-]{1,30}:$`)
	hostBehind = lessons.LazyRegexp(`^@(?:[a-z][a-z]|\d+\.\d)`)
)

// calledSo joins a word and the cue behind it: "is the key", "to log in".
var calledSo = lessons.LazyRegexp(`(?i)^["'` + "`" + `*)]*(?:\s+(?:\w+\s+)?|,\s*(?:that|which|this|it)(?:\s+|.))(?:is|s|was|as|comme|como|come|als|som|jako|to|for|when|if|into|opens|works)\b`)

// sentenceBreak also matches the start of the next field of a record.
var sentenceBreak = lessons.LazyRegexp(`,\s*"\w+"\s*:|[.!?]\s|[。！？|]|\s&&\s|;\s`)

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
				if i > from && s[i-1] >= 'a' && s[i-1] <= 'z' && string(w) != "wi" { // WiFi is one word
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
		case kind == 0 && (!ascii || len(w) > 6) && (hasStem(w, "end", bytes.HasSuffix) || hasStem(w, "stem", bytes.Contains) || !ascii && hasStem(w, "far-stem", bytes.Contains)): // remotepass, wachtwoorden
			n.name = 2
		case last == '1' && kind == 't': // one-time
			n.name = 2
		case last == 'k' && (kind == 'i' || kind == 'q'): // the id of a key
			n.access--
		case last == 's' && (kind == 'q' || kind == 'i' && strings.IndexByte(" -:", s[i-len(w)-1]) >= 0): // but not SecretID
			n.name = 0
		case kind == 'k' && (last == 'o' || last == '-'): // a primary key, a cache key
		case kind == 'n' || kind == 's', kind == 'k' && (last == 'w' || last == 'p'), kind == 'm' && last == 'k':
			n.name = 2
		case kind == 'a' || kind == 'k' || kind == 'w' || !ascii && hasStem(w, "access-stem", bytes.Contains):
			if n.access == 0 || string(w) != string(first) { // the same word twice says nothing more
				n.access++
				first = append(first[:0], w...)
			}
		case kind == '-' || kind == 'i' && last != 's':
			n.against += 3
		}
		if kind != 0 || last != 'w' { // wifi guest key
			last = kind
		}
	}
	return n
}

// vocabulary has the words of which a sentence about access is made, by what they are.
var vocabulary = sync.OnceValue(func() map[string]byte {
	all := map[string]byte{}
	for w, kinds := range wordLists().kinds {
		for _, kind := range kinds {
			if len(kind) == 1 {
				all[w] = kind[0]
			}
		}
	}
	return all
})

// hasStem reports whether a word holds one of the stems of a kind, or has it where in says.
func hasStem(w []byte, kind string, in func(w, stem []byte) bool) bool {
	return slices.ContainsFunc(wordLists().words[kind], func(s string) bool { return in(w, []byte(s)) })
}

// atUser matches a user or machine by its form, and a login.
var atUser = lessons.LazyRegexp(`(?i)[\w.]@\w|(?:^|\s)[-/](?:[ul]|user|username|login)[ :=]|\b\d+\.\d+\.\d+\.\d+\b|\bas \w+ with\b|\blog(?:ged|ging)? ?(?:in|on)\b|\bsign(?:ed|ing)?[ -]?in\b`)

// roleWords returns the words of a line that have digits or capitals inside, without
// surrounding punctuation: the value of pairs such as bob:word and KEY=word, what is glued
// to a flag, and otherwise the whole.
func roleWords(line string) (out []span) {
	for i := 0; i < len(line); {
		if !wordSign[line[i]] {
			i++
			continue
		}
		from, digit, turns := i, false, 0 // from small letters to capitals
		for ; i < len(line) && wordSign[line[i]]; i++ {
			digit = digit || class(line[i]) == 2
			if i > from && class(line[i]) == 1 && class(line[i-1]) == 0 {
				turns++
			}
		}
		to := i
		for to > from && strings.IndexByte(".:?", line[to-1]) >= 0 {
			to--
		}
		to = from + len(strings.TrimSuffix(line[from:to], "**"))
		if !digit && turns < 2 || to-from < 4 {
			continue
		}
		if p := pair().FindStringSubmatchIndex(line[from:to]); p != nil && !(strings.Contains(line[from:from+p[2*groupOf(p, 0)]], "@") && remote().MatchString(line[:from])) {
			g := groupOf(p, 0)
			from, to = from+p[2*g], from+p[2*g+1]
		}
		out = append(out, span{from: from, to: to})
	}
	return out
}

// pair matches a name and its value; in scott/word@host the value is the word.
var pair = lessons.LazyRegexp(`^/[a-z]{1,4}:(.{4,})$|^\w*//[\w.-]+:([^@/:]+)@\w[\w.:/-]*$|^[\w.-]+/[\w.-]+:([^@/:]+)@\w+\.[\w.:-]+$|^[^=@/?&]{0,60}=[A-Za-z][\w.@-]{0,60}:([^@/:]+)$|^/?[\w.@-]{1,60}(?:[:=%]|/)(?:([^@/:]{1,2}@[^/:.]{3,})|([^@/:]+)(?:@[\w.:-]+)?)$|^-[pPaw]([^-\s].{5,})$`)

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
	return saidMix(w) && !date().MatchString(w) && !atHost().MatchString(w) && !numbered().MatchString(w) && !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "/") && (!hexOnly().MatchString(w) || counted().MatchString(w)) &&
		!version().MatchString(w) && !dotted().MatchString(w) && !strings.Contains(w, "::") && !uuidish().MatchString(w)
}

var (
	// counted are a short word and so many digits that they count nothing: abc12345.
	counted = lessons.LazyRegexp(`^[a-zA-Z][a-z]{2,}\d{5,9}$`)
	atHost  = lessons.LazyRegexp(`^[a-z][\w.+-]+@[a-z0-9][a-z0-9.-]*$`)
	dotted  = lessons.LazyRegexp(`(?i)(?:^|\.)v\d+(?:\.|$)|\.(?:go|py|ts|tsx|js|rs|md|json|ya?ml|toml|jks|pem|crt|key|pfx|exe|sh|txt|so(?:\.\d+)*)$`)
	// numbered are words that are counted: field1, step-12, v2-beta3, db01, PROJ-123.
	numbered = lessons.LazyRegexp(`^(?:[a-z]+\d|[a-z]+V\d+|[A-Z]{2,10}-\d+|[a-z]+-\d+|[a-z]{1,5}\d{1,3}|[A-Z]+\d{1,3}|\d+(?:px|em|ms|min|kb|mb|gb|st|nd|rd|th|x|h|s|m|d)|#\d+|\w+\(\)?|\d[\d:.,-]*\w?)$`)
)

// generated reports whether a word looks like a key that a machine made: long,
// hexadecimal or of mixed letters and digits.
func generated(w string) bool {
	w = strings.TrimRight(w, "!*")
	if len(w) < 20 || !hasDigit(w) {
		return false
	}
	hex := hexOnly().MatchString(w)
	uuid := !hex && uuidish().MatchString(w)
	if hex && len(w) < 32 || uuid && strings.Contains(w, "/") || !hex && !uuid && (codeLike(w) || !random(w) && (len(w) < 32 || wordy(w) || pathLike(w))) {
		return false
	}
	return !harmless(w) && w[0] != '?' && !sumToken().MatchString(w) && !ulid().MatchString(w) && !recordID().MatchString(w) && !publicBase64().MatchString(w) &&
		!notSecretPrefix().MatchString(w) && !number().MatchString(w) && !date().MatchString(w)
}

var date = lessons.LazyRegexp(`^\d{4}-\d\d-\d\d`)

// notSecretPrefix matches the beginning of a word that calls itself an id or checksum.
var notSecretPrefix = lessons.LazyRegexp(`(?i)^(?:sha\d*|md5|commit|rev|etag|id|hash|build|layer|git|trace|span|chunk|digest|blob|object|image|node|test|tmp|uuid|snap|ref|cache|file|sess|session|req|request|msg|run|job|evt|event|org|usr|user|acct|cus|v\d+)[_:-]`)

// prefixed is a long hexadecimal number, or a number and a random word, behind a short
// word: sqp_…, pk_12345678_…. It is no checksum: these say what they are of.
var prefixed = lessons.LazyRegexp(`^[a-z][a-z0-9]{1,9}_(?:[0-9a-f]{32,128}|\d{6,12}_[A-Za-z0-9]{20,80})$|^[A-Z]{2,6}-[A-Z0-9]{27,64}$|^[a-z]{3}[A-Za-z0-9]{14}\.[0-9a-f]{64}$`)

// issued reports whether a service issued a token, by its form.
func issued(token string) bool {
	return prefixed().MatchString(token) && !notSecretPrefix().MatchString(token)
}
