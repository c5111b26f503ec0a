package redact

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// Parts of patterns.
const (
	quote       = "[\"'`]"
	windowsHome = `(?i)\b[a-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4}`
	// passNames are English names of values that are secrets in any form.
	passNames = `passw(?:or)?d|passphrase|passcode|pwd`
	keyNames  = `api[_-]?key|secret|token|credentials?|(?:access|account|auth|encryption|master|private|preshared|service|session|shared[_-]?access|signing|storage|license|app)[_-]?key`
)

// sameAsUser reports whether the password is that of an example: its user's name, or
// a word for passwords.
func sameAsUser(m match) bool {
	user := strings.TrimSuffix(m.before[strings.LastIndexByte(m.before, '/')+1:], ":")
	return strings.EqualFold(m.value, user) || slices.Contains([]string{"password", "passwd", "pass", "pwd"}, strings.ToLower(m.value))
}

func sure(m match) bool   { return !harmless(m.value) }
func unsure(m match) bool { return secretValue(m.value, false) }

// keyValue judges the value of a key, secret or token.
func keyValue(m match) bool {
	return !measure().MatchString(m.groups[1]) && (secretValue(m.value, false))
}

// measure matches names of what counts, describes or points to secrets.
var measure = lessons.LazyRegexp(`(?i)(?:^|[_.-])(?:max|min|num|n|total|count|limit|budget|input|output|cached?|prompt|completion|used)[_-]?(?:tokens?|keys?)$` +
	`|tokeni[sz]|(?:tokens|ttl|count|limit|length|len|size|name|type|id|url|uri|path|file|field|usage|used|budget|header|endpoint|format|version|manager|expiry|expires(?:_?(?:in|at))?)$`)

// realKey rejects names that only begin like a key (sk-learn-pipeline-builder,
// pypi-publish-workflow).
func realKey(m match) bool {
	if harmless(m.value) {
		return false
	}
	if hasDigit(strings.TrimLeft(m.value, "abcdefghijklmnopqrstuvwxyz_")) && (!wordy(m.value) || uuidish().MatchString(m.value)) {
		return true
	}
	// A key may have only letters, but no name mixes them like this.
	i := strings.LastIndexByte(m.value, '_')
	body := m.value[i+1:]
	return i >= 0 && len(body) >= 20 && (jumps(body) >= 0.3 || strings.HasPrefix(m.value[1:], "k_"))
}

// passwordValue judges an assignment to a password: name, blanks, sign, quote and
// value.
func passwordValue(m match) bool {
	name, blank, sign, quoted, value := m.groups[1], m.groups[2], m.groups[3], m.groups[4] != "", m.value
	if measure().MatchString(name) || harmless(value) || pathLike(value) {
		return false
	}
	value = strings.TrimRight(value, ".,:;)}]!?|")
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
	return quoted && !strings.HasPrefix(m.after, " ") || sign == "=" && blank == "" || sign == ":" && (ends(m.after) || strings.Contains(name, "_") && name == strings.ToUpper(name)) && name != "PASS" && !aboutPasswords(value)
}

// schemaWord reports whether a word follows "password:" in schemas and forms.
func schemaWord(word string) bool {
	low := strings.ToLower(word)
	return onlyLetters(word) && (strings.Contains(low, "pass") || strings.Contains(low, "secret") || wordIs("schema", low))
}

// flagValue judges what follows a flag such as --password.
func flagValue(m match) bool {
	v := m.value
	return !strings.HasPrefix(v, "-") && (secretValue(v, false) ||
		len(v) >= minSecret && v == strings.ToLower(v) && asciiLetters(v) && strings.Contains(lowered(m.groups[0]), "pass") && !schemaWord(v) && !aboutPasswords(v) && (ends(m.after) || strings.HasPrefix(m.after, " -")))
}

// cookieValue reports whether a cookie has more than settings.
func cookieValue(m match) bool {
	return slices.ContainsFunc(strings.FieldsFunc(m.value, func(r rune) bool { return strings.ContainsRune("=; ", r) }), func(v string) bool {
		return len(v) >= minSecret && hasDigit(v) && (!wordy(v) || hexOnly().MatchString(v))
	})
}

func portAndPath(s string) bool {
	i := strings.IndexByte(s, '/')
	return i > 0 && i <= 5 && strings.Trim(s[:i], "0123456789") == ""
}

// cutToken judges the rest of a token where text was cut. Half a secret has no
// recognizable shape, so everything but plain text is removed.
func cutToken(m match) bool {
	return hasDigit(m.value) && hasLetter(m.value) && !wordy(m.value) && !hexOnly().MatchString(m.value) && !uuidPart().MatchString(m.value)
}

// remote matches a command before an address that is a login on a machine.
var remote = lessons.LazyRegexp(`\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs|autossh)\b[^\n]{0,120}$`)

// personalMail rejects addresses of nobody: examples, robots, SSH remotes.
func personalMail(m match) bool {
	if remote().MatchString(m.before) {
		return false
	}
	name, host, _ := strings.Cut(strings.ToLower(m.value), "@")
	switch name {
	case "git", "noreply", "no-reply", "user", "hg", "svn":
		return false
	}
	switch host[strings.LastIndexByte(host, '.')+1:] {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "internal", "lan", "local", "localhost", "invalid", "test", "example":
		return false
	}
	base, _, _ := strings.Cut(host, ".")
	return base != "example" && !strings.Contains(host, ".example.") && !strings.HasSuffix(host, "noreply.github.com")
}

// personalName rejects home folders that say nothing about a person.
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
