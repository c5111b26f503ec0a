package sessions

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// Pane is the list of the transcripts of every agent on this machine.
type Pane struct {
	fx     desk.Desk
	w, h   int
	rows   []desk.Session
	list   []desk.Session         // the rows that are shown, in their order
	match  func(path string) bool // of the filter; nil for all
	order  int                    // of sessionOrders
	newly  bool                   // only what holds something new is shown
	cur    kit.List
	moved  bool            // the person has gone to the current row
	marked map[string]bool // by path
	scan   scan
	mine   mining
	past   []pastRun // the runs of this desk, the newest first
	filter kit.Filter
	model  string // that is at hand; "" for none
}

// A scan is the state of the search for transcripts.
type scan struct {
	seq     int
	running bool
	done    bool
	next    map[string]desk.Session // by path
	err     error                   // the last of errs
	errs    int
}

// A mining is the state of an extraction.
type mining struct {
	running bool
	begun   time.Time
	at      desk.Progress
	cancel  context.CancelFunc
	stopped bool
	pause   *pause
	model   string // that reads; "" for the rules
}

// A pastRun is a run that has ended.
type pastRun struct {
	number  int
	ended   time.Time
	took    time.Duration
	at      desk.Progress
	model   string // "" for the rules
	stopped bool
	err     error
}

func New(fx desk.Desk) Pane { return Pane{fx: fx} }

func (p Pane) Start() (Pane, kit.Out) {
	var first kit.Out
	if p.scan.seq == 0 {
		first = kit.Run(modelAtHand(p.fx))
	}
	if p.fx.Sessions == nil || p.scan.running {
		return p, first
	}
	p.scan = scan{seq: p.scan.seq + 1, running: true, done: p.scan.done}
	return p, first.And(kit.Run(listSessions(p.fx, p.scan.seq)))
}

// Unseen takes the answer of a job while another pane is shown.
func (p Pane) Unseen(msg tea.Msg) (Pane, kit.Out) { return p.Update(msg) }

// ShownAgain has nothing to do: the list follows what is found.
func (p Pane) ShownAgain() (Pane, kit.Out) { return p, kit.Out{} }

// Themed has nothing to do: nothing is kept drawn.
func (p Pane) Themed(*look.Style) (Pane, kit.Out) { return p, kit.Out{} }

func (p Pane) Typing() bool { return p.filter.Typing }

func (p Pane) Resize(w, h int) Pane {
	p.w, p.h = w, h
	p.cur = p.cur.Resize(len(p.list), p.listHeight())
	return p
}

// listHeight is what column heads and the strip of runs leave.
func (p Pane) listHeight() int { return max(p.h-1-stripHeight(p), 1) }

// listTop is the line of the pane on which the first row is.
func (p Pane) listTop() int { return 1 }

// Tab is what the header says after the pane's name.
func (p Pane) Tab() string {
	if len(p.rows) == 0 {
		return ""
	}
	s := kit.Grouped(len(p.rows))
	if at := p.mine.at; p.mine.running && at.Total > 0 {
		return s + fmt.Sprintf(" ⟳ %d%%", min(at.Done*100/at.Total, 99))
	}
	if n := p.fresh(); n > 0 {
		s += fmt.Sprintf(" ●%s new", kit.Grouped(n))
	}
	return s
}

func (p Pane) Stock() desk.Stock {
	return desk.Stock{All: len(p.rows), Fresh: p.fresh(), Known: p.scan.done, Model: p.model, Asks: p.asks(), Agents: agentsOf(p.rows)}
}

// agentsOf says how many sessions each agent has, the most first.
func agentsOf(all []desk.Session) string {
	n := map[string]int{}
	for i := range all {
		n[all[i].Agent]++
	}
	names := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		names[i] += " " + kit.Grouped(n[name])
	}
	return strings.Join(names, " · ")
}

// fresh is how many sessions hold lines that were not read yet.
func (p Pane) fresh() int {
	n := 0
	for _, t := range p.rows {
		if t.New {
			n++
		}
	}
	return n
}

func (p Pane) Current() (desk.Session, bool) {
	if p.cur.At >= len(p.list) {
		return desk.Session{}, false
	}
	return p.list[p.cur.At], true
}

// Meant are the files that the next key is for: the marked ones, else the
// current one.
func (p Pane) Meant() []string {
	paths := p.markedPaths()
	if t, ok := p.Current(); ok && len(paths) == 0 {
		paths = []string{t.Path}
	}
	return paths
}

func (p Pane) markedPaths() (paths []string) {
	for _, t := range p.rows {
		if p.marked[t.Path] {
			paths = append(paths, t.Path)
		}
	}
	return paths
}

