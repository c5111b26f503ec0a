package formats

import (
	"fmt"
	"strings"

	"learnings/lessons/exchange"
)

// beginLine is the marker before a block.
const beginLine = exchange.BlockBegin + ": approved lessons; change them with `learnings`, not here -->"

// maxBlock is the most bytes of a block: agents read it at each start, and follow less
// of what is longer.
const maxBlock = 4 << 10

// A part is a file as it is around its block.
type part struct {
	before, after string
	block         string // with its markers and line ends; "" when there is none
	newline       string // of the file
}

// divide finds the block of a file. Markers that are there twice, or one without the
// other, are an error with the line: which text between is ours cannot be told.
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
		switch opens := strings.HasPrefix(trimmed, exchange.BlockBegin); {
		case opens && first >= 0:
			return p, fmt.Errorf("%w: line %d begins a second block of learnings; leave one", exchange.ErrFormat, n)
		case opens:
			first = at
		case trimmed == exchange.BlockEnd && (first < 0 || last >= 0):
			return p, fmt.Errorf("%w: line %d ends a block of learnings that does not begin; take it out", exchange.ErrFormat, n)
		case trimmed == exchange.BlockEnd:
			last = at + len(line)
		}
		at += len(line)
	}
	if first >= 0 && last < 0 {
		return p, fmt.Errorf("%w: the block of learnings has no end; put a line %s where it ends", exchange.ErrFormat, exchange.BlockEnd)
	}
	if first < 0 {
		p.before = text
		return p, nil
	}
	p.before, p.block, p.after = text[:first], text[first:last], text[last:]
	return p, nil
}

// with gives the file with another block; "" takes it out, and the blank line that was
// put before it.
func (p part) with(block string) string {
	if block == "" {
		if p.block == "" {
			return p.before
		}
		return strings.TrimSuffix(p.before, p.newline) + p.after
	}
	block = beginLine + "\n" + block + exchange.BlockEnd + "\n"
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

// unsafe is what in a line could end the block or hide text in it.
var unsafe = strings.NewReplacer("<!--", "<! --", "-->", "-- >")

// own reports that a text holds nothing but a block and what this package puts around it.
func own(p part, head string) bool {
	return strings.TrimSpace(strings.TrimPrefix(p.before, head)) == "" && strings.TrimSpace(p.after) == ""
}
