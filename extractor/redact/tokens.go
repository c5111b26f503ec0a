package redact

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"learnings/lessons"
)

// This file tells random strings from those that people and tools make: words,
// identifiers, paths, hashes.

// minToken is the length from which a random-looking string counts as a secret without
// any hint beside it.
const minToken = 24

func tokenChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '_' || c == '-' || c == '='
}

// randomTokens finds the tokens of s that look random.
func randomTokens(s string) []span {
	var out, open []span
	if strings.Contains(s, "-----BEGIN ") {
		for _, at := range publicBlock().FindAllStringIndex(s, -1) {
			open = append(open, span{from: at[0], to: at[1]})
		}
	}
	for i := 0; i < len(s); {
		if !tokenChar(s[i]) {
			i++
			continue
		}
		for i < len(s) && (s[i] == '/' || s[i] == '+') { // of https://, an absolute path, a refspec
			i++
		}
		from := i
		for i < len(s) && tokenChar(s[i]) {
			i++
		}
		if i-from < minToken {
			continue
		}
		// NAME=value: only the value is the token. = is also base64's padding.
		start := from + strings.LastIndexByte(strings.TrimRight(s[from:i], "="), '=') + 1
		if i-start >= minToken && hasDigit(s[start:i]) && (issued(s[start:i]) || !public(s[:start], s[start:i]) && random(s[start:i])) {
			out = append(out, span{start, i, "entropy"})
		}
	}
	return outside(open, out)
}