func (p Pane) Update(msg tea.Msg) (Pane, kit.Out) {
	switch m := msg.(type) {
	case listedMsg:
		if m.seq == p.scan.seq {
			return p.listed(m)
		}
	case minedMsg:
		return p.mined(m)
	case askModelMsg:
		return p.askModel(m.run)
	case atHandMsg:
		p.model = m.name
	case retryMsg:
		if why := p.busy(); why != "" {
			return p, kit.Warn("%s", why)
		}
		return p.extract(m.paths)
	case kit.ClickMsg:
		if i, ok := p.cur.Hit(m.Y - p.listTop()); ok {
			p.cur, p.moved = p.cur.To(i), true
		}
	case kit.WheelMsg:
		p.moved = true
		p.cur = p.cur.Scroll(m.By)
	case tea.PasteMsg:
		if p.filter.Typing {
			return p.typed(m)
		}
	case kit.PressMsg:
		p, o, _ := Keys().Press(p, m.Key)
		return p, o
	}
	return p, kit.Out{}
}

// listed takes a batch of what the search has found. The first list fills as batches
// arrive; a later one replaces it when it is whole.
func (p Pane) listed(m listedMsg) (Pane, kit.Out) {
	next := maps.Clone(p.scan.next)
	if next == nil {
		next = make(map[string]desk.Session, len(m.found))
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
		was, had := p.Current()
		p.rows = slices.Collect(maps.Values(next))
		// The newest first: people want to work on those.
		slices.SortFunc(p.rows, func(a, b desk.Session) int {
			return cmp.Or(b.Start.Compare(a.Start), cmp.Compare(a.Path, b.Path))
		})
		p = p.laid()
		if had && p.moved {
			p = p.at(was.Path)
		}
	}
	if m.more == nil {
		p.scan.done = true
		return p, kit.Out{}
	}
	return p, kit.Run(m.more)
}

// busy says why nothing can be extracted now; "" when it can.
func (p Pane) busy() string {
	switch {
	case p.mine.running:
		return "an extraction is under way; esc in Sessions stops it"
	case p.fx.Extract == nil:
		return "there is nothing to extract with"
	}
	return anySession(p)
}

// Unread says why there is nothing new to extract from; "" when there is.
func (p Pane) Unread() string {
	if p.fresh() == 0 {
		return "no session holds anything new"
	}
	return p.busy()
}

// Unasked says why no model can be asked now; "" when one can.
func (p Pane) Unasked() string {
	if p.model == "" {
		return "no model is at hand; `learnings stats models` says where it looks"
	}
	return p.busy()
}

// OfferModel asks whether a model is to read sessions: those that are marked, or all.
func (p Pane) OfferModel(marked bool) kit.Out {
	if marked {
		return askModel(p.fx, "", p.markedPaths())
	}
	return askModel(p.fx, "", nil)
}

// ExtractNew extracts from all sessions that hold something new.
func (p Pane) ExtractNew() (Pane, kit.Out) {
	var paths []string
	for _, t := range p.rows {
		if t.New {
			paths = append(paths, t.Path)
		}
	}
	p, o := p.extract(paths)
	return p, kit.Say("extracting from %s; what is found waits in Review", kit.Counted(len(paths), "session")).And(o)
}

func (p Pane) extract(paths []string) (Pane, kit.Out) {
	ctx, cancel := context.WithCancel(context.Background())
	at := desk.Progress{Files: len(paths)}
	for _, t := range p.rows {
		if slices.Contains(paths, t.Path) {
			at.Total += t.Size
		}
	}
	pause := newPause()
	p.mine = mining{running: true, begun: p.fx.Now(), cancel: cancel, at: at, pause: pause}
	p.marked = nil
	return p.Resize(p.w, p.h), kit.Run(mineSessions(p.fx, ctx, at, func(ctx context.Context, report func(desk.Progress)) error {
		return mineSome(p.fx, ctx, paths, at, pause, report)
	}))
}

