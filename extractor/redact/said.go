package redact

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// This file finds passwords where people write them to people and into shells: "the
// password is …", "log in with admin / …", "mysql -p…". Prose has no quotes and no
// signs that end a value, so what a password is made of counts: most often letters
// with digits or other signs. A mere word counts where nothing else could stand.

// passSaid are names of passwords in prose, in the languages that we know. Those that
// other words begin with have what ends them.
const passSaid = `(?i:passw(?:or)?d|passphrase|passcode|secret phrase|\bpwd?\b|\bpass\b|\bpass[ -](?:word|phrase)\b` +
	`|passwort|kennwort|zugangscode|mot de passe|\bmdp\b|contrase(?:ñ|n)a|\bclave\b|\bsenha\b|palavra-passe|\bparola(?: d.ordine)?\b|wachtwoord|l(?:ö|o)senord(?:et)?|adgangskoden?|kodeord(?:et)?|passord(?:et)?` +
	`|salasana|has(?:ł|l)o\b(?:(?: do| od) \S+)?(?: to\b)?|\bheslo\b|jelszó|(?:ş|s)ifre(?:miz|niz|m|n|si)?\b|m(?:ậ|a)t kh(?:ẩ|a)u|kata sandi|\b(?:wi-?fi|wlan|wpa2?|pre-?shared)[ -]key\b|\bkey content\b)` +
	`|[Пп]арол(?:ь|я|ем|ю)(?:\s+(?:от|для|к)\s+\S+)?|密码|密碼|口令|パスワード|暗証番号|비밀번호|비번|암호|كلمة (?:المرور|السر)|סיסמ[הא]|पासवर्ड|κωδικός|รหัสผ่าน`

// ofWhat matches what is between a name and "is": what it is the password of.
const ofWhat = `(?:\s+(?:["'][^"'\n]+["']|[^\s,:;!?"'=|]*[^\s.,:;!?"'=|])){1,5}?`

// isSaid matches what is between a name and its value.
const isSaid = `(?:\s{0,3}\(?(?:it|which|that|it.s))?(?:\s+(?i:is|was|are|equals|set to|should be|will be|now|ist|lautet|war|est|c.est|era|es|é|è|is|är|er|je|este|là|adalah|είναι|คือ|это)(?:\s+(?:still|now|just|simply|currently))?\s*:?\s+|\s*(?:は|是|为|為|는|은|คือ)\s*|\s{0,2}(?:[:=：]|—|–|->|=>)\s{0,3})`

// openQuote is a quotation mark of any language, or none.
const openQuote = `[「“«"'` + "`" + `]?`

// value matches a password in prose: anything but blanks, quotes and the lines of a
// table.
const value = `([^\s"'` + "`" + `<>「」“”|\\。，、]{4,})`

// What follows a name that the two rules of passSaid take something behind.
var (
	isBehind    = lessons.LazyRegexp(`^(?:` + ofWhat + `)?` + isSaid)
	valueBehind = lessons.LazyRegexp(`^\s+[「“«"'` + "`" + `]`) // see besideValue
)

// saidValue judges what follows the name of a password and "is".
func saidValue(m match) bool {
	if onePass().MatchString(m.before) {
		return false
	}
	if v := trimmed(m.value); saidMix(v) {
		return true
	}
	return wordValue(m) && (m.groups[1] != "" || m.value[0] >= 'a' && ends(m.value[len(trimmed(m.value)):]+m.after))
}

// onePass is the end of a text that speaks of a pass over something.
var onePass = lessons.LazyRegexp(`(?i)\b(?:first|second|third|next|last|final|single|one|each|every|another|two|initial)[ -]pass(?:es)?\W*(?:is\W*)?$`)

// besideValue judges what directly follows the name of a password. A word of ASCII letters
// after a name without any is not a word of that language.
func besideValue(m match) bool {
	return (m.groups[2] != "" && !slices.Contains([]string{"pass", "passwd", "pwd"}, strings.ToLower(m.groups[1])) || m.groups[1] >= "\u0370") && wordValue(m)
}

// besideUser judges what follows the name of a user and "password".
func besideUser(m match) bool {
	return wordValue(m) && ends(m.value[len(trimmed(m.value)):]+m.after)
}

// wordValue reports a mere word that may be a password. The others are judged anywhere: see
// judged.
func wordValue(m match) bool {
	v := trimmed(m.value)
	return len(v) >= 6 && asciiLetters(v) && !harmless(v) && !schemaWord(v) && !aboutPasswords(v)
}

// phraseValue reports words that are no sentence: without those of which sentences about
// access are made.
func phraseValue(m match) bool {
	words := strings.Fields(strings.ToLower(m.value))
	return !slices.ContainsFunc(words, func(w string) bool {
		return vocabulary()[w] != 0 || joinsOthers(w) || schemaWord(w) || wordIs("about", w)
	})
}

func joinsOthers(w string) bool {
	return wordIs("leads", w) || wordIs("means", w) || wordIs("joins", w)
}

// trimmed is a value without the marks that end its clause.
func trimmed(v string) string { return strings.TrimRight(v, ".,;:)}]!?、。」»*") }

// saidMix reports whether people would choose a word as a password and hardly write it
// otherwise: letters with digits or other signs.
func saidMix(v string) bool {
	v = trimmed(v)
	return len(v) >= 6 && hasDigit(v) && hasLetter(v) && !harmless(v) && !pathLike(v) && !codeLike(v) && !number().MatchString(v) &&
		(strings.ContainsAny(v, strongSigns) && v[0] != '@' || !wordy(v) || shortMix(v) || counted().MatchString(v) || strings.Count(v, ".") == 2 && !strings.Contains(v, "-"))
}

// strongSigns are required in passwords and unusual in names.
const strongSigns = "!@#$%^&*"

var version = lessons.LazyRegexp(`^v?\d+(?:\.\d+)+[\w.-]*$`)

// ends reports that a value ends its clause: what follows is nothing, a mark, or a
// word that begins another thought.
var endOfClause = lessons.LazyRegexp(`^["'` + "`" + `]|^\s*(?:$|[.,;:!?()\]}|」”*\\<。，、]|(?:for|and|but|on|at|now|today|of|in production)\b|です|い)`)

func ends(after string) bool { return endOfClause().MatchString(after) }

// aboutPasswords reports a word by which people say what a password is like or what
// becomes of it: "the password is required".
func aboutPasswords(word string) bool {
	low := strings.ToLower(word)
	return wordIs("about", low) || aboutShape().MatchString(low)
}

var aboutShape = lessons.LazyRegexp(`(?:ed|ing|able|ible|ory|ly|ional|less|ive|ect|alid|tion|ated|ious|ful)$|^(?:ab|an|aus|zurück)?ge\pL{3,}(?:t|en)$|^(?:er|ver|be)\pL{3,}(?:t|en)$|^(?:oblig|obrig|obblig|requ|incorr|inval|verplicht|zorunl|falsch|richtig|necess|opcion|option|facult)`)
