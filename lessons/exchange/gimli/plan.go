package gimli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/pairs"
)

// Lacks lists what a bullet of LEARNINGS.md cannot hold of a lesson; learnings.json holds
// more of it.
func (Format) Lacks(l lessons.Lesson) []string { return lacksMarkdown(l) }

// Plan plans how the stores at to.Path come to hold the lessons. Those of an agent go to
// its LEARNINGS.md, or to its learnings.json if only that exists; existing entries are
// changed where they are.
func (f Format) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	loc := place(to.Path)
	by := map[string][]lessons.Lesson{}
	for _, l := range ls {
		agent := mainAgent
		if !loc.single {
			agent = agentFor(l, loc.agents)
		}
		by[agent] = append(by[agent], l)
	}
	for _, f := range loc.existing() { // including stores that no lesson is for any more
		if agent := f.agent; !loc.single && by[agent] == nil {
			by[agent] = []lessons.Lesson{}
		}
	}
	p := exchange.NewPlan(to, f, nil) // each store adds what it lacks
	for _, agent := range slices.Sorted(maps.Keys(by)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := planAgent(p, to, loc, agent, by[agent], ls); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// planAgent plans the stores of one agent.
func planAgent(p *exchange.Plan, to exchange.Target, loc location, agent string, ls, all []lessons.Lesson) error {
	var books []*writing
	for _, f := range loc.of(agent) {
		if len(books) > 0 && !exists(f.path) {
			continue // one store is enough
		}
		w := &writing{plan: p, to: to, file: f}
		var err error
		if w.book, w.before, err = openBook(f); err != nil {
			return err
		}
		w.items = w.book.holds().items
		books = append(books, w)
	}
	if first := books[0]; len(books) > 1 && first.before == nil {
		books = books[1:]
	}
	found := make([]bool, len(ls))
	for _, w := range books {
		w.find(ls)
		for i := range ls {
			if w.Of[i] >= 0 {
				found[i] = true
				w.settle(i, ls[i])
			}
		}
		w.leave(all, ls)
	}
	for i, l := range ls {
		if !found[i] {
			books[0].Put(l)
		}
	}
	for _, w := range books {
		w.finish(ls)
	}
	return nil
}

// The ways to find an item by its words.
const (
	reworded = exchange.Other + iota // it says nearly what was written
	alike                            // it says nearly the same, so that Gimli takes both for one
)

// A writing is the plan of one store.
type writing struct {
	plan   *exchange.Plan
	to     exchange.Target
	file   file
	book   book
	items  []item
	before []byte
	*exchange.Sync
	waits  map[int]bool // items of proposals that were made of them
	byText map[string][]int
}

// ledgerKey returns the ledger's key of an item.
func (w *writing) ledgerKey(base string) string { return w.file.name + "#" + base }

// find finds the items of lessons, the surest way first, each item once.
func (w *writing) find(ls []lessons.Lesson) {
	store := exchange.Store{Name: Name, Prefix: w.ledgerKey(""), Twins: true, Says: w.texts, Current: w.book.upToDate, Drop: w.drop}
	store.Set = func(i int, l lessons.Lesson) (key, text string) { return w.keyed(w.book.set(i, l, w.to.Now)) }
	store.Add = func(l lessons.Lesson) (key, text string) { return w.keyed(w.book.add(l, w.to.Now)) }
	if w.before != nil {
		store.Text = w.book.state
	}
	for _, it := range w.items {
		store.Entries = append(store.Entries, exchange.Stored{
			Key: w.ledgerKey(it.base), ID: w.book.holds().id(w.file, it), Says: says(it.category, it.text), Text: it.state, Quote: it.text, Place: w.place(it),
		})
	}
	w.Sync = exchange.NewSync(w.plan, ls, store)
	w.byText = w.FindSayings()
	w.findAlike()
	w.waits = map[int]bool{}
	for i, l := range ls {
		if l.Status == lessons.Pending && (w.Way[i] == exchange.ByID || w.Way[i] == exchange.BySaying) {
			w.waits[w.Of[i]] = true
		}
	}
}

func (w *writing) keyed(base, text string) (key, state string) { return w.ledgerKey(base), text }

// place returns where a person finds an item.
func (w *writing) place(it item) string { return fmt.Sprintf("%s:%d", w.file.name, it.line) }

// says returns the key by which items that say the same are found.
func says(category, text string) string { return category + " " + pairs.Normal(text) }

// texts returns what an item may say to match a lesson.
func (w *writing) texts(l lessons.Lesson) []string {
	return []string{says(categoryOf(l.Category), w.book.text(l)), says(categoryOf(l.Category), l.Content)}
}

// findAlike matches the remaining items by their words, as Gimli finds duplicates: first
// those that somebody has edited since they were written.
func (w *writing) findAlike() {
	if !slices.Contains(w.Taken, false) {
		return
	}
	said := func(id lessons.ID, category, text string) lessons.Lesson {
		return lessons.Lesson{ID: id, Category: lessons.Category(category), Wording: lessons.Wording{Content: text}}
	}
	corpus := sync.OnceValue(func() *pairs.Corpus {
		return pairs.NewCorpus(pairs.ByJaccard, nil, func(yield func(lessons.Lesson) bool) {
			for i, it := range w.items {
				if !w.Taken[i] && !yield(said(lessons.ID(strconv.Itoa(i)), it.category, it.text)) {
					return
				}
			}
		})
	})
	look := func(category, text string) (out []int) {
		for id := range corpus().Find(said("", category, text)) {
			at, _ := strconv.Atoi(string(id))
			out = append(out, at)
		}
		return out
	}
	w.Find(reworded, func(l lessons.Lesson) []int {
		if was, ok := w.Wrote(l.ID); ok {
			return look(categoryOfBase(strings.TrimPrefix(was.Key, w.Prefix)), was.Text)
		}
		return nil
	})
	w.Find(alike, func(l lessons.Lesson) []int {
		if _, ok := w.Wrote(l.ID); !ok && l.Status == lessons.Approved {
			return look(categoryOf(l.Category), w.book.text(l))
		}
		return nil
	})
}

// categoryOfBase returns the category in a key of [bulletKey].
func categoryOfBase(base string) string {
	for _, c := range Categories {
		if strings.HasPrefix(base, c+"-") {
			return c
		}
	}
	return ""
}

// settle updates the item of a lesson.
func (w *writing) settle(n int, l lessons.Lesson) {
	if w.Way[n] == alike {
		w.plan.Lose(l.ID, "an entry of its own: "+w.place(w.items[w.Of[n]])+" says nearly the same")
		return
	}
	w.Settle(n)
}

// drop removes the item of a lesson, and undecided items that say the same: bullets have no
// id but their text, so the next export would take such an item for the lesson's. Of a
// proposal it removes only its own item.
func (w *writing) drop(at int, l lessons.Lesson) (gone bool) {
	items, out := w.items, []int{at}
	if l.Status != lessons.Pending {
		for _, text := range append(w.texts(l), says(items[at].category, items[at].text)) {
			for _, i := range w.byText[text] {
				if (!w.Taken[i] || w.waits[i]) && !slices.Contains(out, i) {
					w.Taken[i], out = true, append(out, i)
				}
			}
		}
	}
	for _, i := range out {
		if !w.book.drop(i, w.to.Now) {
			w.plan.Lose(l.ID, "that it is no longer active: there is more below "+w.place(items[i]))
		} else if i == at {
			gone = true
		}
	}
	return gone
}

// leave removes what was written for lessons that are now for another agent.
func (w *writing) leave(all, here []lessons.Lesson) {
	stay := map[lessons.ID]bool{}
	for _, l := range here {
		stay[l.ID] = true
	}
	for _, l := range all {
		was, ok := w.Wrote(l.ID)
		if !ok || stay[l.ID] {
			continue
		}
		for i, e := range w.Entries {
			if !w.Taken[i] && e.Key == was.Key && e.Text == was.Text {
				w.Taken[i] = true
				w.book.drop(i, w.to.Now)
			}
		}
	}
}

// finish plans the write and records what the store cannot hold.
func (w *writing) finish(ls []lessons.Lesson) {
	after := w.book.bytes(w.to.Now)
	if w.before != nil || len(w.Held) > 0 {
		w.plan.File(w.file.path, w.before, after)
	}
	for _, l := range ls {
		if !w.Held[l.ID] {
			continue
		}
		w.plan.Lose(l.ID, w.book.lacks(l)...)
		if r := l.Scope.Role; r != "" && r != defaultRole && AgentID(r) != cmp.Or(w.book.holds().agent(w.file), mainAgent) {
			w.plan.Lose(l.ID, "its role "+lessons.Line(r))
		}
	}
}
