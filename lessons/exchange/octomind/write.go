package octomind

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// Lacks says what a file of Octomind's does not hold of a lesson, and which of its
// versions would read it otherwise.
func (Format) Lacks(l lessons.Lesson) []string {
	var out []string
	lacks := func(what string, is bool) {
		if is {
			out = append(out, what)
		}
	}
	lacks("why it holds", l.Insight != "")
	lacks("its example", l.Example != "")
	lacks("when it shows", len(l.Triggers) > 0)
	lacks("the words of its evidence", slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool { return e.Quote != "" }))
	lacks("for which files, which agent or how long it holds", len(l.Limit.Paths) > 0 || l.Limit.Agent != "" || !l.Limit.Until.IsZero())
	lacks("a project: without one Octomind does not find it", l.Scope.Project == "" && !l.Scope.Global)
	lacks("its tags as they are", !slices.Equal(tags(l), l.Tags))
	text := made(l)
	now, _ := present(text)
	old, _ := first(text)
	lacks("three hyphens in a row: the third is another one", now.Content != l.Content)
	lacks("its text as the first version of Octomind reads it", now.Content == l.Content && old.Content != l.Content)
	return out
}

// aRole is the role of lessons that are for any: Octomind has a folder for each.
const aRole = "developer"

// located is a lesson as it is written: for a role, and without what is ours alone.
func located(l lessons.Lesson) lessons.Lesson {
	if l.Scope.Role == "" {
		l.Scope.Role = aRole
	}
	l.Status = lessons.Approved
	return l
}

// tags are those of a lesson without what Octomind takes for the end of one.
func tags(l lessons.Lesson) []string {
	var out []string
	for _, t := range l.Tags {
		t = strings.Join(strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune(",[]\"\n\r", r) }), " ")
		if t = strings.TrimSpace(strings.ReplaceAll(t, "---", "-")); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// made is the text of a new file, in Octomind's order.
func made(l lessons.Lesson) string {
	l = located(l)
	var b strings.Builder
	b.WriteString("---\n")
	for _, key := range []string{"title", "content", "memory_type", "importance", "confidence", "tags", "source", "role", "project", "scope", "created", "related", "evidence", "outcome", "last_used", "use_count"} {
		b.WriteString(key + ": " + value(l, key) + "\n")
	}
	b.WriteString("---\n")
	return b.String()
}

// value is what stands behind a key.
func value(l lessons.Lesson, key string) string {
	switch key {
	case "title":
		return file.Sentence(file.Title(l))
	case "content":
		return file.Sentence(l.Content)
	case "importance":
		return file.ImportanceOf(l)
	case "confidence":
		return l.Confidence.Word()
	case "tags":
		return "[" + strings.Join(tags(l), ", ") + "]"
	case "source":
		return file.Text(l.Origin.Source)
	case "role":
		return file.Text(l.Scope.Role)
	case "project":
		return file.Text(l.Scope.Project)
	case "scope":
		if l.Scope.Global {
			return global
		}
		return scoped
	case "created":
		return file.Text(stamp(l.Created))
	case "last_used":
		return file.Text(stamp(l.Use.Last))
	case "use_count":
		return extra(l, key, strconv.Itoa(l.Use.Used))
	case "memory_type":
		return extra(l, key, learning)
	case "outcome":
		return extra(l, key, "unknown")
	}
	return extra(l, key, "[]") // related, evidence
}

func extra(l lessons.Lesson, key, missing string) string {
	for _, f := range l.Extra {
		if f.Key == key && f.Value != "" && !strings.Contains(f.Value, "---") && !strings.Contains(f.Value, "\n") {
			return f.Value
		}
	}
	return missing
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999999-07:00")
}

// changed is a text with the values of a lesson. Lines in which nothing changes stay as
// they are, byte for byte, as do those of any other key.
func changed(text string, was record, l lessons.Lesson) string {
	l = located(l)
	want, _ := present(made(l))
	edits := map[string]bool{}
	edits["content"] = want.Content != was.Content
	edits["title"] = was.Title != "" && want.Title != was.Title && (was.Title == file.TitleOf(was.Content) || own(l, "title"))
	edits["confidence"] = want.Confidence != was.Confidence
	edits["importance"] = edits["confidence"] || own(l, "importance") && want.Importance != was.Importance
	edits["tags"] = !slices.Equal(want.Tags, clean(was.Tags))
	edits["role"] = was.Role != "" && want.Role != was.Role
	edits["project"] = was.Project != "" && want.Project != was.Project
	edits["scope"] = want.Scope != was.Scope
	edits["created"] = !l.Created.Equal(moment(was.Created))
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		key, _, ok := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); ok && i > 0 && edits[key] {
			end := strings.TrimPrefix(line, strings.TrimRight(line, "\r\n"))
			lines[i] = key + ": " + value(l, key) + end
			delete(edits, key)
		}
		if i > 0 && strings.Contains(line, "---") {
			break
		}
	}
	if edits["scope"] { // the first version had none
		lines[0] += "scope: " + value(l, "scope") + "\n"
	}
	return strings.Join(lines, "")
}

func own(l lessons.Lesson, key string) bool { return extra(l, key, "") != "" }

