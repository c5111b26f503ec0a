package recall

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"learnings/lessons"
)

// A Style is how chosen lessons are written.
type Style struct {
	Project string // named in the wrapper; may be ""
	Brief   bool   // the lessons alone, without reasons and examples
	Note    string // one line that stands before the lessons, and also where there are none
}

// Write writes the choices that are in, as Markdown that states facts, in a
// wrapper by which a reader of the transcript knows our own words again:
//
//	<learnings-context project="octofs" lessons="k7m2p9qx">
//	…
//	</learnings-context>
//
// Nothing in a lesson can close the wrapper or reach a terminal as a control
// sequence. When nothing is in and there is no [Style.Note], nothing is written.
func Write(w io.Writer, chosen []Choice, style Style) error {
	_, err := io.WriteString(w, text(chosen, style))
	return err
}

// titles of the shelves, in the order of [lessons.Shelves].
var titles = map[lessons.Shelf]string{
	lessons.Preferences: "Preferences", lessons.Corrections: "Corrections", lessons.Errors: "Errors and what cured them",
	lessons.Workflows: "Workflows", lessons.Tools: "Tools", lessons.Architecture: "Architecture",
	lessons.Debugging: "Debugging", lessons.Patterns: "Patterns", lessons.Discoveries: "Discoveries", lessons.Other: "Other",
}

func text(chosen []Choice, style Style) string {
	var ids []string
	byShelf := map[lessons.Shelf][]lessons.Lesson{}
	for _, c := range chosen {
		if c.In {
			ids = append(ids, handle(c.Lesson.ID))
			shelf := c.Lesson.Category.Shelf()
			byShelf[shelf] = append(byShelf[shelf], c.said(style))
		}
	}
	note := harmless(lessons.Line(style.Note))
	if len(ids) == 0 && note == "" {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<learnings-context project=\"%s\" lessons=\"%s\">\n", attribute(style.Project), strings.Join(ids, ","))
	if note != "" {
		b.WriteString(note + "\n")
	}
	if len(ids) > 0 {
		b.WriteString("What earlier sessions have shown, each point confirmed by a person. A point that you use can be cited by its [L-…]:\n")
	}
	for _, shelf := range lessons.Shelves {
		if len(byShelf[shelf]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", titles[shelf])
		for _, l := range byShelf[shelf] {
			b.WriteString(render(l))
		}
	}
	b.WriteString("</learnings-context>\n")
	return b.String()
}

// render is one lesson as an item of a list.
func render(l lessons.Lesson) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s %s\n", harmless(lessons.Line(l.Content)), lessons.ID(handle(l.ID)).Handle())
	if s := strings.TrimSpace(lessons.Block(l.Insight)); s != "" {
		writeIndented(&b, harmless(s))
	}
	if s := strings.Trim(lessons.Block(l.Example), "\n"); strings.TrimSpace(s) != "" {
		s = harmless(s)
		fence := strings.Repeat("`", max(3, longestRun(s, '`')+1))
		writeIndented(&b, fence+"\n"+s+"\n"+fence)
	}
	return b.String()
}

// writeIndented makes text part of a list item, whatever it begins with.
func writeIndented(b *strings.Builder, s string) {
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			b.WriteString("  ")
			b.WriteString(line)
		}
		b.WriteByte('\n')
	}
}

func longestRun(s string, c byte) int {
	best, n := 0, 0
	for i := range len(s) {
		if s[i] == c {
			n++
			best = max(best, n)
		} else {
			n = 0
		}
	}
	return best
}

// frames are the tags that mean something to us or to a harness around us. In a
// lesson they are only quoted.
var frames = regexp.MustCompile(`(?i)<(\s*/?\s*(?:learnings-context|system-reminder))`)

// harmless takes the meaning out of the tags of frames and leaves them legible.
func harmless(s string) string { return frames.ReplaceAllString(s, "‹$1") }

// attribute makes a name safe between quotation marks.
func attribute(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(lessons.Line(s))
}

// handle is an id with nothing in it that an id cannot have.
func handle(id lessons.ID) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, string(id))
}

// Tokens estimates how many tokens a text is to a language model, rather too
// many than too few: one for each 4 bytes of prose and each 2.5 bytes of code,
// and one for every character beyond ASCII. Code is what stands between fences.
func Tokens(text string) int {
	var n float64
	fence := ""
	for line := range strings.Lines(text) {
		mark := strings.TrimSpace(line)
		per := 4.0
		switch {
		case fence != "":
			per = 2.5
			if mark == fence {
				fence = ""
			}
		case strings.HasPrefix(mark, "```"):
			per = 2.5
			fence = mark[:len(mark)-len(strings.TrimLeft(mark, "`"))]
		}
		wide := utf8.RuneCountInString(line) - ascii(line)
		n += float64(ascii(line))/per + float64(wide)
	}
	return int(math.Ceil(n))
}

func ascii(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			n++
		}
	}
	return n
}

// IDs are those of the choices that are in, for whoever counts their use.
func IDs(chosen []Choice) []lessons.ID {
	var ids []lessons.ID
	for _, c := range chosen {
		if c.In {
			ids = append(ids, c.Lesson.ID)
		}
	}
	return slices.Clip(ids)
}
