package tui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Progress says how far an extraction has come.
type Progress struct {
	Path        string // the file under way
	File, Files int    // files done, and all of them
	Done, Total int64  // bytes
	Found
	Failed int // files that could not be read
}

// Found is what an extraction has found.
type Found struct {
	Lessons int // proposed
	Maybe   int // of these, what may be lessons
	Offered int // proposals that were offered a better wording
}

// String names what may be lessons, and what is offered, apart.
func (f Found) String() string {
	var parts []string
	if f.Maybe > 0 {
		parts = append(parts, fmt.Sprintf("%s likely and %s maybe", grouped(f.Lessons-f.Maybe), grouped(f.Maybe)))
	} else if f.Lessons > 0 || f.Offered == 0 {
		parts = append(parts, lessonsOf(f.Lessons))
	}
	if f.Offered > 0 {
		parts = append(parts, counted(f.Offered, "better wording"))
	}
	return strings.Join(parts, ", ")
}

func (f Found) plus(g Found) Found {
	return Found{f.Lessons + g.Lessons, f.Maybe + g.Maybe, f.Offered + g.Offered}
}

// sessions is the list of the transcripts of every agent on this machine.
type sessions struct {
	fx     effects
	w, h   int
	rows   []Session
	cur    list
	moved  bool            // the person has gone to the current row
	marked map[string]bool // by path
	scan   scan
	mine   mining
	filter filter
	model  string // that is at hand; "" for none
}

// A scan is the state of the search for transcripts.
type scan struct {
	seq     int
	running bool
	done    bool
	next    map[string]Session // by path
	err     error              // the last of errs
	errs    int
}

// A mining is the state of an extraction.
type mining struct {
	running bool
	begun   time.Time
	at      Progress
	cancel  context.CancelFunc
	stopped bool
	model   string // that reads; "" for the rules
}

func newSessions(fx effects) sessions { return sessions{fx: fx} }

func (p sessions) start() (sessions, out) {
	if p.fx.Sessions == nil || p.scan.running {
		return p, out{}
	}
	p.scan = scan{seq: p.scan.seq + 1, running: true, done: p.scan.done}
	return p, run(p.fx.listSessions(p.scan.seq))
}

// unseen takes the answer of a job while another pane is shown.
func (p sessions) unseen(msg tea.Msg) (sessions, out) { return p.update(msg) }

// shownAgain has nothing to do: the list follows what is found.
func (p sessions) shownAgain() (sessions, out) { return p, out{} }

// themed has nothing to do: nothing is kept drawn.
func (p sessions) themed(*look.Style) (sessions, out) { return p, out{} }

func (p sessions) typing() bool { return p.filter.typing }

func (p sessions) resize(w, h int) sessions {
	p.w, p.h = w, h
	p.cur = p.cur.resize(len(p.shown()), p.listHeight())
	return p
}

// listHeight is what column heads and progress leave.
func (p sessions) listHeight() int {
	n := p.h - 1
	switch {
	case p.mine.running:
		n -= 2
	case p.scan.err != nil:
		n--
	}
	return max(n, 1)
}

// listTop is the line of the pane on which the first row is.
func (p sessions) listTop() int { return 1 }

// tab is what the header says after the pane's name.
func (p sessions) tab() string {
	if len(p.rows) == 0 {
		return ""
	}
	s := grouped(len(p.rows))
	if at := p.mine.at; p.mine.running && at.Total > 0 {
		return s + fmt.Sprintf(" ⟳ %d%%", min(at.Done*100/at.Total, 99))
	}
	if n := p.fresh(); n > 0 {
		s += fmt.Sprintf(" ●%s new", grouped(n))
	}
	return s
}

// A stock says how much there is to take lessons from.
type stock struct {
	all, fresh int
	known      bool   // the search for it has ended
	asks       string // how a model is asked; "" when none is at hand
}

func (p sessions) stock() stock {
	return stock{all: len(p.rows), fresh: p.fresh(), known: p.scan.done, asks: p.asks()}
}

// fresh is how many sessions hold lines that were not read yet.
func (p sessions) fresh() int {
	n := 0
	for _, t := range p.rows {
		if t.New {
			n++
		}
	}
	return n
}

func (p sessions) current() (Session, bool) {
	rows := p.shown()
	if p.cur.at >= len(rows) {
		return Session{}, false
	}
	return rows[p.cur.at], true
}

// meant are the files that the next key is for: the marked ones, else the
// current one.
func (p sessions) meant() []string {
	paths := p.markedPaths()
	if t, ok := p.current(); ok && len(paths) == 0 {
		paths = []string{t.Path}
	}
	return paths
}

func (p sessions) markedPaths() (paths []string) {
	for _, t := range p.rows {
		if p.marked[t.Path] {
			paths = append(paths, t.Path)
		}
	}
	return paths
}

func (p sessions) update(msg tea.Msg) (sessions, out) {
	switch m := msg.(type) {
	case listedMsg:
		if m.seq == p.scan.seq {
			return p.listed(m)
		}
	case minedMsg:
		return p.mined(m)
	case atHandMsg:
		p.model = m.name
	case clickMsg:
		if i, ok := p.cur.hit(m.y - p.listTop()); ok {
			p.cur, p.moved = p.cur.to(i), true
		}
	case wheelMsg:
		p.moved = true
		p.cur = p.cur.scroll(m.by)
	case tea.PasteMsg:
		if p.filter.typing {
			return p.typed(m)
		}
	case pressMsg:
		p, o, _ := sessionKeys().press(p, m.key)
		return p, o
	}
	return p, out{}
}

