package octomind

import (
	"cmp"
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

// Lacks lists what a file of Octomind cannot hold of a lesson, and which of its versions
// would read it differently.
func (Format) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(l.Insight != "", "why it holds")
	w.If(l.Example != "", "its example")
	w.If(len(l.Triggers) > 0, "when it shows")
	w.If(slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool { return e.Quote != "" }), "the words of its evidence")
	w.If(len(l.Limit.Paths) > 0 || !l.Limit.Until.IsZero() || l.Limit.Agent != "" && l.Limit.Agent != located(l).Scope.Role, "for which files, which agent or how long it holds")
	w.If(l.Scope.Project == "" && !l.Scope.Global, "a project: without one Octomind does not find it")
	w.If(!slices.Equal(tags(l), l.Tags), "its tags as they are")
	text := made(l)
	now, _ := present(text)
	old, _ := first(text)
	w.If(now.Content != l.Content, "three hyphens in a row: the third is another one")
	w.If(now.Content == l.Content && old.Content != l.Content, "its text as the first version of Octomind reads it")
	return w
}

// aRole is the role of lessons for any role, because Octomind has a folder for each.
const aRole = "developer"

// located returns a lesson as it is written: with a role, which is the agent of a lesson for
// one agent, and without what only this program knows.
func located(l lessons.Lesson) lessons.Lesson {
	if l.Scope.Role == "" || l.Scope.Role == aRole {
		l.Scope.Role = cmp.Or(l.Limit.Agent, aRole)
	}
	l.Status = lessons.Approved
	return l
}

// tags returns the tags of a lesson, without what Octomind takes for the end of one.
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

// keys are the keys of a file, in Octomind's order.
var keys = []string{"title", "content", "memory_type", "importance", "confidence", "tags", "source", "role", "project", "scope", "created", "related", "evidence", "outcome", "last_used", "use_count"}

// made returns the text of a new file.
func made(l lessons.Lesson) string {
	values := valuesOf(located(l))
	var b strings.Builder
	b.WriteString("---\n")
	for _, key := range keys {
		b.WriteString(key + ": " + values[key] + "\n")
	}
	b.WriteString("---\n")
	return b.String()
}

// valuesOf returns the values for the keys.
func valuesOf(l lessons.Lesson) map[string]string {
	return map[string]string{
		"title": file.Sentence(file.Title(l)), "content": file.Sentence(l.Content), "memory_type": extra(l, "memory_type", learning),
		"importance": file.ImportanceOf(l), "confidence": l.Confidence.Word(), "tags": "[" + strings.Join(tags(l), ", ") + "]",
		"source": file.Text(l.Origin.Source), "role": file.Text(l.Scope.Role), "project": file.Text(l.Scope.Project),
		"scope":   map[bool]string{true: global, false: scoped}[l.Scope.Global],
		"created": file.Text(stamp(l.Created)), "related": extra(l, "related", "[]"), "evidence": links(l.Evidence),
		"outcome": extra(l, "outcome", "unknown"), "last_used": file.Text(stamp(l.Use.Last)), "use_count": extra(l, "use_count", strconv.Itoa(l.Use.Used)),
	}
}

// links returns the evidence as Octomind has it: a link to each session and the record in
// it that speaks for the lesson.
func links(all []lessons.Evidence) string {
	var out []string
	for _, e := range all {
		link := fmt.Sprintf("%s%s/message/%d", linkScheme, e.Session, e.Line)
		switch {
		case e.Agent == Name && strings.HasPrefix(e.Path, linkScheme) && !strings.Contains(e.Path, "---"):
			link = e.Path
		case e.From == "import" || e.Opposes() || e.Line == 0 || !plain().MatchString(e.Session):
			continue
		}
		if link = exchange.Quoted(link); !slices.Contains(out, link) {
			out = append(out, link)
		}
	}
	return "[" + strings.Join(out, ",") + "]"
}

// plain matches the ids of sessions that a link can hold.
var plain = lessons.LazyRegexp(`^\w+(?:[.:-]\w+)*$`)

// linkScheme begins Octomind's links to what was said in a session.
const linkScheme = "session://"

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

