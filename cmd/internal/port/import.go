// Package port imports lessons from other programs and exports lessons to them: it finds
// the store that a person means, and prints what was or would be done.
package port

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
	"learnings/lessons/pairs"
)

// A Store is where lessons are, and in which format.
type Store struct {
	formats.Named
	Path string // "" for standard output
}

// Foreign reports whether another program reads the store and gives it to its agents.
// Only lessons that a person approved may go there.
func (s Store) Foreign() bool { return s.Places != nil }

// Ledger opens the record, in the folder ledgers, of what was written to the store; nil
// for a format that belongs to no program.
func (s Store) Ledger(ledgers string) (*exchange.Ledger, error) {
	if !s.Foreign() {
		return nil, nil
	}
	return exchange.OpenLedger(ledgers, s.Name+":"+s.Path)
}

// Sources finds what a person means: a file or folder, the name of a format for its
// program's usual places, or "" for the usual places of the format from. A non-empty from
// fixes the format, which is guessed otherwise. The error lists the places searched.
func Sources(what, from string, w formats.World) ([]Store, error) {
	path := w.Absolute(what)
	if from == "" && !exists(path) {
		if f, err := formats.Find(what); err == nil {
			from, what = f.Name, ""
		}
	}
	if from == "" {
		found := formats.Detect(path)
		switch {
		case !exists(path) && strings.ContainsAny(what, `./\`):
			return nil, term.Hint(term.Missingf("there is no file and no folder %s", what), "`learnings import --help` lists the formats")
		case !exists(path):
			return nil, term.Hint(term.Missingf("%s is no file, no folder and no format", what), "%s", term.Meant(what, formats.Names()))
		case len(found) == 0:
			return nil, term.Hint(fmt.Errorf("%s is in none of the formats that are known", what), "--from FORMAT says which one is meant: %s", strings.Join(formats.Names(), ", "))
		}
		return []Store{{found[0].For(w), path}}, nil
	}
	f, err := formats.Find(from)
	if err != nil {
		return nil, term.Usagef("%v", err)
	}
	f = f.For(w)
	if f.Server != nil {
		name, err := serverOf(&f, what, w)
		return []Store{{f, name}}, err
	}
	if what != "" {
		return []Store{{f, path}}, nil
	}
	if f.Places == nil {
		return nil, term.Usagef("%s belongs to no program: name the file", f.Name)
	}
	places := f.Places(w)
	var out []Store
	for _, p := range places {
		if exists(p) {
			out = append(out, Store{f, p})
		}
	}
	if len(out) == 0 {
		return nil, term.Hint(term.Missingf("there is no store of %s", f.Name), "looked for %s; name its file or folder", strings.Join(places, ", "))
	}
	return out, nil
}

// serverOf prepares a format to query the person's memory server, and returns the
// server's name.
func serverOf(f *formats.Named, question string, w formats.World) (name string, err error) {
	f.Format = f.Server(w, question)
	if name = w.Memory.Name(); name == "" {
		err = term.Hint(errors.New("no memory server is named"), `set learning.mcp.command, such as ["octobrain", "mcp"], or learning.mcp.url`)
	}
	return name, err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}

// Told is the result of an import, as an answer.
type Told struct {
	exchange.Report
	Approved []lessons.Lesson // approved at once, by the person

	// Against are the existing lessons that contradict new ones, if that was checked.
	Against map[lessons.ID][]pairs.Contrary
	ByFile  bool // list the entries by file
}

// did returns the verb for a dry run or a real one.
func (t Told) did(do, done string) string {
	if t.Dry {
		return "would " + do
	}
	return done
}

// Terminal lists the new lessons and counts the others.
func (t Told) Terminal(p *term.Page) {
	approved := t.approved()
	for _, f := range t.files() {
		p.Strong("%s", f.says())
	}
	for _, l := range t.New {
		done := t.did("propose", "proposed")
		if approved[l.ID] {
			done = "approved"
		}
		p.Line("%s %s  %s", done, l.ID, l.Title(80))
		for _, x := range t.Against[l.ID] {
			p.Line("    contradicts %s  %s", x.Lesson.ID, x.Lesson.Title(70))
		}
	}
	for _, r := range t.Raised {
		p.Line("%s %s  from %s to %s: it has the keywords of %q", t.did("raise", "raised"), r.ID, r.From, r.To, r.Lesson.Title(60))
	}
	p.Line("%s", t.Summary())
}

// Waiting returns the new lessons that need a decision.
func (t Told) Waiting() (out []lessons.Lesson) {
	approved := t.approved()
	for _, l := range t.New {
		if !approved[l.ID] {
			out = append(out, l)
		}
	}
	return out
}

// Trusted returns those of Waiting that are not put aside in the other program.
func (t Told) Trusted() []lessons.Lesson {
	return slices.DeleteFunc(t.Waiting(), func(l lessons.Lesson) bool { return t.Aside[l.ID] })
}

func (t Told) approved() map[lessons.ID]bool {
	out := map[lessons.ID]bool{}
	for _, l := range t.Approved {
		out[l.ID] = true
	}
	return out
}

// Summary counts the results on one line.
func (t Told) Summary() string {
	rejected, loose := 0, 0
	for _, k := range t.Known {
		if k.Status == lessons.Rejected {
			rejected++
		}
	}
	for _, l := range t.New {
		if !l.Scope.Global && l.Scope.Project == "" {
			loose++
		}
	}
	known := "%d known already"
	if rejected > 0 {
		known += fmt.Sprintf(", of them %d rejected here", rejected)
	}
	says := []string{fmt.Sprintf("%s %d", t.did("propose", "proposed"), len(t.New)-len(t.Approved))}
	if aside := len(t.Waiting()) - len(t.Trusted()); aside > 0 {
		says[0] += fmt.Sprintf(" (%d of them put aside there)", aside)
	}
	for _, x := range []struct {
		n    int
		says string
	}{
		{len(t.Approved), "approved %d"},
		{len(t.Raised), t.did("raise", "raised") + " the confidence of %d"},
		{len(t.Known), known},
		{len(t.Unread), "%d not read"},
		{loose, "%d of no project, which no session is given before `learnings edit ID --project NAME` or --global"},
	} {
		if x.n > 0 {
			says = append(says, fmt.Sprintf(x.says, x.n))
		}
	}
	return fmt.Sprintf("%s (%s): %s", t.Path, t.Format, strings.Join(says, ", "))
}

// An entry is the result for one item of the store, with its lesson.
type entry struct {
	what    string // new, approved, known, raised or unread
	id      lessons.ID
	place   string
	lesson  lessons.Lesson // as in the store
	status  lessons.Status // of a lesson that existed before
	err     error
	against []lessons.ID // existing lessons that contradict a new one
}

func (t Told) entries() (out []entry) {
	approved := t.approved()
	for _, l := range t.New {
		e := entry{what: "new", id: l.ID, place: t.Places[l.ID], lesson: l}
		if approved[l.ID] {
			e.what = "approved"
		}
		for _, x := range t.Against[l.ID] {
			e.against = append(e.against, x.Lesson.ID)
		}
		out = append(out, e)
	}
	for _, k := range t.Known {
		out = append(out, entry{what: "known", id: k.ID, place: t.Places[k.Lesson.ID], lesson: k.Lesson, status: k.Status})
	}
	for _, r := range t.Raised {
		out = append(out, entry{what: "raised", id: r.ID, place: t.Places[r.Lesson.ID], lesson: r.Lesson, status: lessons.Approved})
	}
	for _, u := range t.Unread {
		place := strings.TrimSuffix(fmt.Sprintf("%s:%d", u.Path, u.Line), ":0") // 0 is the whole file
		out = append(out, entry{what: "unread", place: place, err: u.Err})
	}
	return out
}

// Plain prints one line for each entry: the result, the lesson's id, its place in the
// store, its text.
func (t Told) Plain(w io.Writer) {
	for _, f := range t.files() {
		term.TSV(w, "file", f.Name, fmt.Sprint(f.Entries), fmt.Sprint(f.Known), fmt.Sprint(f.Against))
	}
	for _, e := range t.entries() {
		if e.err == nil {
			term.TSV(w, e.what, string(e.id), e.place, e.lesson.Title(200))
		}
		for _, x := range t.Against[e.id] {
			term.TSV(w, "against", string(e.id), string(x.Lesson.ID), x.Lesson.Title(200))
		}
	}
}

// Objects returns one object for each file and each entry.
func (t Told) Objects() (out []any) {
	for _, f := range t.files() {
		out = append(out, f)
	}
	for _, e := range t.entries() {
		var said string
		var record *lessons.Record
		if e.err != nil {
			said = e.err.Error()
		}
		if e.what == "new" || e.what == "approved" {
			record = new(e.lesson.Record())
		}
		out = append(out, term.Object(nil, "what", e.what, "id?", e.id, "place", e.place, "status?", e.status, "error?", said, "lesson?", record, "against?", e.against))
	}
	return out
}

// WarnUnread lists what could not be read.
func WarnUnread(out *term.Console, unread []exchange.Unread) {
	const most = 20
	first(unread, most, func(u exchange.Unread) { out.Warn("%v", u) }, func(n int) { out.Warn("%d more could not be read; --json lists them", n) })
}

// Advised adds a hint to an error of an export.
func Advised(err error) error {
	switch {
	case errors.Is(err, exchange.ErrChanged):
		return term.Hint(err, "nothing was lost; do it again")
	case errors.Is(err, exchange.ErrFormat):
		return term.Hint(err, "mend the file, or name another place")
	}
	return err
}

// AdvisedReading adds a hint to an error of an import, which may need another format.
func AdvisedReading(err error) error {
	if errors.Is(err, exchange.ErrFormat) {
		return term.Hint(err, "--from FORMAT says which one is meant, where the file is not at fault: %s", strings.Join(formats.Names(), ", "))
	}
	return Advised(err)
}

// Team returns the team folder of the current project as the destination of these
// lessons.
func Team(w formats.World, share []lessons.ID, evidence bool) (Store, error) {
	w.Share, w.Evidence = share, evidence
	return To(formats.Team, "", w)
}

// TeamNews returns the team's lessons in the current project, if their folder has changed
// since the last call of seen. The folder state records that.
func TeamNews(w formats.World, state string) (news []Store, seen func() error) {
	f, err := formats.Find(formats.Team)
	if err != nil || w.Dir == "" {
		return nil, nil
	}
	f = f.For(w)
	dir := f.Places(w)[0]
	if !f.Detect(dir) {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil
	}
	var all []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			all = append(all, fmt.Sprintln(e.Name(), info.Size(), info.ModTime().UnixNano()))
		}
	}
	now, mark := exchange.Digest(all...), filepath.Join(state, "team-"+exchange.Digest(dir))
	if was, err := os.ReadFile(mark); err == nil && string(was) == now {
		return nil, nil
	}
	return []Store{{f, dir}}, func() error {
		if err := os.MkdirAll(state, 0o700); err != nil {
			return err
		}
		return os.WriteFile(mark, []byte(now), 0o600)
	}
}
