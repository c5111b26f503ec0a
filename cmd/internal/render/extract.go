package render

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/lessons"
)

// An Extraction prints and counts extraction results. Console and Short must be set.
type Extraction struct {
	*term.Console
	Short func(path string) string // formats a path for people
	Named bool                     // the person named the sessions
	Dry   bool                     // store nothing

	Sessions int              // sessions with something new
	Excluded int              // excluded sessions
	Failed   int              // unreadable places
	Found    []lessons.Lesson // the proposals so far, in order

	offered, again, against int
	short                   int // sessions that are too short
}

// Add counts the result of one transcript and prints what a person should know at once;
// err is the error that came with it. It reports whether the transcript was read. An
// unreadable file is counted and not returned as an error.
func (r *Extraction) Add(t intake.Taken, err error) (read bool, _ error) {
	var unread *extractor.FileError
	switch {
	case errors.As(err, &unread):
		r.Warn("%v", err)
		if unread.Hint != "" {
			r.Note("hint: %s", lessons.Line(unread.Hint))
		}
		r.Failed++
		return false, nil
	case err != nil:
		return false, err
	}
	for _, bad := range t.Bad {
		r.Warn("%v", bad)
	}
	if t.BadMore > 0 {
		r.Warn("%s: %d more bad lines skipped", r.Short(t.File.Path), t.BadMore)
	}
	if t.Excluded != "" {
		if r.Excluded++; r.Named {
			r.Warn("%s is not read: learning.exclude has %q", r.Short(t.File.Path), t.Excluded)
		}
		return false, nil
	}
	if t.Short {
		r.short++
	}
	r.Sessions++
	r.again += len(t.Again)
	r.against += t.Against
	r.offered += Offered(t)
	r.Found = append(r.Found, t.Stored...)
	if r.JSON { // print each as it comes
		return true, r.Give(Shelf{Lessons: t.Stored})
	}
	return true, nil
}

// Tell lists the proposals, unless they were printed already, and a summary. It returns
// an error if places could not be read.
func (r *Extraction) Tell() error {
	for _, l := range r.Found {
		if !r.JSON {
			proposal(r.Console, l, "")
		}
	}
	r.Note("%s", r)
	if r.Failed > 0 {
		return fmt.Errorf("%s could not be read", term.Plural(r.Failed, "place"))
	}
	return nil
}

// String returns the summary.
func (r *Extraction) String() string {
	did := "proposed"
	if r.Dry {
		did = "would propose"
	}
	line := fmt.Sprintf("%s %s from %s with something new", did, term.InLanes(lessons.WaitingOf(r.Found, time.Time{}), "lesson"), term.Plural(r.Sessions, "session"))
	for _, x := range []struct {
		n         int
		one, says string
	}{
		{r.again, "moment", " known already"},
		{r.against, "correction", " against lessons that were given: `learnings check stale`"},
		{r.Excluded, "session", " excluded (learning.exclude)"},
		{r.offered, "better wording", " offered for what waits already"},
	} {
		if x.n > 0 {
			line += "; " + term.Plural(x.n, x.one) + x.says
		}
	}
	if r.short > 0 {
		line += "; " + leftShort(r.short)
	}
	if len(r.Found) > 0 && !r.Dry {
		line += "; `learnings` opens the review"
	}
	return line
}

// Offered counts the waiting proposals that were offered a better wording.
func Offered(t intake.Taken) (n int) {
	for _, again := range t.Again {
		if again.Offer != nil && again.Status == lessons.Pending {
			n++
		}
	}
	return n
}

// A Watch prints proposals as they enter the corpus. All fields but Only must be set.
type Watch struct {
	*term.Console
	Corpus *curate.Corpus
	Only   transcript.Places // only sessions in these places; nil for all
	Now    func() time.Time

	Printed int // so far
	cursor  lessons.Cursor
}

// Begin skips the proposals that already wait.
func (w *Watch) Begin(ctx context.Context) (err error) {
	w.cursor, err = w.Corpus.End(ctx)
	return err
}