var (
	publicBlock = lessons.LazyRegexp(`(?s)-----BEGIN (?:CERTIFICATE(?: REQUEST)?|(?:RSA |EC |SSH2 |PGP )?PUBLIC KEY(?: BLOCK)?|X509 CRL|PGP SIGNATURE|SSH SIGNATURE)-----.*?-----END`)
	hexOnly     = lessons.LazyRegexp(`^(?:0[xX])?[0-9a-fA-F]+$`)
	uuidish     = lessons.LazyRegexp(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	// numberedHook finds the number of an account before the token of its hook.
	numberedHook = lessons.LazyRegexp(`^\d{6,}/\w{6,}$`)
	// uuidPart is the beginning or end of a UUID, two groups of it or more.
	uuidPart = lessons.LazyRegexp(`(?i)^(?:[0-9a-f]{8}(?:-[0-9a-f]{1,4}){1,3}(?:-[0-9a-f]*)?|[0-9a-f]*(?:-[0-9a-f]{4}){0,3}-[0-9a-f]{12})$`)
	hashes   = lessons.LazyRegexp(`(?:^|/)(?:[a-z]+[-.])?[0-9a-f]{8,64}$`)
	ulid     = lessons.LazyRegexp(`^(?:[a-z]{1,8}[-_])?[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	// A checksum says so: h1:…= in go.sum, sha512-…== in package-lock, sha256:….
	checksum = lessons.LazyRegexp(`(?i)(?:^|[^a-z0-9])(?:h1:|sha-?(?:1|224|256|384|512)[-:=/]["']?|etag["']?[:= ]*(?:W/)?["']?)$`)
	sumToken = lessons.LazyRegexp(`(?i)^sha-?(?:1|224|256|384|512)[-=/]`)
	// Ids that agents and services give to records, calls, applications, contents and accounts.
	recordID = lessons.LazyRegexp(`^(?:toolu|msg|call|req|resp|fc|rs|ctc|ws|run|thread|asst|chatcmpl|gen|file|session|agent|srvtoolu)[_-]|^(?:price|prod|plan|sub|pi|pm|evt|acct|cus|txn|ch|in)_[A-Za-z0-9]{14,28}$|^\d{8,14}-[a-z0-9]{32}$|^[01][0-9a-df-np-sv-z]{51}$|^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{50,60}|(?:bc|tb)1[a-z0-9]{38,58})$|^_?_Z[A-Z0-9]\w+$`)
	// filed are the parts of an address that name a document, not what opens it.
	filed = lessons.LazyRegexp(`(?:^|/)(?:files?|documents?|spreadsheets|presentation|design|board|d|videos?|playlist|items?|commits?|blob|tree)/[\w-]{20,64}(?:/|$)|(?:^|/)[0-9a-df-np-sv-z]{32}-[\w+.?=-]+|(?:^|/)(?:users|devices|projects|teams|rooms|posts|orders|customers)/\w{20,40}(?:/[a-z]{3,12}(?:/\w{1,12})?)?$`)
	// namedPublic is the end of a text that says of what follows that everyone may know it.
	namedPublic = lessons.LazyRegexp(`(?i)(?:\b(?:public|pub|verif\w*|\w*site-verification|sec-websocket-\w+|address|recipient|checksum|digest|md5|cid|k?id(?:-\d)?|[a-z]{1,3}uid)[ _-]?(?:key)?|publickey)["']?(?:(?:\s(?:of|for)(?:\s[\w.-]+){1,3})?\s+is\b|\s?[:=])?\s{0,2}["'<]?$`)
	// The first bytes of images, and of public SSH keys, in base64, and of public keys of age.
	publicBase64 = lessons.LazyRegexp(`^(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR|PHN2Zy|PD94bWwg|AAAA[A-Z]3NzaC1|AAAAE2VjZHNh|AAAAGnNr|age1|RW[\w+/]{54}$)`)
)

// public reports whether a token, which follows before, is known not to be a secret.
func public(before, token string) bool {
	before = strings.TrimRight(before[max(0, len(before)-40):], "+/")
	return hexOnly().MatchString(token) || ulid().MatchString(token) || uuidish().MatchString(token) && len(token) < 100 ||
		publicBase64().MatchString(token) || sumToken().MatchString(token) || recordID().MatchString(token) ||
		checksum().MatchString(before[max(0, len(before)-12):]) || namedPublic().MatchString(before) || filed().MatchString(token) || harmless(token)
}

// random reports whether a token looks like the output of a random generator: one long
// piece in which letters of both cases and digits alternate often.
func random(token string) bool {
	token = strings.TrimRight(token, "=")
	if pathLike(token) || wordy(token) {
		return false
	}
	piece := longest(token, "-_")
	if part := longest(piece, "+/"); len(piece) < 32 || len(part) >= 40 && hexOnly().MatchString(part) {
		piece = part // rather a path or a version than base64
	}
	if len(piece) < 16 || hexOnly().MatchString(piece) {
		return false
	}
	return entropy(piece) >= 3.2 && jumps(piece) >= 0.28 && hasDigit(token) && !plainPiece(piece)
}

// wordy reports whether s is made of words and small numbers, as identifiers, slugs and
// paths are: fooBarBaz, TestParse_Empty2, my-app-2024-01-02, v1.26.8.
func wordy(s string) bool {
	wild, all := 0, 0
	for _, piece := range strings.FieldsFunc(s, func(r rune) bool { return !(r < 128 && isAlnum(byte(r))) }) {
		all += len(piece)
		if !plainPiece(piece) {
			wild += len(piece)
		}
	}
	return wild*5 <= all
}

var (
	// techWords hold digits and are words all the same.
	techWords  = lessons.LazyRegexp(`(?i)^(?:1password|argon2\w*|s?bcrypt\w*|(?:md5|sha256|sha512)crypt|pbkdf2|secp\d+[kr]1|prime256v1|x25519|curve25519|ed448|(?:java|jdk|python|node|php|linux|ubuntu|debian|windows|ios|iphone|ipad|android|rfc|utf|kernel)-?\d[\d.]*|base(?:32|58|64)|(?:hmac)?sha(?:1|2|3|224|256|384|512)(?:sum)?|md5|utf(?:8|16)|oauth2?|[hres]{2}(?:256|384|512)|ed25519|http[23]|ipv[46]|x(?:86|64|509)|amd64|arm64|i18n|k8s|s3|ec2|es20\d\d|mp[34]|h26[45]|win(?:32|64)|int(?:8|16|32|64)|uint(?:8|16|32|64)|float(?:32|64)|[0-9a-f]{7,12})$`)
	plainShape = lessons.LazyRegexp(`^(?:[A-Z]?[a-z]+|[A-Z]+)(?:(?:[A-Z][a-z]+|[A-Z]{2,6})*)\d{0,4}[a-z]?$|^[vV]?\d{1,14}[a-zA-Z]{0,3}$`)
)

// plainPiece reports whether a run of letters and digits is a word, several words in
// camel case, or a number.
func plainPiece(p string) bool {
	if techWords().MatchString(p) {
		return true
	}
	if camelCase(p) {
		return true
	}
	if !plainShape().MatchString(p) {
		return false
	}
	if len(p) < 6 || !hasDigit(p) && jumps(p) < 0.28 && (len(p) < 16 || vowels(p) >= 0.15) {
		return true
	}
	return vowels(p) >= 0.2 || strings.Trim(p, "0123456789") == ""
}

// camelCase reports whether a run is words in camel case with numbers between:
// parseUtf8Header2. Words in names have four letters or more on average; runs of
// lower-case letters in random base62 have less than two, and numbers stand everywhere.
func camelCase(p string) bool {
	if !hasDigit(p) || !hasLetter(p) {
		return false
	}
	words, letters, upper := 0, 0, 0
	for i := range len(p) {
		switch class(p[i]) {
		case 0:
			if letters++; i == 0 || class(p[i-1]) != 0 {
				words++
			}
		case 1:
			upper++
		}
	}
	return words > 1 && len(strings.FieldsFunc(p, unicode.IsLetter)) < 4 && letters >= 3*words && upper >= words-1 && upper <= words+2 && vowels(p) >= 0.2
}

// jumps is the share of neighbours of different classes: lower case, upper case, digit,
// other. It is .6 in random base62, .4 in random base36 and under .25 in most
// identifiers.
func jumps(s string) float64 {
	if len(s) < 2 {
		return 0
	}
	n := 0
	for i := 1; i < len(s); i++ {
		if class(s[i]) != class(s[i-1]) {
			n++
		}
	}
	return float64(n) / float64(len(s)-1)
}

func class(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return 0
	case c >= 'A' && c <= 'Z':
		return 1
	case c >= '0' && c <= '9':
		return 2
	}
	return 3
}

func isAlnum(c byte) bool { return class(c) != 3 }

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// vowels is the share of vowels among the letters of s.
func vowels(s string) float64 {
	n, all := 0, 0
	for _, c := range []byte(lowered(s)) {
		if class(c) == 0 {
			all++
			n += strings.Count("aeiouy", string(c))
		}
	}
	return float64(n) / float64(max(all, 1))
}

func longest(s, seps string) string {
	pieces := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(seps, r) })
	return slices.MaxFunc(append(pieces, ""), func(a, b string) int { return len(a) - len(b) })
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func hasLetter(s string) bool { return strings.ContainsAny(s, letters) }

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// onlyLetters reports that s holds letters, and what joins them into names.
func onlyLetters(s string) bool { return strings.Trim(s, letters+"_-.") == "" }

