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

// A Style says how chosen lessons are written.
type Style struct {
	Project string // in the wrapper; may be ""
	Note    string // a line before the lessons, written even without any
}

// Write writes the choices that are in, as a Markdown list, in a
// wrapper by which a reader of the transcript knows our own words again:
//
//	<learnings-context project="octofs">
//	The user approved …
//	- After editing a .proto file, run make generate. [L-k7m2p9qx]
//	</learnings-context>
//
// Nothing in a lesson can close the wrapper or reach a terminal as a control
// sequence. When nothing is in and there is no [Style.Note], nothing is written.
func Write(w io.Writer, chosen []Choice, style Style) error {
	_, err := io.WriteString(w, text(chosen, style))
	return err
}

// approved says who approved the lessons, and how far they bind.
const approved = "The user approved these for this project; follow them unless the user says otherwise in this session. `learnings show ID` tells more."

// text returns the block. At the start of a session it says how many lessons wait.
func text(chosen []Choice, style Style) string {
	note := harmless(lessons.Line(style.Note))
	if len(IDs(chosen)) == 0 && note == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("<learnings-context")
	if style.Project != "" {
		fmt.Fprintf(&b, " project=\"%s\"", attribute(style.Project))
	}
	b.WriteString(">\n")
	if note != "" {
		b.WriteString(note + "\n")
	}
	if len(IDs(chosen)) > 0 {
		b.WriteString(approved + "\n")
	}
	for _, c := range chosen {
		if c.In {
			b.WriteString(render(c.said()))
		}
	}
	switch n := Waiting(chosen); {
	case n == 1:
		b.WriteString("One more waits for its subject: `learnings search WORDS` finds it.\n")
	case n > 1:
		fmt.Fprintf(&b, "%d more wait for their subject: `learnings search WORDS` finds them.\n", n)
	}
	b.WriteString("</learnings-context>\n")
	return b.String()
}

// render formats a lesson as a list item.
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

// writeIndented writes text as part of a list item.
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

// frames matches tags that mean something to us or to a harness around us. A lesson may
// only quote them.
var frames = regexp.MustCompile(`(?i)<(\s*/?\s*(?:learnings-context|system-reminder))`)

// harmless disarms the tags of frames but leaves them legible.
func harmless(s string) string { return frames.ReplaceAllString(s, "‹$1") }

// attribute makes a name safe in quotation marks.
func attribute(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(lessons.Line(s))
}

// handle removes from an id what an id cannot have.
func handle(id lessons.ID) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, string(id))
}

// Tokens estimates the tokens of a text for a language model, rather too high than too low:
// one for each 4 bytes of prose and each 2.5 bytes of code, and one for every character
// beyond ASCII. Code is what stands between fences.
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

// IDs returns the ids of the choices that are in.
func IDs(chosen []Choice) []lessons.ID {
	var ids []lessons.ID
	for _, c := range chosen {
		if c.In {
			ids = append(ids, c.Lesson.ID)
		}
	}
	return slices.Clip(ids)
}
