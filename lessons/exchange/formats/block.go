package formats

import (
	"fmt"
	"strings"

	"learnings/lessons/exchange"
)

// Markers, on lines of their own, around what this program writes into somebody else's
// file. They are found by their beginnings, so that a later version can word the rest
// differently.
const (
	blockBegin = "<!-- learnings:begin"
	blockEnd   = "<!-- learnings:end -->"
)

// withoutBlocks blanks the lines between our markers, for reading what others wrote in a
// file. Line numbers stay the same.
func withoutBlocks(text string) string {
	if !strings.Contains(text, blockBegin) {
		return text
	}
	var out, block strings.Builder // block: the text from a marker on
	within, n := false, 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if !within && !strings.HasPrefix(trimmed, blockBegin) {
			out.WriteString(line)
			continue
		}
		within = true
		block.WriteString(line)
		if n++; trimmed == blockEnd {
			out.WriteString(strings.Repeat("\n", n))
			block.Reset()
			within, n = false, 0
		}
	}
	return out.String() + block.String()
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