// Print prints the proposals since the last call.
func (w *Watch) Print(ctx context.Context) error {
	came, end, err := w.Corpus.Proposed(ctx, w.cursor)
	if err != nil {
		return err
	}
	w.cursor = end
	for _, l := range came {
		switch {
		case w.Only != nil && !slices.ContainsFunc(l.Evidence, w.watched):
			continue
		case !w.JSON:
			proposal(w.Console, l, w.Now().Local().Format("15:04:05")+"  "+string(l.ID)+"  ")
		default:
			if err := w.Give(Shelf{Lessons: []lessons.Lesson{l}}); err != nil {
				return err
			}
		}
		w.Printed++
	}
	return w.Out.Flush()
}

// watched reports whether evidence is from a watched session.
func (w *Watch) watched(e lessons.Evidence) bool {
	return slices.ContainsFunc(w.Only, func(p transcript.Place) bool {
		rel, err := filepath.Rel(p.Path, e.Path)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// proposal prints a proposal on one line, on a terminal with before in front.
func proposal(c *term.Console, l lessons.Lesson, before string) {
	if !c.Terminals.Out {
		term.TSV(c.Out, string(l.ID), string(l.Category), l.Scope.Project, l.Trust(), l.Content)
		return
	}
	c.Say("%s%s %s  %s", before, l.Trust(), l.Category, l.Title(max(c.Terminals.Width-24-len(before), 30)))
}

// Sessions are the sessions found, in order.
type Sessions struct {
	Rows  []past.Row // to be shown
	All   int        // found
	Match int        // matching the query
	Short int        // matching, but too short to be read
	Where string
}

// Choose keeps the rows that match a query, in a project or all for "", sorted by a
// field, and counts them.
func Choose(rows []past.Row, query, project, by string, now time.Time) (Sessions, error) {
	l := Sessions{All: len(rows)}
	q, err := past.Parse(query, now)
	if err != nil {
		return l, term.Usagef("--where: %v", err)
	}
	l.Rows = slices.DeleteFunc(rows, func(r past.Row) bool { return project != "" && r.Project != project || !q.Match(&r) })
	if err := past.Sort(l.Rows, by, now); err != nil {
		return l, term.Usagef("--sort: %v", err)
	}
	l.Match = len(l.Rows)
	for _, r := range l.Rows {
		if r.Short {
			l.Short++
		}
	}
	return l, nil
}

// Answer lists the sessions.
func (l Sessions) Answer() term.Answer {
	return term.List[past.Row]{Items: l.Rows, Page: l.show, Object: session, Cells: func(x past.Row) []string {
		return []string{string(x.Format), x.Project, x.Session.ID, term.Stamp(x.Session.Start), fmt.Sprint(x.Human), fmt.Sprint(x.ToolErrors),
			fmt.Sprint(x.Size), fmt.Sprint(x.Lessons), x.Path, readsPerEdit(&x), fmt.Sprint(x.Corrections), fmt.Sprint(x.Spin), fmt.Sprint(x.Again), fmt.Sprint(x.Blind), strings.Join(lessons.Texts(x.Kinds()), " "), x.Prompt}
	}}
}

func (l Sessions) show(p *term.Page) {
	switch {
	case l.All == 0:
		p.Line("%s", l.Looked())
		p.Line("--from PATH looks elsewhere; `learnings --sample` has some to try")
		return
	case l.Match == 0:
		p.Line("none of %s matches", term.Plural(l.All, "session"))
		return
	}
	few := func(n int) string { return strings.TrimPrefix(fmt.Sprint(n), "0") } // mostly 0
	rows := make([][]string, 0, len(l.Rows))
	for i := range l.Rows {
		x := &l.Rows[i]
		mark := strings.Join(lessons.Texts(x.Kinds()), " ")
		switch {
		case x.Excluded != "":
			mark = "excluded"
		case x.Fresh:
			mark = strings.TrimSpace("new " + mark)
		case x.Short:
			mark = strings.TrimSpace("short " + mark)
		}
		id := lessons.Line(x.Session.ID)
		rows = append(rows, []string{string(x.Format), x.Prompt, x.Project, id[:min(8, len(id))], term.Moment(x.Session.Start), fmt.Sprint(x.Human), few(x.Corrections),
			fmt.Sprint(x.ToolErrors), few(x.Spin), readsPerEdit(x), term.Size(x.Size), fmt.Sprint(x.Lessons), mark})
	}
	p.Table([]string{"Agent", "First prompt", "Project", "Session", "Start", "Turns", "Corrected", "Errors", "Spin", "Reads/edit", "Size", "Lessons", ""}, rows, 1)
	p.More(l.Match - len(l.Rows))
	p.Line("**Total:** %s", l.Looked())
	if l.Short > 0 {
		p.Line("%s; `learnings extract FILE` reads one", leftShort(l.Short))
	}
}

// Looked says how many sessions were found, and where.
func (l Sessions) Looked() string {
	switch {
	case l.All == 0:
		return "no sessions in " + l.Where
	case l.Match < l.All:
		return fmt.Sprintf("%d of %s in %s", l.Match, term.Plural(l.All, "session"), l.Where)
	}
	return term.Plural(l.All, "session") + " in " + l.Where
}

// leftShort says how many sessions were too short to be read.
func leftShort(n int) string {
	until := "they grow"
	if n == 1 {
		until = "it grows"
	}
	return fmt.Sprintf("%s left until %s (learning.min_transcript_chars)", term.Plural(n, "short session"), until)
}

// session is the JSON form.
func session(x past.Row) any {
	var start *time.Time
	if at := x.Session.Start; !at.IsZero() {
		start = &at
	}
	var minutes, ratio *float64 // the ratio is left out without edits
	if took, ok := x.Took(); ok {
		minutes = new(float64(int(took.Minutes()*10)) / 10)
	}
	if r, ok := x.ReadsPerEdit(); ok {
		ratio = new(float64(int(r*100)) / 100)
	}
	calls := map[string]int{}
	for t, n := range x.Did {
		if n > 0 {
			calls[past.Tool(t).Name()] = n
		}
	}
	var mistakes []any
	for _, e := range x.Errors {
		mistakes = append(mistakes, term.Object(nil, "id", e.ID, "doing", e.Doing, "says", e.Says, "count", e.Count, "first?", e.First, "last?", e.Last))
	}
	return term.Object(nil, "agent", x.Format, "project", x.Project, "role", x.Role, "id", x.Session.ID, "parent?", x.Session.Parent, "path", x.Path,
		"start", start, "person", x.Human, "errors", x.ToolErrors, "refusals", x.Refusals, "lines", x.Lines, "bad_lines", x.BadLines, "size", x.Size,
		"lessons", x.Lessons, "new", x.Fresh, "short", x.Short, "excluded?", x.Excluded, "prompt?", x.Prompt, "corrections", x.Corrections, "calls", calls,
		"spin", x.Spin, "stuck?", x.Stuck, "again", x.Again, "blind", x.Blind, "kinds?", x.Kinds(), "minutes?", minutes,
		"reads_per_edit?", ratio, "mistakes?", mistakes)
}

// Places describes where sessions are searched; of many places it names only those that
// exist. short formats a path for people.
func Places(where transcript.Places, short func(path string) string) string {
	const few = 3
	var out []string
	missing := 0
	for _, p := range where {
		if _, err := os.Stat(p.Path); err != nil && len(where) > few {
			missing++
			continue
		}
		out = append(out, short(p.Path))
	}
	if missing == len(where) {
		return fmt.Sprintf("the %d places where agents keep them, none of which is there (`learnings version --places` names them)", missing)
	}
	if missing > 0 {
		out = append(out, fmt.Sprintf("%d places that are not there (`learnings version --places` names them)", missing))
	}
	return strings.Join(out, " and ")
}

// readsPerEdit returns the files that an agent read for each edit; "" if unknown.
func readsPerEdit(w interface{ ReadsPerEdit() (float64, bool) }) string {
	if ratio, ok := w.ReadsPerEdit(); ok {
		return fmt.Sprintf("%.1f", ratio)
	}
	return ""
}
