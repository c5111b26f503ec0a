package port

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
)

// A Publisher keeps the targets that a person chose in step with what is approved.
type Publisher struct {
	Targets map[string]string // the format of each file or folder
	Library *curate.Library   // whose index has followed the corpus
	Project func(dir string) string
	World   formats.World
	State   string // the folder where it is remembered what was written
	Now     func() time.Time
	Short   func(path string) string // as people know it

	mu      sync.Mutex
	ledgers map[string]*exchange.Ledger // of targets, as they were read last
}

// A Publication is what one target needs.
type Publication struct {
	Destination
	*exchange.Plan
	Err error
}

// Unheld reports that a server was to take a lesson and cannot hold all of it. It is
// said once, for such a plan is of what has changed.
func (p Publication) Unheld() bool { return p.Server != nil && len(p.Losses) > 0 }

// Plans gives what each target needs, in the order of their paths.
func (p *Publisher) Plans(ctx context.Context) []Publication {
	var out []Publication
	for _, path := range slices.Sorted(maps.Keys(p.Targets)) {
		d, err := To(p.Targets[path], p.World.Absolute(path), p.World)
		pub := Publication{Destination: d, Err: err}
		if pub.Path == "" {
			pub.Path = path
		}
		if err == nil {
			pub.Plan, pub.Err = p.Plan(ctx, d)
		}
		out = append(out, pub)
	}
	return out
}

// Publish brings the targets up to date and gives those that were not, with an error
// where one could not be written: the others are.
func (p *Publisher) Publish(ctx context.Context) []Publication {
	var out []Publication
	for _, pub := range p.Plans(ctx) {
		if pub.Err == nil {
			pub.Err = pub.Plan.Apply(ctx) // also of an empty one: it notes how far the target has followed
		}
		if pub.Err != nil || !pub.Empty() || pub.Unheld() {
			out = append(out, pub)
		}
	}
	return out
}

// Plan is what one target needs. A store that is added to gets what has changed since
// the last time; a text is made of all that belongs there.
func (p *Publisher) Plan(ctx context.Context, d Destination) (*exchange.Plan, error) {
	if !d.Whole {
		return p.changed(ctx, d)
	}
	q := index.Query{}.Where(index.Status, string(lessons.Approved))
	project, everywhere := p.holds(d)
	if everywhere && d.Foreign() {
		q = q.Where(index.Global, "yes")
	} else if !everywhere {
		q = q.Where(index.Project, project)
	}
	hits, err := p.Library.Index.All(ctx, q)
	if err != nil {
		return nil, err
	}
	ls := make([]lessons.Lesson, len(hits))
	for i, h := range hits {
		ls[i] = h.Lesson
	}
	// What is given to agents is what their files say, and nothing older or newer.
	if ls, err = p.Library.Whole(ls); err != nil {
		return nil, err
	}
	ls = slices.DeleteFunc(ls, func(l lessons.Lesson) bool {
		return l.Status != lessons.Approved || l.Outside || !everywhere && l.Scope.Global
	})
	return d.Plan(ctx, ls, p.State, exchange.Target{Now: p.Now()})
}

// Export is what it takes to write lessons to a destination, and how many they are: those of
// a status or "all", and of a project with the global ones or, for "", of each. What agents
// read as it is gets the lessons that belong there, as if it were published, unless a project
// is named. What another program may read has been approved by a person here; held is how
// many wait to be confirmed.
func (p *Publisher) Export(ctx context.Context, to Destination, status, project string) (plan *exchange.Plan, n, held int, err error) {
	var ls []lessons.Lesson
	err = p.Library.Each(ctx, func(l lessons.Lesson) {
		switch {
		case project != "" && l.Scope.Project != project && !l.Scope.Global:
		case to.Foreign() && l.Outside:
			held++
		case status == "all" || string(l.Status) == status, to.Foreign():
			ls = append(ls, l)
		}
	})
	slices.SortStableFunc(ls, func(x, y lessons.Lesson) int { return x.Created.Compare(y.Created) })
	switch {
	case err != nil:
	case to.Whole && to.Foreign() && project == "":
		if _, err = p.Library.Sync(ctx); err == nil {
			plan, err = p.Plan(ctx, to)
		}
	default:
		plan, err = to.Plan(ctx, ls, p.State, exchange.Target{Now: p.Now()})
	}
	return plan, len(ls), held, err
}

