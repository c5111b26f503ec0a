package curate

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// A Relation is why one lesson stands beside another.
type Relation string

const (
	Opposed    Relation = "against"      // contradicts it
	Beside     Relation = "holds with"   // seemed to contradict it, and a person said that both hold
	Successor  Relation = "gave way to"  // took its place when a contradiction was settled
	Former     Relation = "took over"    // lost to it then
	Survivor   Relation = "merged into"  // it lives on there
	Part       Relation = "merged from"  // lives on in it
	Alike      Relation = "alike"        // says nearly the same
	SameTalk   Relation = "same session" // was taught by a session that taught it
	SameSource Relation = "same file"    // names a file that it names
)

// A Neighbour is a lesson beside another, and why it is there.
type Neighbour struct {
	Relation
	lessons.Lesson
	Why string // more of it: what they share; may be ""
}

// mostAround is how many neighbours of one relation are given.
const mostAround = 12

// Around are the lessons that stand in some relation to one, by relation in the order of
// the constants: each lesson once, under the first that holds. Those alike and against it
// are lessons that count; the others may have any status. Where the index cannot answer
// they are fewer, and err says why.
func Around(ctx context.Context, c *Library, l lessons.Lesson) ([]Neighbour, error) {
	a := around{c: c, of: l, seen: map[lessons.ID]bool{l.ID: true}}
	for _, o := range c.Opposing(ctx, l) {
		a.add(Opposed, o.Lesson, o.Contradiction.Why)
	}
	for _, h := range l.HoldsWith {
		a.read(Beside, h.ID, h.Reason)
	}
	a.read(Successor, l.Decided.SupersededBy, "")
	a.read(Survivor, l.Decided.Into, "")
	err := a.find(ctx, index.Query{}.Where(index.Into, string(l.ID)), func(o lessons.Lesson) (Relation, string) {
		if o.Decided.SupersededBy == l.ID {
			return Former, ""
		}
		return Part, ""
	})
	similar, failed := c.Similar(ctx, l, mostAround)
	err = cmp.Or(err, failed)
	for _, h := range similar {
		a.add(Alike, h.Lesson, "")
	}
	for _, session := range sessionsOf(l) {
		err = cmp.Or(err, a.find(ctx, index.Query{}.Where(index.Session, session), func(lessons.Lesson) (Relation, string) { return SameTalk, "" }))
	}
	for _, name := range filesNamed(l) {
		q := index.Query{Terms: []index.Term{{Text: name, Phrase: true}}}
		err = cmp.Or(err, a.find(ctx, q, func(lessons.Lesson) (Relation, string) { return SameSource, name }))
	}
	return a.found, err
}

// mostSessions is after how many sessions of a lesson no more are looked for.
const mostSessions = 5

// sessionsOf are the sessions that taught a lesson.
func sessionsOf(l lessons.Lesson) []string {
	var ids []string
	for _, e := range l.Evidence {
		if e.Session != "" && !e.Opposes() && len(ids) < mostSessions && !slices.Contains(ids, e.Session) {
			ids = append(ids, e.Session)
		}
	}
	return ids
}

// An around gathers neighbours.
type around struct {
	c     *Library
	of    lessons.Lesson
	seen  map[lessons.ID]bool
	found []Neighbour
}

func (a *around) add(r Relation, l lessons.Lesson, why string) {
	if !a.seen[l.ID] {
		a.seen[l.ID] = true
		a.found = append(a.found, Neighbour{r, l, why})
	}
}

// read adds the lesson of an id, if there is one.
func (a *around) read(r Relation, id lessons.ID, why string) {
	if id == "" {
		return
	}
	if l, err := a.c.Store.Get(id); err == nil {
		a.add(r, l, why)
	}
}

func (a *around) find(ctx context.Context, q index.Query, as func(lessons.Lesson) (Relation, string)) error {
	q.Limit, q.Now, q.Unjudged = mostAround, a.c.Now(), true
	page, err := a.c.Index.Search(ctx, q)
	for _, h := range page.Hits {
		r, why := as(h.Lesson)
		a.add(r, h.Lesson, why)
	}
	return err
}

// fileName is a word that names a file: with an ending that begins with a letter.
var fileName = regexp.MustCompile(`[\w./-]*\w\.[A-Za-z]\w{0,7}\b`)

// mostFiles is after how many files of a lesson no more are looked for.
const mostFiles = 3

// filesNamed are the names, without their folders, of the files that a lesson speaks of.
func filesNamed(l lessons.Lesson) []string {
	var names []string
	for _, word := range fileName.FindAllString(strings.Join(append(slices.Clone(l.Limit.Paths), l.Content, l.Insight), "\n"), -1) {
		if name := path.Base(word); len(names) < mostFiles && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
