package extractor

import (
	"regexp"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// What we gave to a session must not come back as a lesson learned from it:
// else each lesson breeds, in ever other words. Our text is in a transcript
// where a hook injected it, where an agent asked for it, and where a person
// pasted it.

// injectedTag is the element around every block of lessons that is given to a
// session.
const injectedTag = "learnings-context"

// ownCommand is a call of this program that prints lessons.
var ownCommand = regexp.MustCompile(`(?:^|[;&|(]|/)\s*learnings(?:\.exe)?\s+(?:-\S+\s+)*(?:show|search|inject|hook|review|history|stats|extract|mcp)\b`)

// withoutInjected takes our own text out of a turn.
func withoutInjected(t transcript.Turn) transcript.Turn {
	if t.Kind == transcript.Result && t.Tool != nil && own(t.Tool) {
		t.Text = ""
		return t
	}
	text := cutInjected(t.Text)
	if len(text) == len(t.Text) {
		return t
	}
	t.Text = text
	if strings.TrimSpace(text) == "" {
		t.Speaker, t.Kind = transcript.Harness, transcript.Notice
	}
	return t
}

func own(c *transcript.ToolCall) bool {
	return strings.Contains(c.Name, "learnings") || strings.Contains(c.Command, "learnings") && ownCommand.MatchString(c.Command)
}

// cutInjected removes our blocks from s. Of a block that has lost its end, or
// its beginning, all goes that could belong to it.
func cutInjected(s string) string {
	const open, end = "<" + injectedTag, "</" + injectedTag + ">"
	if !strings.Contains(s, injectedTag) {
		return s
	}
	var b strings.Builder
	for s != "" {
		from, to := strings.Index(s, open), strings.Index(s, end)
		switch {
		case to >= 0 && (from < 0 || to < from):
			b.Reset()
			s = s[to+len(end):]
		case from < 0:
			b.WriteString(s)
			s = ""
		case to < 0:
			b.WriteString(s[:from])
			s = ""
		default:
			b.WriteString(s[:from])
			s = s[to+len(end):]
		}
	}
	return b.String()
}

// injected reports that a proposal was made of our own text all the same.
func injected(l lessons.Lesson) bool {
	if strings.Contains(l.Content, injectedTag) {
		return true
	}
	for _, e := range l.Evidence {
		if strings.Contains(e.Quote, injectedTag) {
			return true
		}
	}
	return false
}