// mined takes a report of the extraction under way. New lessons appear in the queue
// while the rest goes on.
func (p Pane) mined(m minedMsg) (Pane, kit.Out) {
	var o kit.Out
	if m.at.Lessons > p.mine.at.Lessons {
		o = kit.Run(p.fx.Sync())
	}
	if m.more != nil {
		p.mine.at = m.at
		return p, o.And(kit.Run(m.more))
	}
	p.mine.cancel()
	files, found, stopped, model := p.mine.at.Files, m.at.Found, p.mine.stopped, p.mine.model
	now := p.fx.Now()
	p.past = append([]pastRun{{number: len(p.past) + 1, ended: now, took: now.Sub(p.mine.begun), at: m.at, model: model, stopped: stopped, err: m.err}}, p.past...)
	p.mine = mining{}
	p = p.Resize(p.w, p.h)
	p, again := p.Start()
	o = o.And(again).And(kit.Run(p.fx.Sync()))
	asks := ""
	if p.model != "" {
		asks = " · " + p.asks()
	}
	switch {
	case model != "":
		return p, o.And(readBy(model, found, stopped, m.err))
	case stopped:
		return p, o.And(kit.Say("stopped; %s wait in Review, the rest is read next time", found))
	case m.err != nil:
		return p, o.And(kit.Warn("%s from %s; %d could not be read (e lists them), the last: %v", found, kit.FilesOf(files), m.at.Failed, m.err))
	case found == (desk.Found{}):
		return p, o.And(kit.Say("✓ nothing new in %s%s", kit.FilesOf(files), asks))
	}
	return p, o.And(kit.Say("✓ %s from %s wait in Review%s", found, kit.FilesOf(files), asks))
}

// stop cancels the extraction. What it has found stays.
func (p Pane) stop() (Pane, kit.Out) {
	p.mine.cancel()
	p.mine.stopped = true
	return p, kit.Say("stopping…")
}

func (p Pane) Press(k tea.KeyPressMsg) (Pane, kit.Out, bool) {
	if p.filter.Typing {
		p, o := p.typed(k)
		return p, o, true
	}
	p.moved = true
	return Keys().Press(p, k.String())
}

// typed is a key, or pasted text, while the filter is being typed: the list follows.
func (p Pane) typed(msg tea.Msg) (Pane, kit.Out) {
	var o kit.Out
	p.filter, o = p.filter.Typed(msg)
	return p.filtered(), o
}

// filtered reads what was typed. What cannot be read is said, and the list stays.
func (p Pane) filtered() Pane {
	p.filter.Err = nil
	switch {
	case p.filter.Query == "":
		p.match = nil
	case p.fx.Where == nil:
		p.match = nil
		want := kit.Folded(p.filter.Query)
		by := make(map[string]bool, len(p.rows))
		for _, t := range p.rows {
			by[t.Path] = mentions(t, want)
		}
		p.match = func(path string) bool { return by[path] }
	default:
		match, err := p.fx.Where(p.filter.Query)
		if p.filter.Err = err; err != nil {
			return p
		}
		p.match = match
	}
	return p.laid()
}

// sessionOrders are those of the list, the usual one first. What is not known comes last.
var sessionOrders = []struct {
	name string
	more func(desk.Session) float64
}{
	{"newest", func(t desk.Session) float64 { return float64(t.Start.Unix()) }},
	{"corrections", func(t desk.Session) float64 { return float64(t.Corrections) }},
	{"errors", func(t desk.Session) float64 { return float64(t.Errors) }},
	{"turns", func(t desk.Session) float64 { return float64(t.Human) }},
	{"few reads", func(t desk.Session) float64 {
		if t.Ratio < 0 {
			return math.Inf(-1)
		}
		return -t.Ratio
	}},
	{"lessons", func(t desk.Session) float64 { return float64(t.Taken) }},
	{"size", func(t desk.Session) float64 { return float64(t.Size) }},
}

// laid finds the rows that are shown, and their order.
func (p Pane) laid() Pane {
	p.list = nil
	for _, t := range p.rows {
		if (p.match == nil || p.match(t.Path)) && (!p.newly || t.New) {
			p.list = append(p.list, t)
		}
	}
	by := sessionOrders[p.order].more
	slices.SortStableFunc(p.list, func(a, b desk.Session) int { return cmp.Compare(by(b), by(a)) })
	return p.Resize(p.w, p.h)
}

// at goes to the row of a path, if it is shown.
func (p Pane) at(path string) Pane {
	if i := slices.IndexFunc(p.list, func(t desk.Session) bool { return t.Path == path }); i >= 0 {
		p.cur = p.cur.To(i)
	}
	return p
}

func (p Pane) Hints() []kit.Hint {
	if p.filter.Typing {
		return []kit.Hint{{Key: "enter", Foot: "keep the query"}, {Key: "esc", Foot: "all"}}
	}
	return Keys().Hints(p)
}

// open reads a session from its beginning.
func (p Pane) open(t desk.Session) kit.Out {
	return desk.ReadAt(lessons.Evidence{Agent: t.Agent, Session: t.ID, Path: t.Path})
}
