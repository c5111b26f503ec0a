package gimli

import (
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A Learning is an entry of learnings.json.
type Learning struct {
	ID            string   `json:"id"`
	AgentID       string   `json:"agentId,omitempty"`
	Content       string   `json:"content"`
	Category      string   `json:"category"`
	Confidence    string   `json:"confidence"`
	Source        string   `json:"source"`
	Timestamp     string   `json:"timestamp"`
	Context       string   `json:"context,omitempty"`
	Tags          []string `json:"tags,omitempty"`
	Active        bool     `json:"active"`
	LastValidated string   `json:"lastValidated,omitempty"`
}

// The categories, in the order of the sections of LEARNINGS.md.
const (
	preference = "preference"
	correction = "correction"
	pattern    = "pattern"
	toolUsage  = "tool-usage"
)

// Categories are all categories, in display order.
var Categories = []string{preference, correction, pattern, toolUsage}

// categoryOf returns the category for a lesson. Other kinds become what went wrong or what
// works.
func categoryOf(c lessons.Category) string {
	switch c.Shelf() {
	case lessons.Preferences:
		return preference
	case lessons.Corrections, lessons.Errors, lessons.Debugging:
		return correction
	case lessons.Tools:
		return toolUsage
	}
	return pattern
}

// sourceOf returns the source of a lesson in Gimli's words.
func sourceOf(l lessons.Lesson) string {
	switch {
	case strings.HasPrefix(l.Origin.Extractor, "import:"):
		if s, ok := strings.CutPrefix(l.Origin.Rule, importedFrom); ok {
			return s
		}
		return "file"
	case categoryOf(l.Category) == pattern && l.SaidBy() == lessons.ByPerson && strings.Contains(l.Origin.Rule, "prais"):
		return "success_pattern"
	case l.SaidBy() == lessons.ByPerson:
		return "user_message"
	}
	return "conversation"
}

// importedFrom is put before Gimli's source in the rule of an imported lesson.
const importedFrom = "Gimli has it from "

// MaxBullet is the most characters of a bullet, in UTF-16 units as Gimli counts.
const MaxBullet = 150

// bulletText formats a lesson as a bullet: on one line and cut at a word. It does not end a
// comment begun above it.
func bulletText(content string) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(content, "\uFFFD")), " ")
	s = strings.ReplaceAll(s, "-->", "-- >")
	if exchange.Units(s) <= MaxBullet {
		return s
	}
	n, left := 0, MaxBullet-1 // one is for the ellipsis
	for _, r := range s {
		if left -= utf16.RuneLen(r); left < 0 {
			break
		}
		n += utf8.RuneLen(r)
	}
	if at := strings.LastIndexByte(s[:n+1], ' '); at > n/2 {
		n = at
	}
	return strings.TrimRight(s[:n], " ,;:") + "…"
}

// lacksBoth lists what neither store can hold of a lesson.
func lacksBoth(l lessons.Lesson) (w exchange.Lacks) {
	category := categoryOf(l.Category)
	w.If(l.Category != lessons.Category(category), "its category %s (it becomes %s)", lessons.Line(string(l.Category)), category)
	w.If(l.Example != "", "its example")
	w.If(len(l.Triggers) > 0, "when it shows")
	w.If(!l.Scope.Global && l.Scope.Project != "", "its project: Gimli's lessons hold in all")
	w.If(len(l.Evidence) > 0, "its evidence")
	return w
}

// lacksMarkdown lists what a bullet cannot hold.
func lacksMarkdown(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(bulletText(l.Content) != strings.Join(strings.Fields(l.Content), " "), "the end of its text: a bullet has %d characters", MaxBullet)
	w = append(w, lacksBoth(l)...)
	w.If(l.Insight != "", "why it holds")
	w.If(len(l.Tags) > 0, "its tags")
	return append(w, "its confidence and its id, which are remembered here")
}

// lacksJSON lists what an entry of learnings.json cannot hold.
func lacksJSON(l lessons.Lesson) []string {
	w := lacksBoth(l)
	c, err := lessons.ParseConfidence(l.Confidence.Word())
	w.If(err != nil || c != l.Confidence, "its confidence, but for the word %q", l.Confidence.Word())
	return w
}

// isoMilli is Gimli's time format.
const isoMilli = "2006-01-02T15:04:05.000Z"

func stamp(t time.Time) string { return t.UTC().Format(isoMilli) }
