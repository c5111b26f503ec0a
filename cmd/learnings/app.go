package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/live"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/store"
)

// guards returns the guards of this machine.
var guards = render.GuardsAt

// An app is the state that verbs share. It opens nothing before a verb needs it.
type app struct {
	env
	*term.Console
	dir    string // --dir
	sample bool   // --sample

	// places is set once locate is called, conf once configure is, and corpus once open is.
	places settings.Places
	conf   settings.Config
	broken error // what is wrong with the settings
	seat   bool  // a person is known to sit above the program
	sure   bool  // --yes: what looks like a secret may leave the machine
	corpus *curate.Corpus

	finder   *transcript.Projects
	excluded *extractor.Exclusion
	run      string // in the ledger of costs

	drawn atomic.Bool // the desk owns the screen: print no line

	intake *intake.Intake // of the desk's last extraction
	tookIn time.Time      // when that was
}

func newApp(e env, out *term.Output) *app {
	return &app{env: e, Console: &term.Console{In: e.stdin, Out: out, Err: e.stderr, Terminals: e.tty, Colour: e.colour()}}
}

// settled is the world that places depend on.
func (e env) settled() settings.World {
	return settings.World{Getenv: e.getenv, OS: e.goos, Home: e.home, Dir: e.cwd}
}

// locate finds the corpus, state and settings of this call.
func (a *app) locate() (err error) {
	if a.places.Corpus != "" {
		return nil
	}
	p, err := settings.FindPlaces(a.settled(), a.dir)
	if err == nil && a.sample {
		p, err = settings.Sample(a.temp(), a.username())
	}
	if err == nil {
		a.places = p
	}
	return err
}

// configure reads config.toml. Settings that are wrong get their defaults.
func (a *app) configure() error {
	if err := a.locate(); err != nil {
		return err
	}
	if a.conf.Path == "" {
		if a.conf, a.broken = a.places.Load(); a.broken == nil {
			a.formerly(a.conf)
			a.conf.Heed(a.getenv)
		}
	}
	return a.broken
}

// formerly warns of settings that no longer have an effect.
func (a *app) formerly(c settings.Config) {
	for _, f := range c.Former {
		a.Warn("%s", f)
	}
}

// lockWait is how long a command waits for other writers. Each takes some milliseconds;
// twenty on a busy machine took three seconds.
const lockWait = 10 * time.Second

// lookAgain is how often all files of the corpus are scanned for changes by other
// programs. With ten thousand lessons a scan takes 10 ms, so commands leave it to a
// background process.
const lookAgain = 2 * time.Second

// lookPause is how long the desk lets a scan wait, so that the answer to the key that it
// belongs to is on the screen first.
const lookPause = 300 * time.Millisecond

// startUp is how long the desk collects no garbage: it draws its first frame meanwhile.
const startUp = 60 * time.Millisecond

// open opens the corpus with its index, and finds out whether an agent is calling. It
// works with broken settings too.
func (a *app) open() error {
	if err := a.configure(); a.corpus != nil || err != nil && a.broken == nil {
		return err
	}
	p := a.places
	s, err := store.Open(p.Corpus, store.Options{State: p.State, Now: a.now, LockWait: lockWait})
	if err != nil {
		return term.Hint(err, "choose another corpus with --dir or LEARNINGS_DIR")
	}
	var aside func() error
	if a.look != nil && !a.sample {
		aside = func() error { return a.look(p.State, "index", "--dir", p.Corpus) }
	}
	if a.sample {
		if err := ownSample(s); err != nil {
			return err
		}
	}
	above, whole := a.programs()
	a.seat = a.sample || curate.Seated(above, whole, a.conf.TrustPrograms.Value)
	alone := !a.seat
	if alone && curate.Hosted(above, whole) {
		alone, err = s.Met() // a corpus that only programs use has nobody to ask
		if err != nil {
			return err
		}
	}
	a.corpus = &curate.Corpus{
		Library: curate.Library{Store: s.Trusting(lookAgain, aside), Index: index.At(p.Index()), Now: a.now, Warn: func(err error) { a.Warn("%v", err) }},
		Agent:   a.agent(), Alone: alone, Manner: curate.Manner(!a.seat, a.tty.In, above), Drafts: p.Drafts(), Guards: guards(p.State), Missing: a.missing,
	}
	return nil
}

