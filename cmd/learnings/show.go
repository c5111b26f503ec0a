package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// showOptions are what `learnings show` was asked for.
type showOptions struct {
	what    string // a category, or the beginning of an id; "" for everything
	status  string // one of lessons.Statuses, or "all"
	project string
	role    string
	lane    string // one of lessons.Lanes, or "all"; "" for what the reader is to see first
	limit   int    // 0 is no limit
	json    bool
}

func newShow(a *app) *cobra.Command {
	o := showOptions{limit: -1}
	cmd := &cobra.Command{
		Use: "show [CATEGORY|ID]", Short: "List the lessons, or show one",
		Long: "Show lists the approved lessons, newest first: all, or those of a category with\n" +
			"the ones that mean the same (error, errors, bugfix). With an id, or a beginning\n" +
			"of one that fits no other, it shows that lesson whole, whatever its status.\n\n" +
			"Of proposals (--status pending) it lists those that likely are lessons, what was\n" +
			"said in more sessions first, and counts those that may be: --lane shows them.",
		Example: "  learnings show errors\n  learnings show k7m2p9qx\n  learnings show --status pending --json",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.what = args[0]
			}
			if o.limit < 0 && a.Terminals.Out && !o.json {
				o.limit = screenful
			}
			return show(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.status, "status", string(lessons.Approved), "pending, approved, rejected, merged, archived or all")
	cmd.Flags().StringVar(&o.lane, "lane", "", "of proposals: likely, maybe or all (default: likely; all with --json)")
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().StringVar(&o.role, "role", "", "of this role only")
	cmd.Flags().IntVarP(&o.limit, "limit", "n", -1, "at most so many; 0 for all (default: 50 on a terminal, else all)")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func show(ctx context.Context, a *app, o showOptions) error {
	q, err := o.query(a)
	if err != nil {
		return err
	}
	if o.what != "" && !lessons.Category(o.what).Known() {
		done, err := showOne(ctx, a, o)
		if done || err != nil {
			return err
		}
	}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (shelf, error) { return readShelf(ctx, x, q, o.limit) })
	if err != nil {
		return err
	}
	if o.lane == "" && q.Has(index.Lane) {
		if found.folded, err = folded(ctx, a, q); err != nil {
			return err
		}
	}
	if o.what != "" && found.total+found.folded == 0 && !lessons.Category(o.what).Known() {
		return term.Hint(fmt.Errorf("%w and no such category: %s", lessons.ErrNotFound, o.what), "`learnings stats` lists the categories, `learnings search` finds ids")
	}
	found.title = "All"
	if o.what != "" {
		found.title = o.what
	}
	if o.json {
		if found.lessons, err = rereadLessons(a, found.lessons); err != nil {
			return err
		}
	}
	if err := a.Give(found, o.json); err != nil || found.folded == 0 || a.Terminals.Out {
		return err
	}
	a.Note("%s", found.unfold())
	return nil
}

// folded counts the proposals that may be lessons, where a query for those that
// likely are leaves them out unasked.
func folded(ctx context.Context, a *app, q index.Query) (int, error) {
	for i, f := range q.Filters {
		if f.Field == index.Lane {
			q.Filters = slices.Clone(q.Filters)
			q.Filters[i].Value = string(lessons.Maybe)
		}
	}
	n, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (index.Counts, error) { return x.Count(ctx, q) })
	return n.Total, err
}

// showOne shows the lesson of an id; done says whether it was one.
func showOne(ctx context.Context, a *app, o showOptions) (done bool, err error) {
	c, err := a.curated()
	if err != nil {
		return false, err
	}
	s := c.Store
	id, err := s.Resolve(o.what)
	if errors.Is(err, lessons.ErrNotFound) {
		return false, nil // perhaps a category that we do not know
	} else if err != nil {
		return false, err
	}
	l, err := s.Get(id)
	if err != nil {
		return false, err
	}
	path, err := s.Path(id)
	if err != nil {
		return false, err
	}
	return true, a.Give(card{lesson: l, path: a.short(path), opposed: c.Against(ctx, l)[l.ID]}, o.json)
}

