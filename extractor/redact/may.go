package redact

import (
	"regexp"
	"slices"
	"strings"
)

// This file says of a few expressions where they cannot match. Those with long
// repetitions take a fifth of a millisecond for a window of two hundred bytes, and
// "pass" and "key" stand in many that assign nothing. FuzzMay holds it against the
// expressions.

// foldsToASCII reports whether a text has the long s or the kelvin sign, which
// case-insensitive expressions match as ASCII letters.
func foldsToASCII(s string) bool {
	return strings.Contains(s, "\u017f") || strings.Contains(s, "\u212a")
}

// holds reports whether a text contains one of some pieces.
func holds(pieces ...string) func(low string) bool {
	return func(low string) bool {
		return slices.ContainsFunc(pieces, func(p string) bool { return strings.Contains(low, p) })
	}
}

// assigns reports whether a text assigns something to a name that contains one of some
// words.
func assigns(words ...string) func(low string) bool {
	return func(low string) bool {
		for _, w := range words {
			for at := range places(low, w) {
				end := at + len(w)
				for end < len(low) && (isAlnum(low[end]) || low[end] == '_' || low[end] == '-') {
					end++
				}
				for end < len(low) && strings.IndexByte("\"'`] \t\n\f\r", low[end]) >= 0 {
					end++
				}
				if end < len(low) && (low[end] == '=' || low[end] == ':') {
					return true
				}
			}
		}
		return false
	}
}

// saidStems are in every text in which passSaid matches, but for those with one of
// saidWhole as a word of its own.
var saidStems = []string{"passw", "pass word", "pass-word", "pass phrase", "pass-phrase", "passphrase", "passcode", "passord", "de passe", "secret phrase", "kennwort", "zugangscode", "mdp", "contrase", "clave", "senha", "palavra-passe", "parola", "wachtwoord", "senord",
	"adgangskode", "kodeord", "salasana", "ł", "Ł", "haslo", "heslo", "jelsz", "ifre", "t kh", "kata sandi", "fi key", "fi-key", "lan key", "lan-key", "wpa key", "wpa-key", "wpa2 key", "wpa2-key", "shared key", "shared-key", "key content", "арол", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "비번", "암호", "كلمة", "סיסמ", "पासवर्ड", "κωδικός", "รหัสผ่าน"}

var saidWhole = []string{"pass", "pwd", "pw"}

// says reports a text that may have a name of a password as passSaid knows them.
// Tests pass in every session, so what stands behind that word counts too.
func says(behind func() *regexp.Regexp) func(low string) bool {
	stem := holds(saidStems...)
	return func(low string) bool {
		if stem(low) {
			return true
		}
		for _, w := range saidWhole {
			for from := range places(low, w) {
				at := from + len(w)
				if (from == 0 || !wordByte(low[from-1])) && (at == len(low) || !wordByte(low[at])) && behind().MatchString(low[at:]) {
					return true
				}
			}
		}
		return false
	}
}

func wordByte(c byte) bool { return isAlnum(c) || c == '_' }
