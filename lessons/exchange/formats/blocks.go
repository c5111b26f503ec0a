package formats

import (
	"strings"

	"learnings/lessons"
)

// A Kind is what a block of Markdown is.
type Kind int

const (
	Paragraph Kind = iota
	Item           // of a list
	Heading
	Aside // a quotation, or a row of a table
)

// A Block is a paragraph, an item of a list, a heading, a quotation or a row of a table.
type Block struct {
	Kind  Kind
	Text  string // on one line, without the Markdown prefix
	First int    // its first line, from 1
	Last  int

	starts []int // the offsets of lines in Text
	lines  []int // their line numbers
}

var (
	// startsBlock matches a line that does not continue the paragraph before it.
	startsBlock = lessons.LazyRegexp(`^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|>|\|)`)
	// marks matches the Markdown before a text.
	marks = lessons.LazyRegexp(`^\s*(?:(?:[-*+]|\d+[.)]|#{1,6}|>)\s+|\|)(?:\[[ xX]\]\s+)?`)
)

// given are elements in which this program and others give a session what they remember.
// They are not the project's own words.
var given = []string{"learnings-context", "claude-mem-context"}

// Blocks returns the blocks of a file. It leaves out code blocks, comments, the
// frontmatter, and what a memory or this program has put there.
func Blocks(text string) (out []Block) {
	var b builder
	end := func() {
		if block, ok := b.block(); ok {
			out = append(out, block)
		}
		b = builder{}
	}
	skip := "" // the prefix of the line that ends the skipped part
	for i, line := range strings.Split(withoutBlocks(text), "\n") {
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
			end()
		}
		if !aside {
			if b.add(line, i+1); b.Kind == Heading {
				end()
			}
		} else if skip != "" && strings.Contains(t[3:], skip) { // it ends on the line where it begins
			skip = ""
		}
	}
	end()
	return out
}

// skips returns what ends a part that begins with this line and is to be skipped; "" if
// none does.
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

// A builder makes a block of its lines.
type builder struct {
	Block
	text strings.Builder
}

func (b *builder) add(line string, n int) {
	if len(b.lines) == 0 {
		b.First = n
		switch t := strings.TrimSpace(line); {
		case !startsBlock().MatchString(line):
		case t[0] == '#':
			b.Kind = Heading
		case t[0] == '>', t[0] == '|':
			b.Kind = Aside
		default:
			b.Kind = Item
		}
	}
	if b.text.Len() > 0 {
		b.text.WriteByte(' ')
	}
	b.starts, b.lines, b.Last = append(b.starts, b.text.Len()), append(b.lines, n), n
	b.text.WriteString(strings.TrimSpace(marks().ReplaceAllString(line, "")))
}

// block is what was added; false for nothing.
func (b *builder) block() (Block, bool) {
	b.Text = b.text.String()
	return b.Block, len(b.lines) > 0
}

// LineAt is the number of the line on which an offset of the text lies.
func (b Block) LineAt(at int) int {
	n := b.First
	for i, start := range b.starts {
		if start <= at {
			n = b.lines[i]
		}
	}
	return n
}