// listed takes a batch of what the search has found. The first list fills as batches
// arrive; a later one replaces it when it is whole.
func (p sessions) listed(m listedMsg) (sessions, out) {
	next := maps.Clone(p.scan.next)
	if next == nil {
		next = make(map[string]Session, len(m.found))
	}
	for _, t := range m.found {
		next[t.Path] = t // again, when more is known of it
	}
	p.scan.next = next
	if m.err != nil {
		p.scan.err, p.scan.errs = m.err, p.scan.errs+m.errs
	}
	if m.more == nil {
		p.scan.running = false
	}
	if m.more == nil || !p.scan.done {
		was, had := p.current()
		p.rows = slices.Collect(maps.Values(next))
		// The newest first: people want to work on those.
		slices.SortFunc(p.rows, func(a, b Session) int {
			return cmp.Or(b.Start.Compare(a.Start), cmp.Compare(a.Path, b.Path))
		})
		p = p.resize(p.w, p.h)
		if had && p.moved {
			if i := slices.IndexFunc(p.shown(), func(t Session) bool { return t.Path == was.Path }); i >= 0 {
				p.cur = p.cur.to(i)
			}
		}
	}
	if m.more == nil {
		p.scan.done = true
		return p, out{}
	}
	return p, run(m.more)
}

// busy says why nothing can be extracted now; "" when it can.
func (p sessions) busy() string {
	switch {
	case p.mine.running:
		return "an extraction is under way; esc in Sessions stops it"
	case p.fx.Extract == nil:
		return "there is nothing to extract with"
	}
	return anySession(p)
}

// extractNew extracts from all sessions that hold something new.
func (p sessions) extractNew() (sessions, out) {
	var paths []string
	for _, t := range p.rows {
		if t.New {
			paths = append(paths, t.Path)
		}
	}
	p, o := p.extract(paths)
	return p, say("extracting from %s; what is found waits in Review", counted(len(paths), "session")).and(o)
}

func (p sessions) extract(paths []string) (sessions, out) {
	ctx, cancel := context.WithCancel(context.Background())
	at := Progress{Files: len(paths)}
	for _, t := range p.rows {
		if slices.Contains(paths, t.Path) {
			at.Total += t.Size
		}
	}
	p.mine = mining{running: true, begun: p.fx.Now(), cancel: cancel, at: at}
	p.marked = nil
	return p.resize(p.w, p.h), run(p.fx.mine(ctx, at, func(ctx context.Context, report func(Progress)) error {
		return p.fx.mineAll(ctx, paths, at, report)
	}))
}

// mined takes a report of the extraction under way. New lessons appear in the queue
// while the rest goes on.
func (p sessions) mined(m minedMsg) (sessions, out) {
	var o out
	if m.at.Lessons > p.mine.at.Lessons {
		o = run(p.fx.sync())
	}
	if m.more != nil {
		p.mine.at = m.at
		return p, o.and(run(m.more))
	}
	p.mine.cancel()
	files, found, stopped, model := p.mine.at.Files, m.at.Found, p.mine.stopped, p.mine.model
	p.mine = mining{}
	p = p.resize(p.w, p.h)
	p, again := p.start()
	o = o.and(again).and(run(p.fx.sync()))
	asks := ""
	if p.model != "" {
		asks = " · " + p.asks()
	}
	switch {
	case model != "":
		return p, o.and(readBy(model, found, stopped, m.err))
	case stopped:
		return p, o.and(say("stopped; %s are in the queue, the rest is read next time", found))
	case m.err != nil:
		return p, o.and(warn("%s from %s; %d could not be read, the last: %v", found, filesOf(files), m.at.Failed, m.err))
	case found == (Found{}):
		return p, o.and(say("✓ nothing new in %s%s", filesOf(files), asks))
	}
	return p, o.and(say("✓ %s from %s wait in Review%s", found, filesOf(files), asks))
}

// stop cancels the extraction. What it has found stays.
func (p sessions) stop() (sessions, out) {
	p.mine.cancel()
	p.mine.stopped = true
	return p, say("stopping…")
}

func (p sessions) press(k tea.KeyPressMsg) (sessions, out, bool) {
	if p.filter.typing {
		p, o := p.typed(k)
		return p, o, true
	}
	p.moved = true
	return sessionKeys().press(p, k.String())
}

// typed is a key, or pasted text, while the filter is being typed.
func (p sessions) typed(msg tea.Msg) (sessions, out) {
	var o out
	p.filter, o = p.filter.typed(msg)
	return p.resize(p.w, p.h), o
}

// shown are the rows that the filter lets through: those with all of its words in
// agent, project, id, path or date.
func (p sessions) shown() []Session {
	want := fold(p.filter.query)
	if len(want) == 0 {
		return p.rows
	}
	var rows []Session
	for _, t := range p.rows {
		if t.has(want) {
			rows = append(rows, t)
		}
	}
	return rows
}

func (p sessions) hints() []hint {
	if p.filter.typing {
		return []hint{{key: "enter", foot: "keep the filter"}, {key: "esc", foot: "all"}}
	}
	return sessionKeys().hints(p)
}

// open reads a session from its beginning.
func (p sessions) open(t Session) out {
	return openReader(p.fx, lessons.Evidence{Agent: t.Agent, Session: t.ID, Path: t.Path})
}
