package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// unanswered is the key of an entry that was sent to the server without an answer, so that
// it may or may not be stored.
const unanswered = "?"

// mostRefusals is how many lessons in a row a server may refuse before the rest is skipped.
const mostRefusals = 3

// A change is what to do for one lesson.
type change struct {
	id    lessons.ID
	now   exchange.Written
	args  map[string]any // to store; nil for nothing
	title string
	text  string // of the memory
	old   string // the key of the memory to forget; "" for none
	ask   bool   // it may already be stored
}

// Plan plans to store approved lessons that the server lacks, and to forget those that no
// longer hold if a tool for that is configured. It only asks the server for its tools.
func (f Format) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	p := exchange.NewPlan(to, f, ls)
	var todo []lessons.Lesson
	for _, l := range ls {
		w, known := f.wrote(to.Ledger, l)
		switch {
		case l.Status != lessons.Approved || l.Outside:
			if known {
				todo = append(todo, l)
			}
		case !known || w.Rev != sent(l) || w.Key == unanswered:
			todo = append(todo, l)
		}
	}
	if len(todo) == 0 {
		return p, nil
	}
	if f.Server.Store.Name == "" {
		return nil, errors.New("no tool that stores is named: set learning.store.tool, such as \"memorize\"")
	}
	s, err := f.Server.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	form, err := s.form("learning.store", f.Server.Store, StoreFields)
	if err != nil {
		return nil, err
	}
	var changes []change
	for _, l := range todo {
		if c, ok := f.change(p, to, form, l); ok {
			changes = append(changes, c)
		}
	}
	if len(changes) > 0 {
		p.Commit = func(ctx context.Context) error { return f.commit(ctx, p, to.Ledger, changes) }
	}
	return p, nil
}

// wrote returns the entry that was written for a lesson, or that it came from, if it came
// from this server.
func (f Format) wrote(ledger *exchange.Ledger, l lessons.Lesson) (exchange.Written, bool) {
	if w, ok := ledger.Of(l.ID); ok {
		return w, true
	}
	server := f.Server.Name()
	for _, ev := range l.Evidence {
		if ev.Agent == Name && ev.Path == server && l.ID == exchange.ID(Name, server, ev.UUID) {
			w := exchange.Written{Key: ev.UUID}
			if contentOf(l) == strings.TrimSpace(ev.Quote) || l.Content == lessons.Line(ev.Quote) {
				w.Rev = sent(l)
			}
			return w, true
		}
	}
	return exchange.Written{}, false
}

// change returns what to do for a lesson, and plans its row.
func (f Format) change(p *exchange.Plan, to exchange.Target, form form, l lessons.Lesson) (change, bool) {
	w, _ := f.wrote(to.Ledger, l)
	c := change{id: l.ID, now: exchange.Written{Text: lessons.Line(l.Content), Rev: sent(l)}, text: contentOf(l), title: l.Title(200), old: w.Key}
	if w.Key == unanswered {
		c.old, c.ask = "", f.Server.Retrieve.Name != ""
	}
	if c.old != "" && f.Server.Forget == "" {
		p.Lose(l.ID, "that what it said before is no more: the memory "+c.old+" stays, for learning.mcp.forget names no tool")
		c.old = ""
	}
	if l.Status != lessons.Approved || l.Outside {
		if c.old == "" {
			p.Note(l.ID, nil)
			return c, false
		}
		p.Rows = append(p.Rows, fmt.Sprintf("%s: %s %s  %s", f.Server.Name(), f.Server.Forget, l.ID, c.title))
		return c, true
	}
	args, lost := form.fill(fields(l, form))
	for _, no := range lost {
		if p.Lose(l.ID, "its "+no.field+", which "+no.what); no.field == "content" && no.all {
			return c, false
		}
	}
	if len(args) == 0 || form.at["content"] == "" {
		p.Lose(l.ID, "all of it: learning.store.field_map maps no content")
		return c, false
	}
	c.args = args
	p.Rows = append(p.Rows, fmt.Sprintf("%s: %s %s  %s", f.Server.Name(), form.tool, l.ID, c.title))
	return c, true
}

