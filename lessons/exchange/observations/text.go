package observations

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/lazy"
)

// This file has the rules by which claude-mem makes, checks and counts texts. They
// are those of JavaScript: its blanks, and lengths in units of UTF-16.

// privateTags are those whose contents claude-mem never stores.
var privateTags = []string{"private", "claude-mem-context", "system_instruction", "system-instruction", "persisted-output", "system-reminder"}

// public is a text without what stands in private tags. A tag may have attributes,
// ends at the first end of the same name, and stays when it has none.
func public(s string) string {
	var b strings.Builder
	from, none := 0, map[string]bool{} // tags that end nowhere behind
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '<')
		if i < 0 {
			break
		}
		at += i
		name, inside := opens(s[at:], privateTags)
		if name == "" || none[name] {
			at++
			continue
		}
		end := "</" + name + ">"
		j := strings.Index(s[at+inside:], end)
		if j < 0 {
			none[name] = true
			at++
			continue
		}
		b.WriteString(s[from:at])
		at += inside + j + len(end)
		from = at
	}
	b.WriteString(s[from:])
	return trim(b.String())
}

// opens reports which of the tags a text begins with, and where what is in it begins.
func opens(s string, tags []string) (name string, inside int) {
	for _, t := range tags {
		rest, ok := strings.CutPrefix(s, "<"+t)
		if !ok || rest == "" || rest[0] == '_' || rest[0] < utf8.RuneSelf && (unicode.IsLetter(rune(rest[0])) || unicode.IsDigit(rune(rest[0]))) {
			continue
		}
		if end := strings.IndexByte(rest, '>'); end >= 0 {
			return t, len(s) - len(rest) + end + 1
		}
	}
	return "", 0
}

// trim takes blanks off both ends, as JavaScript does.
func trim(s string) string { return strings.TrimFunc(s, blank) }

func blank(r rune) bool { return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r) }

// protocolTags are around what a harness says to itself in the place of a person.
var (
	protocolTags = []string{"task-notification"}
	protocolTag  = lazy.Regexp(`</?task-notification\b`)
)

const maxProtocol = 256 << 10

// protocol reports a prompt that no person wrote: one such block and nothing else.
func protocol(s string) bool {
	if exchange.Units(s) > maxProtocol {
		return false
	}
	s = trim(s)
	name, inside := opens(s, protocolTags)
	if name == "" {
		return false
	}
	body, ok := strings.CutSuffix(s[inside:], "</"+name+">")
	if !ok {
		return false
	}
	return !protocolTag().MatchString(body) // neither the beginning nor the end of another one
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
	n := exchange.Units(string(o.Title)) + exchange.Units(string(o.Subtitle)) + exchange.Units(string(o.Narrative)) + quotedUnits(string(o.Facts))
	return (n + 3) / 4
}

// quotedUnits is the length of a text as a JSON string; none is an empty list.
func quotedUnits(s string) int {
	if s == "" {
		return len("[]")
	}
	n := exchange.Units(s) + len(`""`)
	for _, r := range s {
		switch {
		case strings.ContainsRune("\"\\\n\r\t\b\f", r):
			n++
		case r < ' ':
			n += len(`\u0000`) - 1
		}
	}
	return n
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
