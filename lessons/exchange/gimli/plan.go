package gimli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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
		w := &writing{plan: p, to: to, file: f}
		var err error
		if w.book, w.before, err = openBook(f); err != nil {
			return err
		}
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
		for i, at := range w.found {
			if at.how != nowhere {
				found[i] = true
				w.settle(ls[i], at)
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

// How an item was found to be that of a lesson.
type how int

const (
	nowhere   how = iota
	asWritten     // it is what was written for it
	edited        // it was, and somebody has changed it since
	source        // the lesson was made of it
	same          // it says the same
	alike         // it says nearly the same, so that Gimli takes them for one
)

type foundAt struct {
	how  how
	item int
}

// A writing is the plan of one store.
type writing struct {
	plan   *exchange.Plan
	to     exchange.Target
	file   file
	book   book
	before []byte
	found  []foundAt    // by lesson
	taken  []bool       // by item
	waits  map[int]bool // items of proposals that were made of them
	byText map[string][]int
	has    []lessons.ID // the lessons that it holds
	lost   map[lessons.ID][]string
}

// ledgerKey names an item in the ledger.
func (w *writing) ledgerKey(base string) string { return w.file.name + "#" + base }

// wrote is what the ledger has of a lesson in this store.
func (w *writing) wrote(id lessons.ID) (base string, was exchange.Written, ok bool) {
	was, ok = w.to.Ledger.Of(id)
	if !ok {
		return "", was, false
	}
	base, ok = strings.CutPrefix(was.Key, w.ledgerKey(""))
	return base, was, ok
}

// find looks for the items of lessons, the surest ways first, each item once.
func (w *writing) find(ls []lessons.Lesson) {
	items := w.book.items()
	w.found, w.taken, w.lost = make([]foundAt, len(ls)), make([]bool, len(items)), map[lessons.ID][]string{}
	byBase, byID := map[string][]int{}, map[lessons.ID][]int{}
	w.byText = map[string][]int{}
	for i, it := range items {
		byBase[it.base] = append(byBase[it.base], i)
		id := idOf(w.file, w.book, it)
		byID[id] = append(byID[id], i)
		w.byText[says(it.category, it.text)] = append(w.byText[says(it.category, it.text)], i)
	}
	take := func(i int, where []int, how how) {
		for _, at := range where {
			if w.found[i].how == nowhere && !w.taken[at] {
				w.found[i], w.taken[at] = foundAt{how, at}, true
			}
		}
	}
	for i, l := range ls {
		if base, was, ok := w.wrote(l.ID); ok {
			take(i, byBase[base], edited)
			if at := w.found[i]; at.how == edited && items[at.item].state == was.Text {
				w.found[i].how = asWritten
			}
		}
	}
	for i, l := range ls {
		take(i, byID[l.ID], source)
	}
	for i, l := range ls {
		for _, text := range w.texts(l) {
			take(i, w.byText[text], same)
		}
	}
	w.findAlike(ls, take)
	w.waits = map[int]bool{}
	for i, l := range ls {
		if at := w.found[i]; l.Status == lessons.Pending && (at.how == source || at.how == same) {
			w.waits[at.item] = true
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
func (w *writing) findAlike(ls []lessons.Lesson, take func(int, []int, how)) {
	var corpus *match.Corpus
	look := func(i int, category, text string, how how) {
		if corpus == nil {
			corpus = match.NewCorpus(match.ByJaccard, func(yield func(lessons.Lesson) bool) {
				for i, it := range w.book.items() {
					if !w.taken[i] && !yield(lessons.Lesson{ID: lessons.ID(strconv.Itoa(i)), Category: lessons.Category(it.category), Wording: lessons.Wording{Content: it.text}}) {
						return
					}
				}
			})
		}
		for m := range corpus.Find(lessons.Lesson{Category: lessons.Category(category), Wording: lessons.Wording{Content: text}}) {
			at, _ := strconv.Atoi(string(m.ID))
			take(i, []int{at}, how)
		}
	}
	if !slices.Contains(w.taken, false) {
		return
	}
	for i, l := range ls {
		if base, was, ok := w.wrote(l.ID); ok && w.found[i].how == nowhere {
			look(i, categoryOfBase(base), was.Text, edited)
		}
	}
	for i, l := range ls {
		if _, _, ok := w.wrote(l.ID); !ok && w.found[i].how == nowhere && l.Status == lessons.Approved {
			look(i, categoryOf(l.Category), w.book.text(l), alike)
		}
	}
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
func (w *writing) settle(l lessons.Lesson, at foundAt) {
	it := w.book.items()[at.item]
	ours := at.how == asWritten || at.how == same || at.how == source && unchanged(l, it)
	switch {
	case l.Status == lessons.Pending && at.how != asWritten && at.how != edited: // nobody has decided: it stays theirs
	case l.Status != lessons.Approved && !ours:
		w.say(l, it, "that it is no longer active: %s was edited there, and stays")
	case l.Status != lessons.Approved:
		w.drop(l, at.item)
	case at.how == alike:
		w.say(l, it, "an entry of its own: %s says nearly the same")
	case w.book.upToDate(at.item, l):
		w.note(l, it.base, it.state)
	case !ours:
		w.say(l, it, "its wording: %s was edited there, and stays")
	default:
		base, state := w.book.set(at.item, l, w.to.Now)
		w.note(l, base, state)
	}
}

// drop takes the item of a lesson out, and with it what says the same and of which
// nothing else was decided: bullets have no names but their texts, so the next export
// would take that one for the lesson's. Of a proposal only its own item goes.
func (w *writing) drop(l lessons.Lesson, item int) {
	items, out := w.book.items(), []int{item}
	if l.Status != lessons.Pending {
		for _, text := range append(w.texts(l), says(items[item].category, items[item].text)) {
			for _, i := range w.byText[text] {
				if (!w.taken[i] || w.waits[i]) && !slices.Contains(out, i) {
					w.taken[i], out = true, append(out, i)
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
		w.lost[l.ID] = append(w.lost[l.ID], fmt.Sprintf("an entry of its own: it was taken out of %s", w.file.name))
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
		for i, it := range w.book.items() {
			if !w.taken[i] && it.base == base && it.state == was.Text {
				w.taken[i] = true
				w.book.drop(i, w.to.Now)
			}
		}
	}
}

// note remembers what a lesson has in the store.
func (w *writing) note(l lessons.Lesson, base, state string) {
	w.has = append(w.has, l.ID)
	w.plan.Note(l.ID, &exchange.Written{Key: w.ledgerKey(base), Text: state, Rev: string(l.Rev)})
}

// say says of a lesson why an item is not what it says.
func (w *writing) say(l lessons.Lesson, it item, why string) {
	w.lost[l.ID] = append(w.lost[l.ID], fmt.Sprintf(why, fmt.Sprintf("%s:%d", w.file.name, it.line)))
}

// finish plans the write, and says what the store does not hold.
func (w *writing) finish(ls []lessons.Lesson) {
	after := w.book.bytes(w.to.Now)
	if w.before != nil || w.grew() {
		w.plan.File(w.file.path, w.before, after)
	}
	has := map[lessons.ID]bool{}
	for _, id := range w.has {
		has[id] = true
	}
	for _, l := range ls {
		what := w.lost[l.ID]
		if has[l.ID] {
			what = append(what, w.book.lacks(l)...)
			if r := l.Scope.Role; r != "" && r != defaultRole && AgentID(r) != cmp.Or(w.book.agent(w.file), mainAgent) {
				what = append(what, "its role "+lessons.Line(r))
			}
		}
		if len(what) > 0 {
			w.plan.Losses = append(w.plan.Losses, exchange.Loss{ID: l.ID, What: what})
		}
	}
}

func (w *writing) grew() bool { return len(w.has) > 0 }