// changed returns the text of an entry with the values of a lesson. Unchanged lines and
// lines of other keys stay byte for byte.
func (e entry) changed(l lessons.Lesson) string {
	l = located(l)
	was := e.rec
	want, _ := present(made(l))
	edits := map[string]bool{
		"content":    want.Content != was.Content,
		"title":      was.Title != "" && want.Title != was.Title && (was.Title == file.TitleOf(was.Content) || own(l, "title")),
		"confidence": want.Confidence != was.Confidence,
		"importance": want.Confidence != was.Confidence || own(l, "importance") && want.Importance != was.Importance,
		"tags":       !slices.Equal(want.Tags, e.said.Tags),
		"role":       was.Role != "" && want.Role != was.Role,
		"project":    was.Project != "" && want.Project != was.Project,
		"scope":      want.Scope != was.Scope,
		"created":    !l.Created.Equal(e.said.Created),
	}
	values := valuesOf(l)
	lines := strings.SplitAfter(e.text, "\n")
	for i, line := range lines {
		key, _, ok := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); ok && i > 0 && edits[key] {
			end := strings.TrimPrefix(line, strings.TrimRight(line, "\r\n"))
			lines[i] = key + ": " + values[key] + end
			delete(edits, key)
		}
		if i > 0 && strings.Contains(line, "---") {
			break
		}
	}
	if edits["scope"] { // the first version had none
		lines[0] += "scope: " + values["scope"] + "\n"
	}
	return strings.Join(lines, "")
}

func own(l lessons.Lesson, key string) bool { return extra(l, key, "") != "" }

// A writing is a plan in progress.
type writing struct {
	*exchange.Plan
	root  string
	now   time.Time
	all   []entry
	taken map[string]bool // names in the folder, in lower case
}

// Plan plans how the folder at to.Path comes to hold the lessons. What somebody has changed
// in a file since it was written stays; Octomind's own counts are no such change.
func (f Format) Plan(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	w := &writing{Plan: exchange.NewPlan(to, f, ls), now: to.Now, taken: map[string]bool{}}
	w.root, _ = rootOf(to.Path)
	var aside []entry
	for e, err := range walk(ctx, w.root) {
		w.taken[strings.ToLower(e.name)] = true
		switch {
		case err != nil: // keep the file
		case e.aside():
			aside = append(aside, e)
		default:
			w.all = append(w.all, e)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.all = append(w.all, aside...)
	store := exchange.Store{
		Name: Name, Same: alike, Set: w.set, Add: w.add, Drop: w.drop,
		Current: func(i int, l lessons.Lesson) bool { return w.all[i].saying(l) == w.all[i].text },
		Says: func(l lessons.Lesson) []string {
			return []string{path.Dir(file.Name(located(l), 1)) + "\n" + strings.TrimSpace(l.Content)}
		},
	}
	for _, e := range w.all {
		content := e.said.Content
		store.Entries = append(store.Entries, exchange.Stored{
			Key: e.key(), ID: e.id(), Says: path.Dir(e.key()) + "\n" + strings.TrimSpace(content), Text: e.text, Quote: content, Place: e.name,
		})
	}
	s := exchange.NewSync(w.Plan, ls, store)
	s.FindSayings()
	s.SettleAll()
	return w.Plan, nil
}

// alike reports whether two files say the same, apart from Octomind's counts.
func alike(was, now string) bool {
	a, ok := present(was)
	b, _ := present(now)
	return !ok || a.Content == b.Content
}

// saying returns the text of an entry with what the lesson says.
func (e entry) saying(l lessons.Lesson) string {
	if !e.said.Created.IsZero() {
		l.Created = e.said.Created
	}
	if e.said.Content == l.Content {
		e.rec.Content = l.Content // an entry of the first version, which reads it so
	}
	return e.changed(l)
}

// set makes an entry say what the lesson says, under the lesson's name.
func (w *writing) set(i int, l lessons.Lesson) (key, text string) {
	e := w.all[i]
	text = e.saying(l)
	if now, _ := present(text); e.aside() || now.Content == e.said.Content && now.Scope == e.rec.Scope && now.Project == e.rec.Project && now.Role == e.rec.Role {
		w.File(w.path(e.name), []byte(e.text), []byte(text))
		return e.key(), text
	}
	delete(w.taken, strings.ToLower(e.name))
	if !e.said.Created.IsZero() {
		l.Created = e.said.Created
	}
	name, l := w.free(l)
	if text = e.changed(l); name == e.name {
		w.File(w.path(name), []byte(e.text), []byte(text))
	} else {
		w.File(w.path(e.name), []byte(e.text), nil)
		w.File(w.path(name), nil, []byte(text))
	}
	return entry{name: name}.key(), text
}

// drop removes an entry unless Octomind has archived it.
func (w *writing) drop(i int, _ lessons.Lesson) bool {
	e := w.all[i]
	if !e.aside() {
		w.File(w.path(e.name), []byte(e.text), nil)
	}
	return !e.aside()
}

func (w *writing) add(l lessons.Lesson) (key, text string) {
	if l.Created.IsZero() {
		l.Created = w.now.Truncate(time.Second)
	}
	name, l := w.free(l)
	text = made(l)
	w.File(w.path(name), nil, []byte(text))
	return entry{name: name}.key(), text
}

// free returns the first of Octomind's names that no file has. If two lessons of one second
// begin alike, the later one gets a date a second later.
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
