package formats

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// markdown is a text for people: lessons by project and category.
type markdown struct{ exchange.WriteOnly }

// Lacks lists what the text leaves out.
func (markdown) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(len(l.Evidence) > 0, "its evidence")
	return w
}

// Plan replaces the file by the text.
func (f markdown) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	ls = slices.Clone(ls)
	slices.SortStableFunc(ls, func(a, b lessons.Lesson) int {
		return cmp.Or(strings.Compare(chapter(a), chapter(b)), strings.Compare(string(a.Category), string(b.Category)), cmp.Compare(b.Confidence, a.Confidence))
	})
	var b bytes.Buffer
	b.WriteString("# Lessons\n")
	var last lessons.Lesson
	for i, l := range ls {
		if i == 0 || chapter(l) != chapter(last) {
			fmt.Fprintf(&b, "\n## %s\n", chapter(l))
		}
		if i == 0 || chapter(l) != chapter(last) || l.Category != last.Category {
			fmt.Fprintf(&b, "\n### %s\n\n", l.Category)
		}
		last = l
		fmt.Fprintf(&b, "- %s (%s", lessons.Line(l.Content), l.Confidence.Word())
		if l.Status != lessons.Approved {
			fmt.Fprintf(&b, ", %s", l.Status)
		}
		b.WriteString(")\n")
		indent(&b, l.Insight)
		if l.Example != "" {
			indent(&b, fenced(l.Example))
		}
	}
	return replace(to, f, ls, b.Bytes())
}

func chapter(l lessons.Lesson) string {
	if l.Scope.Global {
		return "Everywhere"
	}
	return cmp.Or(lessons.Line(l.Scope.Project), "No project")
}

// indent writes a text of several lines as part of a list item.
func indent(b *bytes.Buffer, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	b.WriteByte('\n')
	for line := range strings.Lines(text + "\n") {
		if strings.TrimSpace(line) != "" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	b.WriteByte('\n')
}

// fenced returns a text as a block of code, with a fence that does not occur in it.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + "\n" + fence
}