// contentOf returns the text of a memory: the lesson, its reason and its example, a
// paragraph each.
func contentOf(l lessons.Lesson) string {
	var parts []string
	for _, s := range []string{l.Content, l.Insight, l.Example} {
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}

// fields returns the values of a lesson for a tool.
func fields(l lessons.Lesson, f form) map[string]any {
	most := 200
	if p, _ := f.props[f.at["title"]].of("string"); p.MaxLength != nil {
		most = *p.MaxLength
	}
	v := map[string]any{
		"content": contentOf(l), "title": short(l.Content, most), "memory_type": "learning", "importance": l.Confidence.Importance(),
		"confidence": tier(l.Confidence), "tags": l.Tags, "source": l.Origin.Source, "role": l.Scope.Role, "global": l.Scope.Global,
	}
	if !l.Scope.Global {
		v["project"], v["scope"] = l.Scope.Project, l.Scope.Project
	}
	if !l.Created.IsZero() {
		v["created"] = l.Created.UTC().Format(time.RFC3339)
	}
	return v
}

// short cuts a text at a word to at most n bytes.
func short(s string, n int) string {
	s = lessons.Line(s)
	if len(s) <= n {
		return s
	}
	const dots = "…"
	if n <= len(dots) {
		return ""
	}
	cut := strings.ToValidUTF8(s[:n-len(dots)], "")
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + dots
}

// sent returns a digest of all that a server gets of a lesson, to detect changes.
func sent(l lessons.Lesson) string {
	v := fields(l, form{})
	delete(v, "created")
	data, _ := json.Marshal(v) // strings, numbers and lists of strings
	return exchange.Digest(string(data))
}

// commit makes the changes one by one. It records each before and after, so that nothing is
// stored twice if the server or this program ends in between.
func (f Format) commit(ctx context.Context, p *exchange.Plan, ledger *exchange.Ledger, changes []change) error {
	s, err := f.Server.connect(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	var errs []error
	row := 0
	for i, c := range changes {
		err := f.do(ctx, s, p, ledger, c)
		switch {
		case err == nil:
			row = 0
			continue
		case !refused(err):
			return errors.Join(append(errs, fmt.Errorf("%s: %w; %d of %d done", c.id, err, i-len(errs), len(changes)))...)
		}
		errs = append(errs, fmt.Errorf("%s: %w", c.id, err))
		if row++; row == mostRefusals && i+1 < len(changes) {
			errs = append(errs, fmt.Errorf("%d more were not tried", len(changes)-i-1))
			break
		}
	}
	return errors.Join(errs...)
}

func (f Format) do(ctx context.Context, s *session, p *exchange.Plan, ledger *exchange.Ledger, c change) error {
	note := func(w *exchange.Written) error {
		p.Note(c.id, w)
		return ledger.Add(c.id, w)
	}
	w := c.now
	before, known := ledger.Of(c.id)
	if known && before.Rev == w.Rev && before.Key != unanswered && c.args != nil {
		return nil // done by another process since the plan was made
	}
	if c.args != nil {
		if c.ask {
			key, err := f.find(ctx, s, c)
			if err != nil {
				return err
			}
			w.Key = key
		}
		if w.Key == "" {
			asked := c.now
			asked.Key = unanswered
			if err := note(&asked); err != nil {
				return err
			}
			res, err := s.call(ctx, f.Server.Store.Name, c.args)
			if refused(err) {
				was := &before
				if !known {
					was = nil
				}
				return errors.Join(err, note(was))
			}
			if err != nil {
				return err
			}
			w.Key = idOf(res)
		}
		if err := note(&w); err != nil {
			return err
		}
	}
	if c.old != "" && c.old != w.Key {
		if _, err := s.call(ctx, f.Server.Forget, map[string]any{"memory_id": c.old, "confirm": true}); err != nil {
			return fmt.Errorf("forgetting %s: %w", c.old, err)
		}
	}
	if c.args == nil {
		return note(nil)
	}
	return nil
}

// find looks for a lesson that was sent and perhaps stored; "" if it is not there.
func (f Format) find(ctx context.Context, s *session, c change) (string, error) {
	form, err := s.retrieving(f.Server.Retrieve)
	if err != nil {
		return "", err
	}
	ms, err := s.retrieve(ctx, form, short(c.title, 200))
	if err != nil && !refused(err) {
		return "", err
	}
	for _, m := range ms {
		if strings.TrimSpace(m.Content) == c.text {
			return m.key(), nil
		}
	}
	return "", nil
}