// ownSample makes the approved lessons of the sample ones that a person has decided on:
// they are files that came with the program, which the store takes for another's.
func ownSample(s *store.Store) error {
	var own []lessons.Lesson
	for l, err := range s.All() {
		if err == nil && l.Outside && l.Status == lessons.Approved {
			own = append(own, l)
		}
	}
	if len(own) == 0 {
		return nil
	}
	_, err := s.Put(store.Write{Op: lessons.OpConfirm, By: "sample"}, own...)
	return err
}

// person opens the corpus for a person's decision. Agents may propose (extract, add
// --pending), report and read, but never decide: when the environment shows that an agent
// is calling, person returns an error, and no flag or variable overrides it. A script may
// decide; that waits until a person confirms it, unless the script runs where a person
// sits. Where no person has used the corpus on this machine yet it counts until one does.
// Irreversible verbs ask on the terminal, or need --yes without one. Hooks never decide and
// do not use this function.
func (a *app) person(deed string) error {
	if err := a.open(); err != nil {
		return err
	}
	if err := a.corpus.MayDecide(deed); err != nil {
		return err
	}
	if err := cmp.Or(a.broken, a.sign()); err != nil || a.sample || a.corpus.Alone {
		return err
	}
	if a.seat {
		if err := settings.Remember(a.settled(), false); err != nil {
			a.Warn("noting where your lessons are, for hooks that a team shares: %v", err)
		}
		return a.corpus.Meet()
	}
	a.Note("%s decides, and that counts until a person uses this corpus on this machine", a.corpus.Manner)
	return nil
}

// seated is [app.person] for deeds that cannot wait until a person confirms them.
func (a *app) seated(deed string) error {
	if err := a.person(deed); err != nil {
		return err
	}
	return a.corpus.MustSit(deed)
}

// sign records the person's name with everything written from now on.
func (a *app) sign() (err error) {
	if a.corpus.By == "" {
		a.corpus.By, err = a.me()
	}
	return err
}

// me returns the person's name for the record.
func (a *app) me() (string, error) {
	name := cmp.Or(a.conf.Name.Value, a.username())
	if name = strings.TrimSpace(lessons.Line(name)); name == "" {
		return "", term.Hint(errors.New("nobody is named who decides: the system knows no user name"), "put name = \"…\" into %s", a.conf.Path)
	}
	return name, nil
}

// project returns the name of a folder's project, with aliases applied. Broken settings
// have no aliases.
func (a *app) project(dir string) string {
	if a.finder == nil {
		_ = a.configure()
		a.finder = transcript.NewProjects(a.home, a.conf.Aliases)
	}
	return a.finder.Project(dir)
}

// exclusion returns the rules for sessions that must not be read.
func (a *app) exclusion() extractor.Exclusion {
	if a.excluded == nil {
		x := extractor.NewExclusion(a.conf.Learning.Exclude.Value, a.home, a.project)
		a.excluded = &x
	}
	return *a.excluded
}

// absolute returns the path of a file in the form that marks use.
func (a *app) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.cwd, path)
	}
	return filepath.Clean(path)
}

// budget returns the limits of what a session is given.
func (a *app) budget() recall.Budget {
	return recall.Budget{Lessons: a.conf.Learning.MaxInject.Value, Start: a.conf.Learning.StartTokens.Value}
}

// pauses returns the times at which the person paused learning.
func (a *app) pauses() (live.Pauses, error) {
	ps, err := live.LoadPauses(a.places.State)
	return ps, term.Hint(err, "`learnings pause --end` forgets all pauses, and everything is read; until then nothing is")
}

// follow brings the index up to date with the last write, unless another process is
// writing the index: then that process or the next call does. The lessons are already
// stored, so a failure is only a warning.
func (a *app) follow(ctx context.Context) {
	if err := synced(context.WithoutCancel(ctx), a.corpus.Hasty()); err != nil {
		a.Warn("the index will catch up with the next call: %v", err)
	}
	a.published(ctx)
	if n := a.corpus.Waits(); n > 0 && !a.drawn.Load() {
		a.Warn("decided by a program, so %s for you: no terminal, login or editor of a person is known above it (%s)", waiting(n), a.corpus.Manner)
		a.Note("`O` on the desk, or `learnings approve --outside`, in a terminal of yours confirms it; trust_programs in config.toml names programs that are yours")
	}
}

