package gitsync

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"learnings/lessons"
)

// A person decides at random on one machine.
type person struct {
	*machine
	name    string
	rand    func(n int) int
	ids     []lessons.ID // of lessons that were there
	gone    map[lessons.ID]bool
	removed map[lessons.ID]bool // by taking back what added them
	n       int
	ops     map[string]int
}

func newPerson(m *machine, name string, ids []lessons.ID, rand func(int) int) *person {
	return &person{machine: m, name: name, rand: rand, ids: ids, gone: map[lessons.ID]bool{}, removed: map[lessons.ID]bool{}, ops: map[string]int{}}
}

// do is one decision. One that cannot be made, such as to archive a proposal, is
// another one then.
func (p *person) do() {
	p.t.Helper()
	for {
		op := p.op()
		if op != "" {
			p.ops[op]++
			return
		}
	}
}

func (p *person) op() string {
	p.t.Helper()
	p.n++
	what := p.rand(100)
	if what < 12 {
		id := lessons.IDFrom(p.name, fmt.Sprint(p.n))
		p.put("add", lesson(id, fmt.Sprintf("Words %d of %s", p.n, p.name)))
		p.ids = append(p.ids, id)
		return "add"
	}
	if what < 20 {
		changes, err := p.store.Undo(1, p.name)
		if errors.Is(err, lessons.ErrConflict) || len(changes) == 0 {
			return ""
		}
		if err != nil {
			p.t.Fatal(err)
		}
		for _, c := range changes {
			p.removed[c.ID] = c.After == nil
		}
		return "undo"
	}
	l, err := p.store.Get(p.ids[p.rand(len(p.ids))])
	if err != nil {
		return ""
	}
	if what < 25 {
		before := p.all()
		if err := p.store.Forget(l.ID); errors.Is(err, lessons.ErrInvalid) {
			return ""
		} else if err != nil {
			p.t.Fatal(err)
		}
		after := p.all()
		for id := range before {
			if _, ok := after[id]; !ok {
				p.gone[id] = true
			}
		}
		return "forget"
	}
	return p.change(what, l)
}

// change is a decision that changes lessons.
func (p *person) change(what int, l lessons.Lesson) string {
	p.t.Helper()
	d := lessons.Decision{By: p.name, At: p.later()}
	out := []lessons.Lesson{l}
	var err error
	op := ""
	switch {
	case what < 45:
		op = "approve"
		out[0], err = l.Approve(d)
	case what < 60:
		op = "reject"
		out[0], err = l.Reject(d)
	case what < 75:
		op = "edit"
		out[0].Content = fmt.Sprintf("%s, says %s %d", l.Title(20), p.name, p.n)
		out[0].Tags = append(append([]string{}, l.Tags...), p.name+fmt.Sprint(p.n%7))
	case what < 87:
		op = "use"
		out[0].Use.Used++
		out[0].Use.Last = p.later()
	default:
		op = "merge"
		var other lessons.Lesson
		if other, err = p.store.Get(p.ids[p.rand(len(p.ids))]); err == nil {
			out, err = lessons.Merge(d, l, other)
		}
	}
	if err != nil {
		return ""
	}
	p.put(lessons.Op(op), out...)
	return op
}

func (m *machine) all() map[lessons.ID]lessons.Lesson {
	m.t.Helper()
	out := map[lessons.ID]lessons.Lesson{}
	for l, err := range m.store.All() {
		if err != nil {
			m.t.Fatal(err)
		}
		l.Rev = ""
		out[l.ID] = l
	}
	return out
}

func equal(a, b lessons.Lesson) bool {
	a.Rev, b.Rev = "", ""
	return reflect.DeepEqual(a, b)
}

// kept checks that what two persons did since base is all in the corpus that
// they have now.
func kept(t testing.TB, base, x, y, now map[lessons.ID]lessons.Lesson, a, b *person) {
	t.Helper()
	texts := map[string]bool{}
	for _, l := range now {
		texts[l.Content] = true
	}
	for _, side := range []map[lessons.ID]lessons.Lesson{x, y} {
		for id, l := range side {
			if a.gone[id] || b.gone[id] {
				if _, ok := now[id]; ok {
					t.Errorf("%s was forgotten, and is there", id)
				}
				continue
			}
			was, had := base[id]
			changed := !had || !equal(was, l)
			if _, ok := now[id]; !ok && changed {
				t.Errorf("%s is lost: %+v", id, l)
			} else if !ok && !a.removed[id] && !b.removed[id] {
				t.Errorf("%s is lost, and nobody has removed it: %+v", id, l)
			}
			if changed && l.Content != was.Content && !texts[l.Content] {
				t.Errorf("the text %q of %s is lost", l.Content, id)
			}
		}
	}
	for id, l := range now {
		if base[id].ID != "" && x[id].ID != "" && y[id].ID != "" {
			if want := max(x[id].Use.Used+y[id].Use.Used-base[id].Use.Used, 0); l.Use.Used != want {
				t.Errorf("%s was used %d times, not %d", id, l.Use.Used, want)
			}
		}
		if l.Status == lessons.Merged && now[l.Decided.Into].ID == "" {
			t.Errorf("%s was merged into %s, which is not there", id, l.Decided.Into)
		}
	}
}

// diverge lets two persons decide n times each, and then brings the two together.
func diverge(t testing.TB, a, b *person, n int) {
	t.Helper()
	base := a.all()
	b.clock = a.clock.Add(time.Second) // what both do at the same moment, down to the second, is one deed
	for range n {
		a.do()
	}
	for range n {
		b.do()
	}
	x, y := a.all(), b.all()
	if a.rand(2) == 0 {
		meet(t, a.machine, b.machine)
	} else {
		meet(t, b.machine, a.machine)
	}
	kept(t, base, x, y, a.all(), a, b)
}

func seeds(n int) ([]lessons.Lesson, []lessons.ID) {
	var ls []lessons.Lesson
	var ids []lessons.ID
	for i := range n {
		id := lessons.IDFrom("seed", fmt.Sprint(i))
		ls, ids = append(ls, lesson(id, fmt.Sprintf("Lesson %d says what to do in case %d", i, i%7))), append(ids, id)
	}
	return ls, ids
}

// TestDiverge: whatever two persons decide, both copies are the same afterwards
// and nothing is lost.
func TestDiverge(t *testing.T) {
	t.Parallel()
	rounds := 0
	rapid.Check(t, func(rt *rapid.T) {
		if rounds++; rounds > 2 { // each waits for the disk and for git some hundred times
			return
		}
		seed := rapid.Uint64().Draw(rt, "seed")
		r := rand.New(rand.NewPCG(seed, 1))
		ls, ids := seeds(12)
		am, bm, _ := pair(t, ls...)
		a, b := newPerson(am, "ada", ids, r.IntN), newPerson(bm, "bob", ids, r.IntN)
		for range 3 {
			diverge(t, a, b, 15)
			if t.Failed() {
				rt.Fatalf("with the seed %d", seed)
			}
			a.clock = b.clock.Add(time.Hour)
		}
	})
}
