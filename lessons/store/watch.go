package store

import (
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// A watch is how closely a Store looks for what other programs do, and what it has
// seen.
type watch struct {
	tree  tree
	state string
	trust time.Duration // how long a look at all files is trusted; see Store.Trusting
	aside func() error  // the same; nil for none

	alone  bool      // nobody else looks at all files: this Store does
	looked time.Time // when the last look was of which all that was found is in the table
	odd    []string  // what the last one found that is named like a lesson and is no plain file
	last   *glance   // as it was when this Store read or left it
	before *glance   // of a look that this Store has just made without the lock; for the next one
}

// A look is how closely to look once.
type look bool

const (
	quick    look = false // at what has changed, as far as an earlier look is trusted
	thorough look = true  // at all files
)

// justLooked reports whether this Store has looked so lately that it need not again.
func (w *watch) justLooked() bool { return time.Since(w.looked) < w.trust }

// glance gives that of the last look, of whichever process; nil when there is none.
func (w *watch) glance() *glance {
	if g := loadGlance(w.state); g != nil {
		w.last = g
	}
	return w.last
}

// trusted reports whether the folders are enough to look at. It may ask for a look at
// all files aside.
func (w *watch) trusted(g *glance) bool {
	age := time.Since(time.Unix(0, g.full))
	if 0 <= age && age < w.trust {
		return true
	}
	w.alone = w.alone || w.aside == nil || !w.ask(g)
	return !w.alone
}

// askPatience is how often the time that a look is trusted one that was asked for may
// take, on a busy machine. To look as well would make it slower.
const askPatience = 5

// ask has a look at all files made aside, and reports whether it can be hoped for. It
// cannot where one was asked for and did not come: then this Store looks itself, and all
// others hope for that.
func (w *watch) ask(g *glance) bool {
	name, now, late := filepath.Join(w.state, askedName), time.Now(), false
	if text, err := os.ReadFile(name); err == nil {
		if at, err := strconv.ParseInt(string(text), 10, 64); err == nil && at > g.full {
			waited := now.Sub(time.Unix(0, at))
			if 0 <= waited && waited < askPatience*w.trust {
				return true
			}
			late = true
		}
	}
	if os.WriteFile(name, strconv.AppendInt(nil, now.UnixNano(), 10), 0o600) != nil {
		return false
	}
	return !late && w.aside() == nil
}

// calm reports whether the corpus is as a glance has it.
func (w *watch) calm(g *glance) bool {
	if w.justLooked() {
		return true
	}
	if w.trust == 0 || !w.trusted(g) {
		return false
	}
	now, err := w.tree.walk(g)
	if err != nil || len(now.changed)+len(now.vanished) > 0 {
		return false
	}
	w.looked, w.odd = now.began, g.odd
	return true
}

// look finds what changed since a table was written. The glance must have been read before
// the table: one that is of a later table says nothing of this one.
func (w *watch) look(t *table, l look) (news, error) {
	var known *glance
	if b := w.before; l == quick && b != nil && t.knows(b) {
		known = b
	} else if l == quick && w.trust > 0 {
		if g := w.last; g != nil && t.knows(g) && w.trusted(g) {
			known = g
		}
	}
	w.before = nil
	n, err := w.tree.look(t, known)
	if err == nil {
		w.odd = n.odd
	}
	return n, err
}

// knows reports whether a table holds what it held when a glance was taken. It does not
// where a loss of power took the end of it.
func (t *table) knows(g *glance) bool { return t.epoch == g.epoch && t.mark.seq >= g.mark.seq }

// saw says that a table has all of the news.
func (w *watch) saw(n news, t *table) {
	w.looked, w.alone = n.seen.began, false
	if t.epoch == "" {
		return // there is none yet, and a reader creates nothing
	}
	g := n.seen.of(t, w.state)
	if w.last == nil || string(w.last.encode()) != string(g.encode()) {
		if now := amend(w.state, g.and); now != nil { // others may have looked, or written, since
			g = now
		}
	}
	w.last = g
}
