package tui

import (
	"regexp"
	"slices"

	"learnings/lessons"
)

var (
	urlLike     = regexp.MustCompile(`(?i)\bhttps?://`)
	secretLike  = regexp.MustCompile(`(?i)\b(?:sk-[a-z0-9_-]{16,}|gh[pousr]_[a-z0-9]{20,}|AKIA[0-9A-Z]{12,}|xox[abp]-[a-z0-9-]{10,})|(?:password|passwd|secret|api[_-]?key|token)\s*[:=]\s*\S{6,}|-----BEGIN [A-Z ]*PRIVATE KEY`)
	commandLike = regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|above|prior|all|earlier)\b.{0,20}\b(?:instruction|rule|prompt)|\bdo not (?:tell|inform|mention to) the user\b|\bsystem prompt\b|\bcurl\b[^|]*\|\s*(?:ba|z)?sh\b`)
)

// flags are what a person should look at twice before approving: they forbid
// nothing. Approved text is read by agents as instruction.
func flags(l lessons.Lesson) []string {
	text := l.Content + "\n" + l.Insight + "\n" + l.Example
	var out []string
	if secretLike.MatchString(text) {
		out = append(out, "it has the shape of a secret")
	}
	if commandLike.MatchString(text) {
		out = append(out, "it reads like an order to the agent, not like a lesson")
	}
	if urlLike.MatchString(text) {
		out = append(out, "it holds a web address")
	}
	if lessons.Hidden(text) {
		out = append(out, "it held invisible or control characters, which are not shown")
	}
	byTool := func(e lessons.Evidence) bool { return e.By == lessons.ByTool }
	if n := len(l.Evidence); n > 0 && !slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool { return !byTool(e) }) {
		out = append(out, "only a tool's output speaks for it")
	}
	return out
}