// query is the options in the language of the index.
func (o showOptions) query(a *app) (index.Query, error) {
	q, err := a.chosen(index.Query{Now: a.now()}, o.status, o.project)
	if err != nil {
		return q, err
	}
	if o.role != "" {
		q = q.Where(index.Role, o.role)
	}
	if q, err = o.inLane(q); err != nil {
		return q, err
	}
	if o.what != "" {
		field := index.Category
		if lessons.Category(o.what).Known() {
			field = index.Kind
		}
		q = q.Where(field, o.what)
	}
	return q, nil
}

// inLane narrows a query for proposals to a lane of them, in the order in which they
// wait.
func (o showOptions) inLane(q index.Query) (index.Query, error) {
	lane := o.lane
	switch pending := o.status == string(lessons.Pending); {
	case lane != "" && lane != "all" && !slices.Contains(lessons.Lanes, lessons.Lane(lane)):
		return q, term.Hint(term.Usagef("there is no lane %q", lane), "likely, maybe or all")
	case !pending && lane != "":
		return q, term.Hint(term.Usagef("only proposals are in lanes"), "`learnings show --status pending --lane %s`", lane)
	case !pending:
		return q, nil
	case lane == "" && !o.json:
		lane = string(lessons.Likely)
	}
	q.Sort = index.Queue
	if lane == "" || lane == "all" {
		return q, nil
	}
	return q.Where(index.Lane, lane), nil
}

// A card is one lesson whole.
type card struct {
	lesson  lessons.Lesson
	path    string
	opposed []stance.Contrary // what contradicts it
}

func (c card) Terminal(p *term.Page) {
	l := c.lesson
	p.Strong("%s  %s · %s · %s %s", l.ID, l.Status, l.Category, l.Confidence, l.Confidence.Word())
	p.Line("%s", scope(l.Scope))
	fmt.Fprintln(p.W)
	p.Text("", l.Content)
	for _, part := range []struct{ name, text string }{{"Insight", l.Insight}, {"Example", l.Example}} {
		if strings.TrimSpace(part.text) != "" {
			fmt.Fprintln(p.W)
			p.Strong("%s", part.name)
			p.Text("  ", part.text)
		}
	}
	fmt.Fprintln(p.W)
	for _, d := range curate.Offered(l) {
		p.Field("Offer", "%s: %s", d.Field, match.Marked(d.Before, d.After))
	}
	if l.Offer.Content != "" {
		p.Field("", "by %s; `learnings edit %s --take` takes it", l.Offer.Extractor, l.ID)
	}
	for _, d := range lessons.Dangers(l) {
		p.Field("! Flag", "%s", flag(d))
	}
	for _, o := range c.opposed {
		p.Field("! Against", "%s (%s)  %s", o.Lesson.ID, o.Lesson.Status, o.Lesson.Content)
		p.Text("           ", o.Contradiction.Why)
		s, why := curate.Propose(l, o.Lesson)
		p.Field("", "%s    (%s is %s)", resolving(s), s.Keep.ID, why)
	}
	for _, f := range lessons.Lint(l) {
		p.Field("~ Wording", "%s: %s", f.Code, advice(f))
	}
	for _, f := range c.fields() {
		p.Field(f[0], "%s", f[1])
	}
	for _, e := range l.Evidence {
		fmt.Fprintln(p.W)
		p.Field("Evidence", "%s", source(e))
		p.Text("  ▏ ", e.Quote)
	}
}

// fields are the small facts of a lesson that are known.
func (c card) fields() [][2]string {
	l := c.lesson
	day := "2006-01-02 15:04"
	out := [][2]string{{"Created", l.Created.Local().Format(day)}}
	add := func(name, value string) {
		if value != "" {
			out = append(out, [2]string{name, value})
		}
	}
	add("Tags", strings.Join(l.Tags, ", "))
	add("Triggers", strings.Join(l.Triggers, ", "))
	add("Said by", speakers[l.SaidBy()])
	add("Sessions", lessons.SaidAgain(l.Evidence))
	add("Again", again(l))
	if l.Outside {
		add("Outside", "another program wrote it: no session is given it before you confirm it")
	}
	add("Stands", l.Origin.Standing())
	add("Elsewhere", l.Elsewhere.String())
	add("Proposed", strings.TrimSpace(l.Origin.Extractor+"  "+l.Origin.Rule))
	if l.Decided.By != "" {
		add("Decided", l.Decided.At.Local().Format(day)+" by "+l.Decided.By)
	}
	add("Reason", l.Decided.Reason)
	add("Into", string(l.Decided.Into))
	add("Superseded", string(l.Decided.SupersededBy))
	for _, h := range l.HoldsWith {
		add("Beside", h.String())
	}
	if l.Use.Used > 0 {
		add("Used", fmt.Sprintf("%d times, helped %d, harmed %d", l.Use.Used, l.Use.Helped, l.Use.Harmed))
	}
	for _, f := range proven(l) {
		add(f[0], f[1])
	}
	add("File", c.path)
	return out
}

