package sessions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/lessons"
)

// A List is what was found, in its order.
type List struct {
	Rows  []past.Row // that are shown
	All   int        // that were found
	Match int        // that are meant, of these
	Short int        // of those meant, how many are not read because little was said in them
	Where string
}

// Answer lists them.
func (l List) Answer() term.Answer {
	return term.List[past.Row]{Items: l.Rows, Page: l.show, Cells: cells, Object: object}
}

func (l List) show(p *term.Page) {
	switch {
	case l.All == 0:
		p.Line("no sessions in %s", l.Where)
		p.Line("--from PATH looks elsewhere; `learnings --sample` has some to try")
		return
	case l.Match == 0:
		p.Line("none of %s matches", term.Plural(l.All, "session"))
		return
	}
	rows := make([][]string, 0, len(l.Rows))
	for i := range l.Rows {
		x := &l.Rows[i]
		mark := kinds(x)
		switch {
		case x.Excluded != "":
			mark = "excluded"
		case x.Fresh:
			mark = strings.TrimSpace("new " + mark)
		case x.Short:
			mark = strings.TrimSpace("short " + mark)
		}
		rows = append(rows, []string{string(x.Format), x.Prompt, x.Project, shortID(x.Session.ID), term.Moment(x.Session.Start), fmt.Sprint(x.Human), few(x.Corrections),
			fmt.Sprint(x.ToolErrors), few(x.Spin), readsPerEdit(x), term.Size(x.Size), fmt.Sprint(x.Lessons), mark})
	}
	p.Table([]string{"Agent", "First prompt", "Project", "Session", "Start", "Turns", "Corrected", "Errors", "Spin", "Reads/edit", "Size", "Lessons", ""}, rows, 1)
	if more := l.Match - len(l.Rows); more > 0 {
		p.Line("… and %d more: --limit 0 shows all", more)
	}
	if l.Match < l.All {
		p.Line("**Total:** %d of %s in %s", l.Match, term.Plural(l.All, "session"), l.Where)
	} else {
		p.Line("**Total:** %s in %s", term.Plural(l.All, "session"), l.Where)
	}
	if l.Short > 0 {
		p.Line("%s; `learnings extract FILE` reads one", LeftShort(l.Short))
	}
}

// few is a number that is most often 0, and then not worth reading.
func few(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func kinds(x *past.Row) string {
	var out []string
	for _, k := range x.Kinds() {
		out = append(out, string(k))
	}
	return strings.Join(out, " ")
}

func cells(x past.Row) []string {
	return []string{string(x.Format), x.Project, x.Session.ID, term.Stamp(x.Session.Start), fmt.Sprint(x.Human), fmt.Sprint(x.ToolErrors),
		fmt.Sprint(x.Size), fmt.Sprint(x.Lessons), x.Path, readsPerEdit(&x), fmt.Sprint(x.Corrections), fmt.Sprint(x.Spin), fmt.Sprint(x.Again), fmt.Sprint(x.Blind), kinds(&x), x.Prompt}
}

// A session is one as JSON has it.
type session struct {
	Agent    string     `json:"agent"`
	Project  string     `json:"project"`
	Role     string     `json:"role"`
	ID       string     `json:"id"`
	Parent   string     `json:"parent,omitempty"`
	Path     string     `json:"path"`
	Start    *time.Time `json:"start"`
	Person   int        `json:"person"`
	Errors   int        `json:"errors"`
	Refusals int        `json:"refusals"`
	Lines    int        `json:"lines"`
	BadLines int        `json:"bad_lines"`
	Size     int64      `json:"size"`
	Lessons  int        `json:"lessons"`
	New      bool       `json:"new"`
	Short    bool       `json:"short"`
	Excluded string     `json:"excluded,omitempty"` // by which pattern of learning.exclude

	Prompt      string         `json:"prompt,omitempty"`
	Corrections int            `json:"corrections"`
	Minutes     *float64       `json:"minutes,omitempty"`
	Calls       map[string]int `json:"calls"`
	Ratio       *float64       `json:"reads_per_edit,omitempty"` // left out when nothing was edited
	Spin        int            `json:"spin"`
	Stuck       string         `json:"stuck,omitempty"`
	Again       int            `json:"again"`
	Blind       int            `json:"blind"`
	Kinds       []past.Kind    `json:"kinds,omitempty"`
	Sequence    string         `json:"sequence,omitempty"`
	Mistakes    []mistake      `json:"mistakes,omitempty"`
}

type mistake struct {
	ID    lessons.ID `json:"id"`
	Doing string     `json:"doing"`
	Says  string     `json:"says"`
	Count int        `json:"count"`
	First time.Time  `json:"first,omitzero"`
	Last  time.Time  `json:"last,omitzero"`
}

func object(x past.Row) any {
	o := session{
		Agent: string(x.Format), Project: x.Project, Role: x.Role, ID: x.Session.ID, Parent: x.Session.Parent, Path: x.Path,
		Person: x.Human, Errors: x.ToolErrors, Refusals: x.Refusals, Lines: x.Lines, BadLines: x.BadLines, Size: x.Size,
		Lessons: x.Lessons, New: x.Fresh, Short: x.Short, Excluded: x.Excluded,
		Prompt: x.Prompt, Corrections: x.Corrections, Calls: map[string]int{}, Spin: x.Spin, Stuck: x.Stuck, Again: x.Again, Blind: x.Blind,
		Kinds: x.Kinds(), Sequence: x.Sequence,
	}
	if start := x.Session.Start; !start.IsZero() {
		o.Start = &start
	}
	if took, ok := x.Took(); ok {
		minutes := float64(int(took.Minutes()*10)) / 10
		o.Minutes = &minutes
	}
	if ratio, ok := x.ReadsPerEdit(); ok {
		ratio = float64(int(ratio*100)) / 100
		o.Ratio = &ratio
	}
	for _, t := range past.Tools {
		if n := x.Of(t); n > 0 {
			o.Calls[t.Name()] = n
		}
	}
	for _, e := range x.Errors {
		o.Mistakes = append(o.Mistakes, mistake(e))
	}
	return o
}

// readsPerEdit is how many files an agent read for each edit; "" when it edited none.
func readsPerEdit(x *past.Row) string {
	if ratio, ok := x.ReadsPerEdit(); ok {
		return fmt.Sprintf("%.1f", ratio)
	}
	return ""
}

// shortID is enough of a session's id for people to tell it by.
func shortID(id string) string {
	id = lessons.Line(id)
	return id[:min(8, len(id))]
}

// LeftShort says how many sessions were not read because little was said in
// them so far.
func LeftShort(n int) string {
	until := "they grow"
	if n == 1 {
		until = "it grows"
	}
	return fmt.Sprintf("%s left until %s (learning.min_transcript_chars)", term.Plural(n, "short session"), until)
}

// Choose keeps the rows that a query wants, of a project or of all for "", in the order
// of a field, and says how many there were.
func Choose(rows []past.Row, query, project, by string, now time.Time) (List, error) {
	l := List{All: len(rows)}
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
