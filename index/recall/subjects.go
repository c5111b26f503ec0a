package recall

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"learnings/index"
	"learnings/lessons"
)

// Parts of a prompt on other matters would make every lesson seem off the subject, so each
// sentence is a query of its own. The limits bound the time for a pasted log.
const (
	maxSubjects   = 16
	maxWords      = 40 // per sentence
	maxPrompt     = 16 << 10
	maxErrorLines = 6
)

// subjects returns the sentences of a situation, and then its files. Without a sentence
// there are none: files do not tell what is done with them.
func (s Situation) subjects() []string {
	var out []string
	seen := map[string]bool{}
	add := func(t string) {
		f := strings.Fields(t)
		t = strings.Join(f[:min(len(f), maxWords)], " ")
		words := index.Words(t)
		if s.OnlySubject {
			words = index.Telling(t)
		}
		if len(out) < maxSubjects && !seen[t] && len(words) >= s.leastWords() {
			seen[t] = true
			out = append(out, t)
		}
	}
	for _, l := range telling(cut(s.Error)) {
		add(l)
	}
	if len(out) > 0 && s.Tool != "" {
		add(s.Tool + " " + out[0])
	}
	if s.short() || s.All {
		for _, t := range sentences(cut(s.Prompt)) {
			add(t)
		}
	}
	if len(out) == 0 {
		return nil
	}
	for _, f := range s.Files {
		add(path.Base(strings.ReplaceAll(f, `\`, "/")))
	}
	return out
}

// short reports whether a prompt has so few words that the [Gate] applies.
func (s Situation) short() bool { return len(index.Words(cut(s.Prompt))) <= short }

// leastWords returns how many words a sentence needs to be about something. A single one,
// as in "what do I run then?", is in too many lessons.
func (s Situation) leastWords() int {
	if s.OnlySubject {
		return 2
	}
	return 1
}

func cut(s string) string { return s[:min(len(s), maxPrompt)] }

// sentences splits a text at line ends, and at full stops that a blank follows or that need
// none.
func sentences(s string) []string {
	var out []string
	start := 0
	rs := []rune(s)
	for i, r := range rs {
		switch {
		case r == '\n', r == '。', r == '！', r == '？', r == ';',
			(r == '.' || r == '!' || r == '?') && (i+1 == len(rs) || unicode.IsSpace(rs[i+1])):
			out = append(out, string(rs[start:i]))
			start = i + 1
		}
	}
	return append(out, string(rs[start:]))
}

var (
	// wrapping matches a line around an error that says nothing of it.
	wrapping = lessons.LazyRegexp(`(?i)^\W*(?:(?:process |command )?exit(?:ed)?(?: with)?(?: exit)? (?:code|status)\b.{0,12}|command failed.{0,30}|(?:chunk id|wall time|original token count|process group pgid|directory)\b.*|(?:stdout|stderr|output|error|errors|traceback \(most recent call last\))\W*)$`)
	// passing matches a part of an error that differs each time: a time, a small number, an
	// address, a path. Larger numbers are ports and codes.
	passing = lessons.LazyRegexp(`^\W*(?:\d{1,2}|[\d.]+(?:ms|s|kb|mb)|(?:\d+[-:.t])+\d+(?:\.\d+)?z?|0x[0-9a-f]+|[0-9a-f]{7,}|(?:[a-z]:)?[\\/]\S+)\W*$`)
)

// telling returns the lines of an error that say what is wrong, without numbers, times and
// places: the first ones, and the last ones of a long error.
func telling(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if wrapping().MatchString(strings.TrimSpace(line)) {
			continue
		}
		words := slices.DeleteFunc(strings.Fields(line), func(w string) bool { return passing().MatchString(strings.ToLower(w)) })
		if len(words) > 0 {
			out = append(out, strings.Join(words, " "))
		}
	}
	if half := maxErrorLines / 2; len(out) > maxErrorLines {
		out = append(out[:half:half], out[len(out)-half:]...)
	}
	return out
}