// again says of a proposal that the same was rejected before, and which that is.
func again(l lessons.Lesson) string {
	if l.Origin.Declined == "" {
		return ""
	}
	return fmt.Sprintf("%s, %s (%s)", l.Returned(), l.Origin.DeclinedAt.Local().Format("2006-01-02"), l.Origin.Declined)
}

var speakers = map[lessons.Speaker]string{lessons.ByPerson: "the person", lessons.ByAgent: "the agent", lessons.ByTool: "a tool"}

// flag is a reason to look twice, with the words that gave it.
func flag(d lessons.Danger) string {
	if d.Found == "" {
		return d.Says
	}
	return d.Says + ": " + d.Found
}

// source says in one line where evidence is from.
func source(e lessons.Evidence) string {
	s := strings.TrimSpace(fmt.Sprintf("%s, %s %s", cmp.Or(e.Author, speakers[e.By]), e.Agent, e.Session))
	if e.Line > 0 {
		s += fmt.Sprintf(" line %d", e.Line)
	}
	if e.Opposes() {
		s += ", against it"
	}
	if e.Link != "" {
		s += ", " + e.Link
	}
	return strings.Trim(s, ", ")
}

func (c card) Plain(w io.Writer) {
	l := c.lesson
	term.TSV(w, "id", string(l.ID))
	term.TSV(w, "status", string(l.Status))
	term.TSV(w, "category", string(l.Category))
	term.TSV(w, "project", l.Scope.Project)
	term.TSV(w, "role", l.Scope.Role)
	term.TSV(w, "score", l.Confidence.String())
	term.TSV(w, "content", l.Content)
	term.TSV(w, "insight", l.Insight)
	term.TSV(w, "example", l.Example)
	for _, d := range curate.Offered(l) {
		term.TSV(w, "offer", d.Field, match.Marked(d.Before, d.After), l.Offer.Extractor)
	}
	for _, d := range lessons.Dangers(l) {
		term.TSV(w, "flag", string(d.Hazard), flag(d))
	}
	for _, o := range c.opposed {
		s, _ := curate.Propose(l, o.Lesson)
		term.TSV(w, "opposite", string(o.Lesson.ID), string(o.Lesson.Status), o.Lesson.Content, o.Contradiction.Why, resolving(s))
	}
	for _, f := range lessons.Lint(l) {
		term.TSV(w, "lint", string(f.Code), advice(f))
	}
	for _, f := range c.fields() {
		term.TSV(w, strings.ToLower(f[0]), f[1])
	}
	for _, e := range l.Evidence {
		term.TSV(w, "evidence", source(e), e.Quote)
	}
}

func (c card) Objects() []any {
	type opposite struct {
		ID      lessons.ID     `json:"id"`
		Status  lessons.Status `json:"status"`
		Content string         `json:"content"`
		Ground  stance.Ground  `json:"ground"`
		Why     string         `json:"why"`
		Type    string         `json:"type"`
	}
	type object struct {
		lessons.Record
		Contradicts []opposite `json:"contradicts,omitempty"`
		Lint        []finding  `json:"lint,omitempty"`
	}
	out := object{Record: c.lesson.Record(), Lint: findingsOf(lessons.Lint(c.lesson))}
	for _, o := range c.opposed {
		s, _ := curate.Propose(c.lesson, o.Lesson)
		out.Contradicts = append(out.Contradicts, opposite{o.Lesson.ID, o.Lesson.Status, o.Lesson.Content, o.Contradiction.Ground, o.Contradiction.Why, resolving(s)})
	}
	return []any{out}
}
