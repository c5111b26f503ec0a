package standing

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/lessons/lazy"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// A statement is one sentence of a file of instructions.
type statement struct {
	where  string // "CLAUDE.md:12"
	text   string
	said   match.Saying
	both   *match.Saying // with the sentence behind it in the same paragraph; nil for none
	next   *match.Saying // that sentence
	stance stance.Stance
}

// says reports that a statement says what a lesson does, alone or with the sentence
// behind it, unless that one does alone.
func (s statement) says(l match.Saying) bool {
	return s.said.Covers(l) || s.both != nil && s.both.Covers(l) && !s.next.Covers(l)
}

// maxStatement is how many bytes of a sentence are compared. A longer one is no
// instruction.
const maxStatement = 1 << 10

var (
	// startsBlock is the beginning of a line that does not go on with the
	// paragraph before it: an item of a list, a heading, a row of a table.
	startsBlock = lazy.Regexp(`^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|>|\|)`)
	// marks are what Markdown puts before a text.
	marks = lazy.Regexp(`^\s*(?:(?:[-*+]|\d+[.)]|#{1,6}|>)\s+|\|)(?:\[[ xX]\]\s+)?`)
)

// given are elements in which this program and others give a session what they
// remember: not the project's own words.
var given = []string{"learnings-context", "claude-mem-context"}

// statements reads the sentences of a file. Code blocks, comments, the head of
// a rule file, and what a memory has put there are left out.
func statements(text, name string) (out []statement) {
	var b block
	skip := "" // the beginning of the line that ends what is left out
	for i, line := range strings.Split(text, "\n") {
		t := strings.TrimSpace(line)
		if skip != "" {
			if strings.Contains(t, skip) {
				skip = ""
			}
			continue
		}
		skip = skips(t, i)
		aside := skip != "" || t == ""
		if aside || startsBlock().MatchString(line) {
			out = append(out, b.statements(name)...)
			b = block{}
		}
		if !aside {
			b.add(marks().ReplaceAllString(line, ""), i+1)
		} else if skip != "" && strings.Contains(t[3:], skip) { // it ends where it begins
			skip = ""
		}
	}
	return append(out, b.statements(name)...)
}

// skips gives what ends the part of a file that begins with this line and is
// left out; "" when it is not.
func skips(line string, i int) string {
	switch {
	case i == 0 && line == "---":
		return "---"
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		return line[:3]
	case strings.HasPrefix(line, "<!--"):
		return "-->"
	}
	for _, tag := range given {
		if strings.HasPrefix(line, "<"+tag) {
			return "</" + tag + ">"
		}
	}
	return ""
}

// A block is a paragraph or an item of a list.
type block struct {
	text   strings.Builder
	starts []int // where in the text a line begins
	lines  []int // its number
}

func (b *block) add(line string, n int) {
	if b.text.Len() > 0 {
		b.text.WriteByte(' ')
	}
	b.starts, b.lines = append(b.starts, b.text.Len()), append(b.lines, n)
	b.text.WriteString(strings.TrimSpace(line))
}

// statements cuts a block into sentences.
func (b *block) statements(name string) (out []statement) {
	text := b.text.String()
	for from := 0; from < len(text); {
		to := from + sentence(text[from:])
		s := strings.ToValidUTF8(strings.TrimSpace(text[from:to]), "")
		if strings.IndexFunc(s, unicode.IsLetter) >= 0 && len(s) <= maxStatement {
			said := match.NewSaying(s)
			if n := len(out); n > 0 {
				both := match.NewSaying(out[n-1].text + " " + s)
				out[n-1].both, out[n-1].next = &both, &said
			}
			of := lessons.Lesson{Wording: lessons.Wording{Content: s}, Scope: lessons.Scope{Global: true}}
			out = append(out, statement{where: fmt.Sprintf("%s:%d", name, b.line(from)), text: s, said: said, stance: stance.Of(of)})
		}
		from = to
	}
	return out
}

// line is the number of the line on which an offset of the text lies.
func (b *block) line(at int) int {
	n := b.lines[0]
	for i, start := range b.starts {
		if start <= at {
			n = b.lines[i]
		}
	}
	return n
}

// sentence is the length of the first sentence of a text, with the blank behind
// it. A full stop ends one where no small letter follows: "e.g. this" goes on.
func sentence(text string) int {
	for i := 0; i+2 < len(text); i++ {
		if strings.IndexByte(".!?", text[i]) >= 0 && text[i+1] == ' ' {
			if r, _ := utf8.DecodeRuneInString(text[i+2:]); !unicode.IsLower(r) {
				return i + 2
			}
		}
	}
	return len(text)
}
