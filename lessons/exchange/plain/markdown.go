package plain

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

// Markdown is a text for people: lessons by project and category.
type Markdown struct{}

// Detect is never true: a Markdown file may be anything.
func (Markdown) Detect(string) bool { return false }

// Read refuses: what stands in a text for people is for people.
func (Markdown) Read(context.Context, string) (exchange.Found, error) {
	return exchange.Found{}, fmt.Errorf("a text for people %w", exchange.ErrOneWay)
}

// Lacks names what the text leaves out.
func (Markdown) Lacks(l lessons.Lesson) (out []string) {
	if len(l.Evidence) > 0 {
		out = append(out, "its evidence")
	}
	return out
}

// Plan replaces the file by the text.
func (f Markdown) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
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
		fmt.Fprintf(&b, "- %s (%s", oneLine(l.Content), l.Confidence.Word())
		if l.Status != lessons.Approved {
			fmt.Fprintf(&b, ", %s", l.Status)
		}
		b.WriteString(")\n")
		indent(&b, l.Insight)
		if l.Example != "" {
			fence := strings.Repeat("`", max(3, longestRun(l.Example)+1))
			indent(&b, fence+"\n"+l.Example+"\n"+fence)
		}
	}
	return replace(to, f, ls, b.Bytes())
}

func chapter(l lessons.Lesson) string {
	if l.Scope.Global {
		return "Everywhere"
	}
	return cmp.Or(oneLine(l.Scope.Project), "No project")
}

func oneLine(s string) string { return lessons.Line(s) }

// indent writes a text of several lines as part of a list's item.
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

// longestRun is the longest run of backticks in a text.
func longestRun(s string) (most int) {
	n := 0
	for _, r := range s {
		if n++; r != '`' {
			n = 0
		}
		most = max(most, n)
	}
	return most
}
