package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Shares of the budget. What the person said may use all that the rest leaves.
const (
	personShare  = 0.78
	contextShare = 0.92 // of the budget, for person and context together; the rest is for errors
	leastTokens  = 48   // of a person's message; below that, messages are dropped
	mostTokens   = 900
)

// fit decides what is sent of each piece. It drops pleasantries first, then shortens
// long messages, then drops the least telling ones. The rest of the budget goes to
// context and errors.
func fit(pieces []*piece, budget int) {
	pieces = slices.Clone(pieces)
	slices.SortStableFunc(pieces, func(a, b *piece) int { return cmp.Compare(b.value, a.value) })
	var person, rest []*piece
	for _, p := range pieces {
		if strings.HasPrefix(p.label, labelUser) {
			person = append(person, p)
		} else {
			rest = append(rest, p)
		}
	}
	used := fitPerson(person, int(float64(budget)*personShare))
	told := make(map[int]bool) // the agent's turns: one between two messages may be the concession to the first and the cause of the second
	for _, p := range rest {
		limit := budget
		if p.label != labelError && p.label != labelFix {
			limit = int(float64(budget) * contextShare)
		}
		short := p.text
		if p.limit > 0 {
			short = clip(p.text, p.limit)
		}
		need := p.cost(short)
		if p.after != nil && p.after.out == "" || used+need > limit || p.label == labelAgent && told[p.turn] {
			continue
		}
		p.out = short
		used += need
		told[p.turn] = told[p.turn] || p.label == labelAgent
	}
}

// cost returns the tokens of the line with a text.
func (p *piece) cost(text string) int { return Tokens(line{"M100", p.label, text, 0}.String()) }

// fitPerson gives each message of the person its share, the most telling first, and
// returns the tokens used.
func fitPerson(ps []*piece, budget int) (used int) {
	sizes := make([]int, len(ps))
	for i, p := range ps {
		sizes[i] = p.cost(p.text)
	}
	need := func(limit int) int {
		sum := 0
		for _, n := range sizes {
			sum += min(n, limit)
		}
		return sum
	}
	// Pleasantries are kept only where they cost nothing.
	for n := len(ps); n > 0 && (need(leastTokens) > budget || ps[n-1].value < valuePlain && need(mostTokens) > budget); n = len(ps) {
		ps, sizes = ps[:n-1], sizes[:n-1]
	}
	limit := leastTokens
	for step := mostTokens; step >= 1; step /= 2 {
		for limit+step <= mostTokens && need(limit+step) <= budget {
			limit += step
		}
	}
	for _, p := range ps {
		p.out = shorten(p.text, limit-p.cost(""))
		for p.out != "" && p.cost(p.out) > limit { // joining parts can cost more than the parts
			p.out = head(p.out, max(0, len(p.out)*9/10-len(" …")))
		}
		used += p.cost(p.out)
	}
	return used
}

// indented returns the tokens of a text in a digest. Each line after the first is
// indented by four blanks, which are one token.
func indented(s string) int { return Tokens(s) + strings.Count(s, "\n") }

// clip cuts a text after some tokens.
func clip(s string, tokens int) string {
	if n := indented(s); n > tokens {
		return head(s, len(s)*tokens/n)
	}
	return s
}

// shorten cuts a long message in the middle. It keeps the beginning, the end, and what
// looks like a rule between.
func shorten(s string, tokens int) string {
	if indented(s) <= tokens {
		return s
	}
	parts, ranks := ranked(s)
	order, drop := make([]int, len(parts)), make([]bool, len(parts))
	for i := range parts {
		order[i], drop[i] = i, true
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[b], ranks[a]) })
	left := tokens - 8 // for the marks
	for _, i := range order {
		if n := indented(parts[i]); n <= left {
			drop[i] = false
			left -= n
		}
	}
	if !slices.Contains(drop, false) {
		return clip(s, tokens)
	}
	return without(parts, drop, 0)
}

// ranked splits a message into lines, and long lines into sentences. The highest rank
// is dropped last: code and pasted logs rank below prose, the middle below both ends,
// and rules above all.
func ranked(s string) (parts []string, ranks []float64) {
	code := false
	for line := range strings.Lines(s) {
		code = code != strings.HasPrefix(strings.TrimSpace(line), "```")
		for _, part := range sentences(line) {
			rank, prose := 0.0, strings.TrimSpace(part)
			if code || pasted(prose) || output().MatchString(prose) {
				rank = -2
			} else if n := len(directive().FindAllString(prose, 3)); n > 0 {
				rank = 1 + float64(n)/4
			}
			parts, ranks = append(parts, part), append(ranks, rank)
		}
	}
	for i := range ranks {
		ranks[i] += 1.2 - 2*float64(min(i, len(ranks)-1-i))/float64(len(ranks))
	}
	return parts, ranks
}

// Bytes of lines that are kept or dropped as a whole, and of their sentences.
const longest, shortest = 240, 40

// sentences splits a line that is too long to be kept or dropped as a whole.
func sentences(line string) (out []string) {
	for len(line) > longest {
		cut := 0
		for _, stop := range []string{". ", "; ", "? ", "! ", "。", ", ", " "} {
			if i := strings.Index(line[shortest:], stop); i >= 0 && shortest+i+len(stop) < 2*longest {
				cut = shortest + i + len(stop)
				break
			}
		}
		if cut == 0 || cut >= len(line) {
			break
		}
		out, line = append(out, line[:cut]), line[cut:]
	}
	return append(out, line)
}

// pasted reports whether a line looks like output or code rather than prose.
func pasted(line string) bool {
	if len(line) < 3 || strings.HasPrefix(line, "at ") || strings.IndexByte("+|<", line[0]) >= 0 {
		return true
	}
	letters, all := 0, 0
	for _, r := range line {
		all++
		if r == ' ' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 0x7f {
			letters++
		}
	}
	return letters*4 < all*3
}

// without joins the parts that are kept. Gaps are marked with their size, so that no
// quote spans one; gaps of at most least bytes are kept.
func without(parts []string, drop []bool, least int) string {
	if !slices.Contains(drop, true) {
		return strings.Join(parts, "")
	}
	var b strings.Builder
	gap := ""
	end := func() {
		if len(gap) <= least {
			b.WriteString(gap)
		} else {
			fmt.Fprintf(&b, " [… %d characters left out …]\n", len(gap))
		}
		gap = ""
	}
	for i, part := range parts {
		if drop[i] || gap != "" && strings.TrimSpace(part) == "" {
			gap += part
			continue
		}
		end()
		b.WriteString(part)
	}
	end()
	return strings.TrimSpace(b.String())
}
