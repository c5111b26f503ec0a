package formats

import (
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
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

	starts []int // the offsets of its lines in Text
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
	if len(b.starts) == 0 {
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
	b.starts, b.Last = append(b.starts, b.text.Len()), n
	b.text.WriteString(strings.TrimSpace(marks().ReplaceAllString(line, "")))
}

// block is what was added; false for nothing.
func (b *builder) block() (Block, bool) {
	b.Text = b.text.String()
	return b.Block, len(b.starts) > 0
}

// LineAt is the number of the line on which an offset of the text lies.
func (b Block) LineAt(at int) int {
	after := slices.IndexFunc(b.starts, func(start int) bool { return start > at })
	if after < 0 {
		return b.Last
	}
	return b.First + max(after-1, 0)
}

// Markers, on lines of their own, around what this program writes into somebody else's
// file. They are found by their beginnings, so that a later version can word the rest
// differently.
const (
	blockBegin = "<!-- learnings:begin"
	blockEnd   = "<!-- learnings:end -->"
)

var ourBlock = lessons.LazyRegexp(`(?ms)^[ \t]*` + blockBegin + `.*?^[ \t]*` + blockEnd + `[ \t\r]*$`)

// withoutBlocks blanks the lines between our markers, for reading what others wrote in a
// file. Line numbers stay the same.
func withoutBlocks(text string) string {
	return ourBlock().ReplaceAllStringFunc(text, func(block string) string { return strings.Repeat("\n", strings.Count(block, "\n")) })
}

// beginLine is the marker before a block.
const beginLine = blockBegin + ": approved lessons; change them with `learnings`, not here -->"

// maxBlock is the most bytes of a block: agents read it at each start, and follow longer
// ones less.
const maxBlock = 4 << 10

// A part is a file split around its block.
type part struct {
	before, after string
	block         string // with its markers and line ends; "" for none
	newline       string // the line end of the file
}

// divide finds the block of a file. If a marker is there twice or its counterpart is
// missing, it cannot tell which text is ours, and returns an error with the line.
func divide(text string) (part, error) {
	p := part{newline: "\n"}
	if strings.Contains(text, "\r\n") {
		p.newline = "\r\n"
	}
	first, last := -1, -1
	at, n := 0, 0
	for line := range strings.Lines(text) {
		n++
		trimmed := strings.TrimSpace(line)
		switch opens := strings.HasPrefix(trimmed, blockBegin); {
		case opens && first >= 0:
			return p, fmt.Errorf("%w: line %d begins a second block of learnings; leave one", exchange.ErrFormat, n)
		case opens:
			first = at
		case trimmed == blockEnd && (first < 0 || last >= 0):
			return p, fmt.Errorf("%w: line %d ends a block of learnings that does not begin; take it out", exchange.ErrFormat, n)
		case trimmed == blockEnd:
			last = at + len(line)
		}
		at += len(line)
	}
	if first >= 0 && last < 0 {
		return p, fmt.Errorf("%w: the block of learnings has no end; put a line %s where it ends", exchange.ErrFormat, blockEnd)
	}
	if first < 0 {
		p.before = text
		return p, nil
	}
	p.before, p.block, p.after = text[:first], text[first:last], text[last:]
	return p, nil
}

// with returns the file with another block; "" removes the block and the blank line before
// it.
func (p part) with(block string) string {
	if block == "" {
		if p.block == "" {
			return p.before
		}
		return strings.TrimSuffix(p.before, p.newline) + p.after
	}
	block = beginLine + "\n" + block + blockEnd + "\n"
	block = strings.ReplaceAll(block, "\n", p.newline)
	if p.block != "" {
		return p.before + block + p.after
	}
	before := p.before
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += p.newline
	}
	if before != "" && !strings.HasSuffix(before, p.newline+p.newline) {
		before += p.newline
	}
	return before + block
}

// unsafe escapes what could end the block or hide text in it.
var unsafe = strings.NewReplacer("<!--", "<! --", "-->", "-- >")

// own reports whether a file is nothing but a block and what this package puts around it.
func own(p part, head string) bool {
	return strings.TrimSpace(strings.TrimPrefix(p.before, head)) == "" && strings.TrimSpace(p.after) == ""
}
