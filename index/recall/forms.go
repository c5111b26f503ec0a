package recall

import (
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Form is how another program writes what it gives to a session.
type Form struct {
	Name  string // as a person asks for it
	About string // in a few words

	// Text is the block for lessons, best first, with a line end after each line.
	Text func(ls []lessons.Lesson) string
}

// Forms are all there are, in the order of their systems: each has a file and its
// rows here.
var Forms = slices.Concat(ownForms, octomindForms, amplihackForms, claudeMemForms)

// FormNamed gives the form of a name.
func FormNamed(name string) (Form, bool) {
	i := slices.IndexFunc(Forms, func(f Form) bool { return f.Name == name })
	if i < 0 {
		return Form{}, false
	}
	return Forms[i], true
}

// FormNames are the names of all forms, as a list for people.
func FormNames() string {
	names := make([]string, len(Forms))
	for i, f := range Forms {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// ownForms are for programs that put a frame of their own around lessons.
var ownForms = []Form{
	{"plain", "the sentences alone, one a line", func(ls []lessons.Lesson) string {
		var b strings.Builder
		for _, l := range ls {
			b.WriteString(harmless(lessons.Line(l.Content)) + "\n")
		}
		return b.String()
	}},
}

// amplihackForms is the section that amplihack puts before a task.
var amplihackForms = []Form{
	{"amplihack", "a section of Markdown with a heading for each lesson", func(ls []lessons.Lesson) string {
		if len(ls) == 0 {
			return ""
		}
		var b strings.Builder
		b.WriteString("## Past Learnings Relevant to This Task\n\n")
		for _, l := range ls {
			fmt.Fprintf(&b, "### %s\n%s\n\n\n", harmless(lessons.Line(l.Content)), harmless(strings.TrimRight(lessons.Block(l.Insight), "\n")))
		}
		return b.String()
	}},
}

// octomindForms are the block that the first version of Octomind put behind its system
// prompt, the one that it gives now, and how it tells its extractor what is known. The
// sentences in them are ours.
var octomindForms = []Form{
	{"octomind", "a section of Markdown, as the first Octomind had it", func(ls []lessons.Lesson) string {
		if len(ls) == 0 {
			return ""
		}
		var b strings.Builder
		b.WriteString("## Lessons from Past Sessions\n")
		for _, l := range ls {
			fmt.Fprintf(&b, "- [%s] %s\n", l.Confidence.Word(), harmless(lessons.Line(l.Content)))
		}
		return b.String()
	}},
	{"octomind-recall", "lessons and orientation in tags, as Octomind has them now", octomindRecall},
	{"octomind-known", "what is known, as Octomind tells it to its extractor", octomindKnown},
}

// octomindRecall keeps apart what is a rule and what is where to look first.
func octomindRecall(ls []lessons.Lesson) string {
	var rules, places strings.Builder
	for _, l := range ls {
		said := marked(lessons.Line(l.Content))
		if orients(l) {
			fmt.Fprintf(&places, "- %s\n", said)
		} else {
			fmt.Fprintf(&rules, "- [%s] %s\n", l.Confidence.Word(), said)
		}
	}
	if rules.Len()+places.Len() == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<recall>\n")
	if rules.Len() > 0 {
		b.WriteString("<lessons>\nEach is marked with how sure it is.\n" + rules.String() + "</lessons>\n")
	}
	if places.Len() > 0 {
		b.WriteString("<orientation hint=\"check before relying on it\">\n" + places.String() + "</orientation>\n")
	}
	b.WriteString("</recall>\n")
	return b.String()
}

// orients reports a lesson that Octomind made to find its way, not as a rule.
func orients(l lessons.Lesson) bool {
	return slices.Contains(l.Extra, lessons.Field{Key: "memory_type", Value: "orientation"})
}

// marked takes the meaning of a tag out of a text.
func marked(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// octomindKnown numbers the lessons, so that one can be said to replace another.
func octomindKnown(ls []lessons.Lesson) string {
	if len(ls) == 0 {
		return "(none)\n"
	}
	var b strings.Builder
	for i, l := range ls {
		scope := "this project/role"
		if l.Scope.Global {
			scope = "global"
		}
		fmt.Fprintf(&b, "[L%d] (%s, %s) %s\n", i+1, scope, l.Confidence.Word(), harmless(lessons.Line(l.Content)))
	}
	return b.String()
}
