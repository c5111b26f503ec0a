package match

// A prober finds the sets that are like one that is given, in any order and
// while sets are added. Tokens may be below 0: those came after the first sets
// were counted, and are held to be rarer than all others.
type prober struct {
	measure
	sets  [][]int32
	old   [][]posting // by token from 0
	young [][]posting // by -1-token
	tally tally
	gone  []bool // sets that are not to be found any more
}

// add takes a set in and says its number.
func (p *prober) add(s []int32) int32 {
	i := int32(len(p.sets))
	p.sets, p.gone = append(p.sets, s), append(p.gone, false)
	p.tally.hits = append(p.tally.hits, 0)
	for pos, t := range s[:p.indexed(len(s))] {
		list := p.list(t)
		*list = append(*list, posting{i, int32(pos)})
	}
	return i
}

func (p *prober) list(t int32) *[]posting {
	lists, i := &p.old, int(t)
	if t < 0 {
		lists, i = &p.young, -1-int(t)
	}
	for len(*lists) <= i {
		*lists = append(*lists, nil)
	}
	return &(*lists)[i]
}

// indexed is how many of the first tokens of a set of n are looked up, by sets
// smaller and larger.
func (p *prober) indexed(n int) int {
	switch p.kind {
	case jaccardMeasure:
		return max(n-p.least(n)+1, 0)
	case coverMeasure:
		return max(n-p.need(n, n)+1, 0)
	}
	return max(n-max(p.shared, 1)+1, 0)
}

// find gives the sets that are like a set. For a containment the set
// is the new one.
func (p *prober) find(s []int32, out []found) []found {
	least, most := p.within(len(s))
	for pos, t := range s[:max(len(s)-p.least(len(s))+1, 0)] {
		for _, at := range *p.list(t) {
			size := len(p.sets[at.set])
			if size < least || size > most || p.gone[at.set] {
				continue
			}
			p.tally.count(at, p.need(len(s), size), len(s)-pos, size)
		}
	}
	for _, y := range p.tally.seen {
		if p.tally.hits[y] > 0 {
			if v, ok := p.verify(s, p.sets[y]); ok {
				out = append(out, found{-1, y, v})
			}
		}
	}
	p.tally.reset()
	return out
}
