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

// This file has the rules by which claude-mem makes, checks and counts texts. They
// are those of JavaScript: its blanks, and lengths in units of UTF-16.

// private is what stands in tags whose contents claude-mem never stores. A tag may have
// attributes, ends at the first end of the same name, and stays when it has none.
var private = lessons.LazyRegexp(`(?s)<private\b[^>]*>.*?</private>` +
	`|<claude-mem-context\b[^>]*>.*?</claude-mem-context>` +
	`|<system_instruction\b[^>]*>.*?</system_instruction>` +
	`|<system-instruction\b[^>]*>.*?</system-instruction>` +
	`|<persisted-output\b[^>]*>.*?</persisted-output>` +
	`|<system-reminder\b[^>]*>.*?</system-reminder>`)

// public is a text without what is private.
func public(s string) string { return trim(private().ReplaceAllString(s, "")) }

// trim takes blanks off both ends, as JavaScript does.
func trim(s string) string { return strings.TrimFunc(s, blank) }

func blank(r rune) bool { return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r) }

// notification is what a harness says to itself in the place of a person.
var (
	notification    = lessons.LazyRegexp(`(?s)^<task-notification\b[^>]*>(.*)</task-notification>$`)
	notificationTag = lessons.LazyRegexp(`</?task-notification\b`)
)

const maxProtocol = 256 << 10

// protocol reports a prompt that no person wrote: one such block and nothing else.
func protocol(s string) bool {
	if exchange.Units(s) > maxProtocol {
		return false
	}
	m := notification().FindStringSubmatch(trim(s))
	return m != nil && !notificationTag().MatchString(m[1]) // neither the beginning nor the end of another one
}

const maxPrompt = 4000

// storedPrompt is a prompt as claude-mem keeps it.
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

// files reads a list of paths. What is no list is one path.
func files(s string) []string {
	if s == "" || json.Unmarshal([]byte(s), &[]any{}) == nil && s != "null" {
		return list(s)
	}
	return []string{plain([]byte(s))}
}

// plain is a JSON value as a text.
func plain(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) == nil && string(raw) != "null" {
		return s
	}
	return string(raw)
}

// list reads a list of texts; what is no list is empty.
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

// noFile is the place of what is about no file.
const noFile = "General"

// firstFile is the file that an observation is about: the first that was modified,
// or else read. One below dir is named from there.
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

// platform is the agent behind a session, in the words of claude-mem.
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

// contentHash is by what claude-mem tells observations of a session apart.
func contentHash(session, title, narrative string) string {
	return exchange.Digest(session, title, narrative)
}

// tokens is what it costs to read an observation, by claude-mem's estimate.
func (o observation) tokens() int {
	n := exchange.Units(string(o.Title)) + exchange.Units(string(o.Subtitle)) + exchange.Units(string(o.Narrative)) + len("[]")
	if o.Facts != "" {
		n += exchange.Units(exchange.Quoted(string(o.Facts))) - len("[]")
	}
	return (n + 3) / 4
}

// workKey is the key of a lesson's frontmatter that says what finding it out cost.
const workKey = "discovery_tokens"

// workOf is what it cost to find a lesson out; 0 when that is not known.
func workOf(l lessons.Lesson) int64 {
	for _, f := range l.Extra {
		if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil && f.Key == workKey {
			return max(n, 0)
		}
	}
	return 0
}
