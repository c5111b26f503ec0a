package recall

import (
	"path"
	"strings"
	"unicode"

	"learnings/index"
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

// subjects are the sentences of a situation.
func (s Situation) subjects() []string {
	var out []string
	seen := map[string]bool{}
	add := func(t string) {
		f := strings.Fields(t)
		t = strings.Join(f[:min(len(f), maxWords)], " ")
		if len(out) < maxSubjects && !seen[t] && len(index.Words(t)) > 0 {
			seen[t] = true
			out = append(out, t)
		}
	}
	lines := strings.Split(cut(s.Error), "\n")
	for _, l := range lines[:min(len(lines), maxErrorLines)] {
		add(l)
	}
	if len(out) > 0 && s.Tool != "" {
		add(s.Tool + " " + out[0])
	}
	for _, t := range sentences(cut(s.Prompt)) {
		add(t)
	}
	for _, f := range s.Files {
		add(path.Base(strings.ReplaceAll(f, `\`, "/")))
	}
	return out
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
