package match

import "strings"

// An Op is what became of a piece of text.
type Op string

const (
	Keep   Op = "keep"
	Delete Op = "delete"
	Insert Op = "insert"
)

// A Span is a piece of text with what became of it.
type Span struct {
	Text string
	Op   Op
}

// maxCells bounds the table of a comparison: some milliseconds and 4 MB.
const maxCells = 1 << 20

// WordDiff says how b came from a, word by word: what is kept and deleted is
// together a, and what is kept and inserted is together b, to the last blank (bytes
// that are not UTF-8 become U+FFFD).
// Neighbours of one kind are one span, and a deletion comes before the insertion
// that replaces it.
//
// Texts of more than some thousand differing words are not compared: between the
// words that they begin and end with alike, all of a is then deleted and all of
// b inserted.
func WordDiff(a, b string) []Span {
	x, y := tokens(a), tokens(b)
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	var d differ
	d.add(Keep, x[:head]...)
	d.middle(x[head:len(x)-tail], y[head:len(y)-tail])
	d.add(Keep, x[len(x)-tail:]...)
	d.flush()
	return together(d.out)
}

// together makes one replacement of two that only a blank lies between: "old
// words" for "new text" reads better than two words each replaced by one.
func together(in []Span) []Span {
	var out []Span
	for i := 0; i < len(in); i++ {
		n := len(out)
		if n >= 2 && out[n-2].Op == Delete && out[n-1].Op == Insert && i+2 < len(in) &&
			in[i].Op == Keep && strings.TrimSpace(in[i].Text) == "" && in[i+1].Op == Delete && in[i+2].Op == Insert {
			out[n-2].Text += in[i].Text + in[i+1].Text
			out[n-1].Text += in[i].Text + in[i+2].Text
			i += 2
			continue
		}
		out = append(out, in[i])
	}
	return out
}

// A differ gathers spans. Deletions and insertions wait until something is kept,
// so that each run of them is one pair.
type differ struct {
	out               []Span
	deleted, inserted strings.Builder
}

func (d *differ) add(op Op, toks ...string) {
	for _, t := range toks {
		switch op {
		case Delete:
			d.deleted.WriteString(t)
		case Insert:
			d.inserted.WriteString(t)
		default:
			d.flush()
			if n := len(d.out); n > 0 && d.out[n-1].Op == Keep {
				d.out[n-1].Text += t
			} else {
				d.out = append(d.out, Span{Text: t, Op: Keep})
			}
		}
	}
}

func (d *differ) flush() {
	if d.deleted.Len() > 0 {
		d.out = append(d.out, Span{Text: d.deleted.String(), Op: Delete})
	}
	if d.inserted.Len() > 0 {
		d.out = append(d.out, Span{Text: d.inserted.String(), Op: Insert})
	}
	d.deleted.Reset()
	d.inserted.Reset()
}

// middle compares by the longest common subsequence.
func (d *differ) middle(x, y []string) {
	if (len(x)+1)*(len(y)+1) > maxCells {
		d.add(Delete, x...)
		d.add(Insert, y...)
		return
	}
	// common[i][j] is how many tokens x[i:] and y[j:] share, in rows of w.
	w := len(y) + 1
	common := make([]int32, (len(x)+1)*w)
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				common[i*w+j] = common[(i+1)*w+j+1] + 1
			} else {
				common[i*w+j] = max(common[(i+1)*w+j], common[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(x) && j < len(y) {
		switch {
		case x[i] == y[j]:
			d.add(Keep, x[i])
			i++
			j++
		case common[(i+1)*w+j] >= common[i*w+j+1]:
			d.add(Delete, x[i])
			i++
		default:
			d.add(Insert, y[j])
			j++
		}
	}
	d.add(Delete, x[i:]...)
	d.add(Insert, y[j:]...)
}
