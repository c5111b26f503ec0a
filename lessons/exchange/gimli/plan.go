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
	"learnings/lessons/match"
)

// Lacks says what a bullet of LEARNINGS.md does not hold of a lesson; learnings.json
// holds more of it.
func (Format) Lacks(l lessons.Lesson) []string { return lacksMarkdown(l) }

// Plan says what is to be done so that the stores at to.Path hold the lessons. Those of
// an agent go to its LEARNINGS.md, or to its learnings.json where there is no other;
// what is in either is changed there.
func (f Format) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	loc := place(to.Path)
	by := map[string][]lessons.Lesson{}
	for _, l := range ls {
		agent := mainAgent
		if !loc.single {
			agent = agentFor(l.Scope, loc.agents)
		}
		by[agent] = append(by[agent], l)
	}
	for _, f := range loc.existing() { // what no lesson is for any more is looked at too
		if agent := f.agent; !loc.single && by[agent] == nil {
			by[agent] = []lessons.Lesson{}
		}
	}
	p := exchange.NewPlan(to, f, nil) // each store says what it lacks
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
		w := &writing{plan: p, to: to, file: f, has: map[lessons.ID]bool{}}
		var err error
		if w.book, w.before, err = openBook(f); err != nil {
			return err
		}
		w.items = w.book.holds().items
		if m, ok := w.book.(*markdown); ok && m.conflict > 0 {
			return fmt.Errorf("%s:%d %w: it has conflict markers; settle them first", f.path, m.conflict, exchange.ErrFormat)
		}
		books = append(books, w)
	}
	if first := books[0]; len(books) > 1 && first.before == nil {
		books = books[1:]
	}
	found := make([]bool, len(ls))
	for _, w := range books {
		w.find(ls)
		for i, at := range w.Of {
			if at >= 0 {
				found[i] = true
				w.settle(ls[i], at, w.Way[i])
			}
		}
		w.leave(all, ls)
	}
	for i, l := range ls {
		if !found[i] {
			books[0].put(l)
		}
	}
	for _, w := range books {
		w.finish(ls)
	}
	return nil
}

// How an item was found to be that of a lesson, in the order of [writing.find].
const (
	asWritten = iota + 1 // what was written for it, and perhaps edited since
	source               // the lesson was made of it
	same                 // it says the same
	reworded             // it says nearly what was written
	alike                // it says nearly the same, so that Gimli takes them for one
)

// A writing is the plan of one store.
type writing struct {
	plan   *exchange.Plan
	to     exchange.Target
	file   file
	book   book
	items  []item
	before []byte
	*exchange.Pairs
	waits  map[int]bool // items of proposals that were made of them
	byText map[string][]int
	has    map[lessons.ID]bool // the lessons that it holds
}

// ledgerKey names an item in the ledger.
func (w *writing) ledgerKey(base string) string { return w.file.name + "#" + base }

// wrote is what the ledger has of a lesson in this store.
func (w *writing) wrote(id lessons.ID) (base string, was exchange.Written, ok bool) {
	if was, ok = w.to.Ledger.Of(id); ok {
		base, ok = strings.CutPrefix(was.Key, w.ledgerKey(""))
	}
	return base, was, ok
}

// find looks for the items of lessons, the surest ways first, each item once.
func (w *writing) find(ls []lessons.Lesson) {
	w.Pairs, w.byText = exchange.NewPairs(ls, len(w.items)), map[string][]int{}
	keys, ids, texts := make([]string, len(w.items)), make([]lessons.ID, len(w.items)), make([]string, len(w.items))
	for i, it := range w.items {
		keys[i], ids[i], texts[i] = w.ledgerKey(it.base), w.book.holds().id(w.file, it), says(it.category, it.text)
		w.byText[texts[i]] = append(w.byText[texts[i]], i)
	}
	w.ByLedger(w.to.Ledger, keys)
	w.ByID(ids)
	w.ByText(texts, w.texts)
	w.findAlike()
	w.waits = map[int]bool{}
	for i, l := range ls {
		if l.Status == lessons.Pending && (w.Way[i] == source || w.Way[i] == same) {
			w.waits[w.Of[i]] = true
		}
	}
}

// says is what two items say that say the same.
func says(category, text string) string { return category + " " + match.Normal(text) }

// texts is what an item says that says what a lesson does.
func (w *writing) texts(l lessons.Lesson) []string {
	return []string{says(categoryOf(l.Category), w.book.text(l)), says(categoryOf(l.Category), l.Content)}
}

// findAlike looks for what is left by its words, as Gimli tells duplicates: first what
// somebody has edited since it was written.
func (w *writing) findAlike() {
	if !slices.Contains(w.Taken, false) {
		return
	}
	said := func(id lessons.ID, category, text string) lessons.Lesson {
		return lessons.Lesson{ID: id, Category: lessons.Category(category), Wording: lessons.Wording{Content: text}}
	}
	corpus := sync.OnceValue(func() *match.Corpus {
		return match.NewCorpus(match.ByJaccard, func(yield func(lessons.Lesson) bool) {
			for i, it := range w.items {
				if !w.Taken[i] && !yield(said(lessons.ID(strconv.Itoa(i)), it.category, it.text)) {
					return
				}
			}
		})
	})
	look := func(category, text string) (out []int) {
		for m := range corpus().Find(said("", category, text)) {
			at, _ := strconv.Atoi(string(m.ID))
			out = append(out, at)
		}
		return out
	}
	w.Find(func(_ int, l lessons.Lesson) []int {
		if base, was, ok := w.wrote(l.ID); ok {
			return look(categoryOfBase(base), was.Text)
		}
		return nil
	})
	w.Find(func(_ int, l lessons.Lesson) []int {
		if _, _, ok := w.wrote(l.ID); !ok && l.Status == lessons.Approved {
			return look(categoryOf(l.Category), w.book.text(l))
		}
		return nil
	})
}