// In gives the paths of the targets that hold a lesson, in order and as people know
// them. It reads files of instructions, and again what was written since; several may ask
// at a time.
func (p *Publisher) In(l lessons.Lesson) (paths []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(p.Targets)) {
		if d, err := To(p.Targets[path], p.World.Absolute(path), p.World); err == nil && p.has(d, l) {
			paths = append(paths, p.Short(d.Path))
		}
	}
	return paths
}

// has reports whether a lesson is in a target. A file for people has all that is
// approved, and is not read for it.
func (p *Publisher) has(d Destination, l lessons.Lesson) bool {
	if d.Whole && !d.Foreign() {
		return l.Status == lessons.Approved && !l.Outside
	}
	if f, ok := d.Format.(exchange.Holder); ok {
		project, everywhere := p.holds(d)
		return l.Scope.Global == everywhere && (everywhere || l.Scope.Project == project) && f.Holds(d.Path, l)
	}
	ledger := p.ledgers[d.Path]
	if ledger == nil || !ledger.Current() {
		var err error
		if ledger, err = d.ledger(p.State); err != nil {
			return false // publishing says so
		}
		if p.ledgers == nil {
			p.ledgers = map[string]*exchange.Ledger{}
		}
		p.ledgers[d.Path] = ledger
	}
	_, ok := ledger.Of(l.ID)
	return ok
}

// holds says whose lessons a file of instructions is for: those of the project in whose
// folder it is, or, in the person's own folders and elsewhere, those of all projects.
func (p *Publisher) holds(d Destination) (project string, everywhere bool) {
	rel, err := filepath.Rel(p.World.Home, d.Path)
	own := err == nil && p.World.Home != "" && (strings.HasPrefix(rel, ".") && !strings.HasPrefix(rel, "..") || !strings.ContainsRune(rel, filepath.Separator))
	if own || !d.Foreign() {
		return "", true
	}
	dir := d.Path
	if filepath.Ext(dir) != "" {
		dir = filepath.Dir(dir)
	}
	for strings.HasPrefix(filepath.Base(dir), ".") || filepath.Base(dir) == "rules" {
		dir = filepath.Dir(dir) // a folder of an agent within the project
	}
	return p.Project(dir), false
}

// changed plans what has changed since the target followed last.
func (p *Publisher) changed(ctx context.Context, d Destination) (*exchange.Plan, error) {
	ledger, err := d.ledger(p.State)
	if err != nil {
		return nil, err
	}
	end, latest := ledger.Through(), map[lessons.ID]lessons.Lesson{}
	read := func(since lessons.Cursor) error {
		for ch, err := range p.Library.Store.Since(since) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if ch.Cursor != "" {
				end = ch.Cursor
			}
			l := ch.Subject()
			l.ID = ch.ID
			if ch.After == nil || l.Outside {
				l.Status = lessons.Archived // it is to be taken out, if it is there
			}
			latest[ch.ID] = l
		}
		return nil
	}
	err = read(end)
	if errors.Is(err, lessons.ErrCursor) {
		clear(latest)
		end = ""
		err = read("")
	}
	if err != nil {
		return nil, fmt.Errorf("reading what has changed: %w", err)
	}
	var ls []lessons.Lesson
	for _, id := range slices.Sorted(maps.Keys(latest)) {
		_, there := ledger.Of(id)
		if l := latest[id]; there || l.Status == lessons.Approved {
			ls = append(ls, l)
		}
	}
	plan := exchange.NewPlan(exchange.Target{Ledger: ledger}, d.Format, nil)
	if len(ls) > 0 {
		plan, err = d.Format.Plan(ctx, exchange.Target{Path: d.Path, Now: p.Now(), Ledger: ledger}, ls)
		if err != nil {
			return nil, fmt.Errorf("preparing to write %s: %w", d.Path, err)
		}
	}
	plan.Through = end
	return plan, nil
}