// waiting says that a number of lessons wait.
func waiting(n int) string {
	if n == 1 {
		return "1 lesson waits"
	}
	return term.Plural(n, "lesson") + " wait"
}

// synced brings an index up to date, if it is not busy.
func synced(ctx context.Context, c *curate.Library) error {
	_, err := c.Sync(ctx)
	if errors.Is(err, index.ErrBusy) {
		return nil
	}
	return err
}

// ask brings the index up to date, runs a query, and warns of files that the index cannot
// read.
func ask[T any](ctx context.Context, a *app, question func(context.Context, *index.Index) (T, error)) (T, error) {
	answer, err := curate.Ask(ctx, &a.corpus.Library, question)
	if err == nil {
		if unread := a.corpus.Unread(); unread != nil {
			a.Warn("%v", unread)
		}
	}
	return answer, err
}

// advised adds a hint to an error of a package that does not know the command line.
func (a *app) advised(err error) error {
	var behind *curate.Behind
	switch {
	case errors.As(err, &behind) && behind.Busy:
		return term.Hint(err, "another process makes it; try again in a while")
	case errors.As(err, &behind):
		return term.Hint(err, "see that %s can be written, or move it with XDG_STATE_HOME", a.short(a.places.State))
	case errors.Is(err, curate.ErrPerson):
		return term.Hint(err, "type it in a terminal of your own; a proposal can be left with `learnings add --pending`")
	case errors.Is(err, lessons.ErrNotFound):
		return term.Hint(err, "`learnings show --status all` and `learnings search WORDS` list ids")
	}
	return err
}

// ids resolves arguments to full ids, in order and without duplicates. A unique prefix is
// enough; "-" reads ids from standard input, one a line.
func (a *app) ids(args []string) ([]lessons.ID, error) {
	var words []string
	for _, arg := range args {
		if arg != "-" {
			words = append(words, arg)
			continue
		}
		more, err := term.ReadIDs(a.In)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
	}
	var out []lessons.ID
	seen := map[lessons.ID]bool{}
	for _, w := range words {
		id, err := a.corpus.Store.Resolve(w)
		if err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return nil, term.Usagef("no ids on standard input")
	}
	return out, nil
}

// named reads the lessons with these ids; "-" reads the ids from standard input.
func (a *app) named(words ...string) ([]lessons.Lesson, error) {
	ids, err := a.ids(words)
	if err != nil {
		return nil, err
	}
	ls := make([]lessons.Lesson, 0, len(ids))
	for _, id := range ids {
		l, err := a.corpus.Store.Get(id)
		if err != nil {
			return nil, err
		}
		ls = append(ls, l)
	}
	return ls, nil
}

// tell prints what was done to lessons.
func (a *app) tell(done string, ls ...lessons.Lesson) error {
	if a.JSON {
		return a.objects(ls)
	}
	for _, l := range ls {
		a.Say("%s %s  %s", done, l.ID, l.Title(80))
	}
	return nil
}

// objects prints lessons as one JSON object a line.
func (a *app) objects(ls []lessons.Lesson) error { return a.Give(render.Shelf{Lessons: ls}) }

// screenful is the default limit of a list on a terminal.
const screenful = 50

// atMost returns the limit given or, without one, n on a terminal and no limit elsewhere.
func (a *app) atMost(limit, n int) int {
	if limit < 0 && a.Terminals.Out && !a.JSON {
		return n
	}
	return max(limit, 0)
}

// cut returns at most limit items; 0 is no limit.
func cut[T any](list []T, limit int) []T {
	if limit > 0 {
		return list[:min(limit, len(list))]
	}
	return list
}

// within reports whether a word is one of a list of names, or "all".
func within[S ~string](word string, names []S) bool {
	return word == "all" || slices.Contains(names, S(word))
}