// categoryOfBase is the category in a key that [bulletKey] made.
func categoryOfBase(base string) string {
	for _, c := range Categories {
		if strings.HasPrefix(base, c+"-") {
			return c
		}
	}
	return ""
}

// settle brings the item of a lesson up to date.
func (w *writing) settle(l lessons.Lesson, at, way int) {
	it := w.items[at]
	_, was, _ := w.wrote(l.ID)
	theirs := way == reworded || way == asWritten && it.state != was.Text // somebody has edited what was written
	ours := way == asWritten && !theirs || way == same || way == source && unchanged(l, it)
	switch {
	case l.Status == lessons.Pending && way != asWritten && way != reworded: // nobody has decided: it stays theirs
	case l.Status != lessons.Approved && !ours:
		w.say(l, it, "that it is no longer active: %s was edited there, and stays")
	case l.Status != lessons.Approved:
		w.drop(l, at)
	case way == alike:
		w.say(l, it, "an entry of its own: %s says nearly the same")
	case w.book.upToDate(at, l):
		w.note(l, it.base, it.state)
	case !ours:
		w.say(l, it, "its wording: %s was edited there, and stays")
	default:
		base, state := w.book.set(at, l, w.to.Now)
		w.note(l, base, state)
	}
}

// drop takes the item of a lesson out, and with it what says the same and of which
// nothing else was decided: bullets have no names but their texts, so the next export
// would take that one for the lesson's. Of a proposal only its own item goes.
func (w *writing) drop(l lessons.Lesson, item int) {
	items, out := w.items, []int{item}
	if l.Status != lessons.Pending {
		for _, text := range append(w.texts(l), says(items[item].category, items[item].text)) {
			for _, i := range w.byText[text] {
				if (!w.Taken[i] || w.waits[i]) && !slices.Contains(out, i) {
					w.Taken[i], out = true, append(out, i)
				}
			}
		}
	}
	for _, i := range out {
		if !w.book.drop(i, w.to.Now) {
			w.say(l, items[i], "that it is no longer active: there is more below %s")
		} else if i == item {
			w.plan.Note(l.ID, nil)
		}
	}
}

// unchanged reports that an item says what it said when a lesson was made of it.
func unchanged(l lessons.Lesson, it item) bool {
	return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return e.Agent == Name && e.From == "import" && e.Quote == it.text
	})
}

// put adds a lesson that the store does not have. What somebody took out of it stays
// out, until the lesson says something else.
func (w *writing) put(l lessons.Lesson) {
	_, was, ok := w.wrote(l.ID)
	if l.Status != lessons.Approved {
		if ok {
			w.plan.Note(l.ID, nil)
		}
		return
	}
	if ok && w.before != nil && was.Text == w.book.state(l) {
		w.plan.Lose(l.ID, "an entry of its own: it was taken out of "+w.file.name)
		return
	}
	base, state := w.book.add(l, w.to.Now)
	w.note(l, base, state)
}

// leave takes out what was written for lessons that are for another agent now.
func (w *writing) leave(all, here []lessons.Lesson) {
	stay := map[lessons.ID]bool{}
	for _, l := range here {
		stay[l.ID] = true
	}
	for _, l := range all {
		base, was, ok := w.wrote(l.ID)
		if !ok || stay[l.ID] {
			continue
		}
		for i, it := range w.items {
			if !w.Taken[i] && it.base == base && it.state == was.Text {
				w.Taken[i] = true
				w.book.drop(i, w.to.Now)
			}
		}
	}
}

// note remembers what a lesson has in the store.
func (w *writing) note(l lessons.Lesson, base, state string) {
	w.has[l.ID] = true
	w.plan.Wrote(l, w.ledgerKey(base), state)
}

// say says of a lesson why an item is not what it says.
func (w *writing) say(l lessons.Lesson, it item, why string) {
	w.plan.Lose(l.ID, fmt.Sprintf(why, fmt.Sprintf("%s:%d", w.file.name, it.line)))
}

// finish plans the write, and says what the store does not hold.
func (w *writing) finish(ls []lessons.Lesson) {
	after := w.book.bytes(w.to.Now)
	if w.before != nil || len(w.has) > 0 {
		w.plan.File(w.file.path, w.before, after)
	}
	for _, l := range ls {
		if !w.has[l.ID] {
			continue
		}
		w.plan.Lose(l.ID, w.book.lacks(l)...)
		if r := l.Scope.Role; r != "" && r != defaultRole && AgentID(r) != cmp.Or(w.book.holds().agent(w.file), mainAgent) {
			w.plan.Lose(l.ID, "its role "+lessons.Line(r))
		}
	}
}
