package recall

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"learnings/index"
	"learnings/lessons"
)

// What a prompt says beside the matter makes every lesson seem to be beside it,
// so each sentence is a question of its own. The limits keep a pasted log from
// taking long.
const (
	maxSubjects   = 16
	maxWords      = 40 // of one sentence
	maxPrompt     = 16 << 10
	maxErrorLines = 6
)

// subjects are the sentences of a situation, and then the files that it is about.
// Where nothing is said files are none: all that is done with a file is not known.
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

// short reports whether a prompt has so few words that the [Gate] counts for it.
func (s Situation) short() bool { return len(index.Words(cut(s.Prompt))) <= short }

// leastWords is how many words make a sentence that is about something. One alone, as in
// "what do I run then?", is in far too many lessons for them to be given unasked.
func (s Situation) leastWords() int {
	if s.OnlySubject {
		return 2
	}
	return 1
}

func cut(s string) string { return s[:min(len(s), maxPrompt)] }

// sentences cuts a text at line ends and at full stops that a blank follows, or
// that need none.
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
	// wrapping is a line around an error that says nothing of it.
	wrapping = lessons.LazyRegexp(`(?i)^\W*(?:(?:process |command )?exit(?:ed)?(?: with)?(?: exit)? (?:code|status)\b.{0,12}|command failed.{0,30}|(?:chunk id|wall time|original token count|process group pgid|directory)\b.*|(?:stdout|stderr|output|error|errors|traceback \(most recent call last\))\W*)$`)
	// passing is a part of an error that is another one the next time: a time, a small
	// number, an address, a path. Numbers of some digits are ports and codes.
	passing = lessons.LazyRegexp(`^\W*(?:\d{1,2}|[\d.]+(?:ms|s|kb|mb)|(?:\d+[-:.t])+\d+(?:\.\d+)?z?|0x[0-9a-f]+|[0-9a-f]{7,}|(?:[a-z]:)?[\\/]\S+)\W*$`)
)

// telling gives the lines of an error that say what is wrong, without the numbers,
// times and places in them: the first ones, and the last ones of a long one.
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