// A writing is a plan while it is made.
type writing struct {
	plan  *exchange.Plan
	to    exchange.Target
	root  string
	taken map[string]bool // names in the folder, in lower case
}

// How the file of a lesson was found, in the order of [Format.Plan].
const (
	byLedger = iota + 1 // it was written for it
	byID                // the lesson was made of it
)

// Plan says what is to be done so that the folder at to.Path holds the lessons. What
// somebody has changed in a file since it was written stays, but for what Octomind
// counts in it.
func (f Format) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	w := &writing{plan: exchange.NewPlan(to, f, ls), to: to, taken: map[string]bool{}}
	w.root, _ = rootOf(to.Path)
	var all, aside []entry
	for e, err := range walk(ctx, w.root) {
		w.taken[strings.ToLower(e.name)] = true
		switch {
		case err != nil: // it is left alone
		case e.aside():
			aside = append(aside, e)
		default:
			all = append(all, e)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all = append(all, aside...)
	keys, ids, texts := make([]string, len(all)), make([]lessons.ID, len(all)), make([]string, len(all))
	for i, e := range all {
		keys[i], ids[i], texts[i] = e.key(), e.id(), path.Dir(e.key())+"\n"+strings.TrimSpace(e.content())
	}
	pairs := exchange.NewPairs(ls, len(all))
	pairs.ByLedger(to.Ledger, keys)
	pairs.ByID(ids)
	pairs.ByText(texts, func(l lessons.Lesson) []string {
		return []string{path.Dir(file.Name(located(l), 1)) + "\n" + strings.TrimSpace(l.Content)}
	})
	for i, l := range ls {
		at, way := pairs.Of[i], pairs.Way[i]
		switch {
		case at < 0 && l.Status == lessons.Approved:
			w.add(l)
		case at < 0:
		case l.Status == lessons.Approved:
			w.update(l, all[at], way)
		default:
			w.remove(l, all[at], way)
		}
	}
	return w.plan, nil
}

// theirs reports whether somebody has changed what a file says since it was written.
func (w *writing) theirs(l lessons.Lesson, e entry, way int) bool {
	written, _ := w.to.Ledger.Of(l.ID)
	was, ok := present(written.Text)
	return way == byLedger && ok && was.Content != e.rec.Content
}

func (w *writing) update(l lessons.Lesson, e entry, way int) {
	const redacted = "[REDACTED:" // what an import took out is not taken out there
	if w.theirs(l, e, way) || strings.Contains(l.Content, redacted) && !strings.Contains(e.rec.Content, redacted) {
		w.stays(l, e)
		return
	}
	if at := moment(e.rec.Created); !at.IsZero() {
		l.Created = at
	}
	if e.content() == l.Content && e.rec.Content != l.Content {
		e.rec.Content = l.Content // the first version wrote it, and that is how it reads it
	}
	text := changed(e.text, e.rec, l)
	if text == e.text {
		w.note(l, e.key(), e.text)
		return
	}
	name := e.name
	if now, _ := present(text); !e.aside() && (now.Content != e.rec.Content || now.Scope != e.rec.Scope || now.Project != e.rec.Project || now.Role != e.rec.Role) {
		delete(w.taken, strings.ToLower(e.name))
		name, l = w.free(l)
		text = changed(e.text, e.rec, l)
	}
	if name != e.name {
		w.plan.File(w.path(e.name), []byte(e.text), nil)
		w.plan.File(w.path(name), nil, []byte(text))
	} else {
		w.plan.File(w.path(name), []byte(e.text), []byte(text))
	}
	w.note(l, entry{name: name}.key(), text)
}

// stays says that an entry is left as somebody made it.
func (w *writing) stays(l lessons.Lesson, e entry) {
	w.plan.Lose(l.ID, fmt.Sprintf("its wording: %s was edited there, and stays", e.name))
}

func (w *writing) remove(l lessons.Lesson, e entry, way int) {
	if w.theirs(l, e, way) {
		w.stays(l, e)
		return
	}
	_, noted := w.to.Ledger.Of(l.ID)
	if e.aside() || !noted && (l.Status == lessons.Pending || way != byID) {
		return // nobody has decided on it, or it only says the same
	}
	w.plan.File(w.path(e.name), []byte(e.text), nil)
	w.plan.Note(l.ID, nil)
}

func (w *writing) add(l lessons.Lesson) {
	if l.Created.IsZero() {
		l.Created = w.to.Now.Truncate(time.Second)
	}
	name, l := w.free(l)
	text := made(l)
	w.plan.File(w.path(name), nil, []byte(text))
	w.note(l, entry{name: name}.key(), text)
}

// free gives the first name of Octomind's that no file has: of two that were made in
// one second and begin alike, the later one is dated a second later.
func (w *writing) free(l lessons.Lesson) (string, lessons.Lesson) {
	for {
		name := file.Name(located(l), 1)
		if key := strings.ToLower(name); !w.taken[key] {
			w.taken[key] = true
			return name, l
		}
		l.Created = l.Created.Add(time.Second)
	}
}

func (w *writing) path(name string) string {
	return filepath.Join(w.root, filepath.FromSlash(name))
}

func (w *writing) note(l lessons.Lesson, key, text string) {
	w.plan.Wrote(l, key, text)
}
