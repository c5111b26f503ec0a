package observations

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// This file has the rules by which claude-mem makes, checks and counts texts. They are
// those of JavaScript: its white space, and lengths in units of UTF-16.

// private matches tags whose contents claude-mem never stores. A tag may have attributes,
// ends at the first end tag of the same name, and does not match without one.
var private = lessons.LazyRegexp(`(?s)<private\b[^>]*>.*?</private>` +
	`|<claude-mem-context\b[^>]*>.*?</claude-mem-context>` +
	`|<system_instruction\b[^>]*>.*?</system_instruction>` +
	`|<system-instruction\b[^>]*>.*?</system-instruction>` +
	`|<persisted-output\b[^>]*>.*?</persisted-output>` +
	`|<system-reminder\b[^>]*>.*?</system-reminder>`)

// public removes what is private from a text.
func public(s string) string { return trim(private().ReplaceAllString(s, "")) }

// trim trims white space as JavaScript does.
func trim(s string) string { return strings.TrimFunc(s, blank) }

func blank(r rune) bool { return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r) }

// notification matches what a harness says to itself in place of a person.
var (
	notification    = lessons.LazyRegexp(`(?s)^<task-notification\b[^>]*>(.*)</task-notification>$`)
	notificationTag = lessons.LazyRegexp(`</?task-notification\b`)
)

const maxProtocol = 256 << 10

// protocol reports whether a prompt is only such a block, which no person wrote.
func protocol(s string) bool {
	if exchange.Units(s) > maxProtocol {
		return false
	}
	m := notification().FindStringSubmatch(trim(s))
	return m != nil && !notificationTag().MatchString(m[1]) // not two blocks
}

const maxPrompt = 4000

// storedPrompt returns a prompt as claude-mem stores it.
func storedPrompt(s string) string {
	s = trim(s)
	if p := public(s); p != "" {
		s = p
	}
	if exchange.Units(s) <= maxPrompt {
		return s
	}
	return string(utf16.Decode(utf16.Encode([]rune(s))[:maxPrompt-1])) + "…"
}

// files parses a list of paths. Other text is one path.
func files(s string) []string {
	if s == "" || json.Unmarshal([]byte(s), &[]any{}) == nil && s != "null" {
		return list(s)
	}
	return []string{plain([]byte(s))}
}

// plain returns a JSON value as text.
func plain(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) == nil && string(raw) != "null" {
		return s
	}
	return string(raw)
}

// list parses a list of strings; other text is an empty list.
func list(s string) []string {
	var all []json.RawMessage
	if json.Unmarshal([]byte(s), &all) != nil {
		return nil
	}
	var out []string
	for _, raw := range all {
		out = append(out, plain(raw))
	}
	return out
}

// noFile stands for the file of an observation about none.
const noFile = "General"

// firstFile returns the file that an observation is about: the first one modified, or else
// read, relative to dir if it is below it.
func firstFile(modified, dir, read string) string {
	for _, of := range []string{modified, read} {
		all := list(of)
		if len(all) == 0 {
			continue
		}
		if !path.IsAbs(all[0]) {
			return all[0]
		}
		rel, err := filepath.Rel(dir, all[0])
		if err != nil {
			return all[0]
		}
		return filepath.ToSlash(rel)
	}
	return noFile
}

// platform returns claude-mem's name of the agent of a session.
func platform(s string) string {
	s = strings.ToLower(trim(s))
	switch {
	case s == "":
		return "claude"
	case s == "transcript" || strings.Contains(s, "codex"):
		return "codex"
	case strings.Contains(s, "cursor"):
		return "cursor"
	case strings.Contains(s, "claude"):
		return "claude"
	}
	return strings.Join(strings.FieldsFunc(s, blank), "-")
}

// contentHash returns the hash by which claude-mem tells observations of a session apart.
func contentHash(session, title, narrative string) string {
	return exchange.Digest(session, title, narrative)
}

// tokens returns claude-mem's estimate of the tokens it costs to read an observation.
func (o observation) tokens() int {
	n := exchange.Units(string(o.Title)) + exchange.Units(string(o.Subtitle)) + exchange.Units(string(o.Narrative)) + len("[]")
	if o.Facts != "" {
		n += exchange.Units(exchange.Quoted(string(o.Facts))) - len("[]")
	}
	return (n + 3) / 4
}

// workKey is the frontmatter key of the tokens that finding out a lesson cost.
const workKey = "discovery_tokens"

// workOf returns the tokens that finding out a lesson cost; 0 if unknown.
func workOf(l lessons.Lesson) int64 {
	for _, f := range l.Extra {
		if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil && f.Key == workKey {
			return max(n, 0)
		}
	}
	return 0
}

// tokens returns the words by which claude-mem's companion compares texts: two or more
// ASCII letters and digits, in lower case. The companion also drops some words, but has not
// published the list.
func tokens(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	out := words[:0]
	for _, w := range words {
		if len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}