// asciiLetters reports whether a value has only ASCII letters.
func asciiLetters(v string) bool { return v != "" && strings.Trim(v, letters) == "" }

// pathLike reports whether s is a path or an address rather than base64 with slashes:
// it begins like one, or most of its parts are words.
func pathLike(s string) bool {
	return strings.Contains(s, "/") && (pathStart().MatchString(s) || wordy(hashes().ReplaceAllString(s, "")))
}

var pathStart = lessons.LazyRegexp(`^(?:\.{1,2}/|~/|https?://|file://)`)

// codeLike reports whether a value is code that fetches the secret, not the secret:
// process.env.KEY, getToken(ctx), cfg["key"].
func codeLike(s string) bool {
	if i := strings.IndexAny(s, "([{"); i >= 0 {
		return wordy(s[:i]) && (i+1 == len(s) || number().MatchString(s[i+1:]) || class(s[i+1]) < 2 || strings.IndexByte("\"'`$)]}_/.", s[i+1]) >= 0)
	}
	return strings.Contains(s, ".") && onlyLetters(s)
}

var dummy = lessons.LazyRegexp(`(?i)^(?:your|my|some|the|example|sample|dummy|fake|placeholder|changeme|change-me|replace)[_-]|[_-](?:your|insert|put)[_-]|[_-](?:here|placeholder)$|example(?:key)?$|x{4,}|\*{3}|\.{3}|…|placeholder|redacted|^(?:true|false|null|none|nil|undefined)[,;)}\]]*$`)

// variable is where a value is filled in later: $TOKEN, ${token}, $(pass x),
// <token>, {{ token }}, %TOKEN%, %s, ****.
var variable = lessons.LazyRegexp(`^(?:\$\{?[A-Z_][A-Z0-9_]*\b|\$\{?[a-z_]+\b|\$[({]|<|\{|\[|%[A-Z_]+%|%[a-z]\b|\*+$|@[A-Z_]+@|#\{|![a-z]+$)`)

// harmless reports whether a value only stands for a secret: a variable, a placeholder,
// a documented example, or a mark of redaction.
func harmless(s string) bool {
	s = strings.TrimLeft(s, "\"'`(")
	return s == "" || variable().MatchString(s) || dummy().MatchString(s)
}

var number = lessons.LazyRegexp(`^[\d.,_:/+-]+[a-zA-Z%]{0,2}$`)

// secretValue judges a value in a place for secrets. sure means that the place holds
// nothing else, so that even a word counts.
func secretValue(s string, sure bool) bool {
	s = strings.TrimRight(s, ".,;:)}]!?")
	if len(s) < minSecret || harmless(s) || number().MatchString(s) || pathLike(s) || codeLike(s) {
		return false
	}
	if sure {
		return hasDigit(s) || len(s) >= 16 || strings.ContainsAny(s, "+/=")
	}
	if !hasDigit(s) {
		return len(s) >= 16 && !onlyLetters(s) || len(s) >= 20 && jumps(s) >= 0.3
	}
	return !wordy(s) || hasLetter(s) && shortMix(s)
}

// shortMix reports whether a word is followed by digits, as in passwords
// (hunter2hunter2) but not in names of one word.
func shortMix(s string) bool {
	return !strings.ContainsAny(s, "_-./:") && !techWords().MatchString(s) && strings.IndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' }) > 3
}
