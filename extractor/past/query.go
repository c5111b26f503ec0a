package past

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
)

// Language describes the syntax of queries.
const Language = `  spin>3 errors>=5 ratio<2     a number: > >= < <= = !=
  age<7d minutes>90 size>2MB   with its unit: h d w y, m h, kB MB GB
  since:2026-11-01 before:2d   a day, or how long ago
  project:shop agent:codex     a text that has this in it; = for the whole of it
  kind:spinning|blind          one or the other: a|b between whole terms, too
  "flaky test" login           words of the first prompt
  -project:shop                not
`

// A Query selects sessions, in the syntax of [Language]. All of its terms must hold; of
// terms joined with "|", one must. A term without a field has the field of the one
// before. A value in double quotes may contain anything.
type Query struct {
	all [][]condition
	now time.Time
}

// A condition is one term.
type condition struct {
	field *field
	op    string
	text  string
	value float64
	not   bool
}

// maxQuery bounds the length of a query's text.
const maxQuery = 4 << 10

// Match reports whether the query selects a session.
func (q Query) Match(r *Row) bool {
	for _, any := range q.all {
		if !slices.ContainsFunc(any, func(c condition) bool { return c.holds(r, q.now) != c.not }) {
			return false
		}
	}
	return true
}

func (c condition) holds(r *Row, now time.Time) bool {
	if c.field.texts != nil {
		has := slices.ContainsFunc(c.field.texts(r), c.has)
		return has != (c.op == "!=")
	}
	n, known := c.field.number(r, now)
	if !known {
		return false
	}
	switch c.op {
	case ">":
		return n > c.value
	case ">=":
		return n >= c.value
	case "<":
		return n < c.value
	case "<=":
		return n <= c.value
	}
	return (n == c.value) != (c.op == "!=")
}

// has compares texts without regard to case, and as a whole with "=" or "!=".
func (c condition) has(s string) bool {
	if c.op == ":" {
		return strings.Contains(strings.ToLower(s), c.text)
	}
	return strings.EqualFold(s, c.text)
}

// oneTerm matches a term: negation, field, operator, the value with or without quotes,
// and what joins it to the next.
var oneTerm = lessons.LazyRegexp(`(?s)^\s*(-?)(?:([a-zA-Z]+)(>=|<=|!=|>|<|=|:))?(?:"((?:[^"\\]|\\.)*)"|([^|"\s]*))(\||\s+|$)`)

var unwrap = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// Parse parses a query; an empty one selects all sessions. An error names the wrong
// term and what could replace it.
func Parse(text string, now time.Time) (q Query, err error) {
	if len(text) > maxQuery {
		return q, fmt.Errorf("a query of more than %d bytes", maxQuery)
	}
	q.now = now
	var any []condition
	for text = strings.TrimSpace(text); text != "" || len(any) > 0; {
		m := oneTerm().FindStringSubmatch(text)
		if m == nil {
			return Query{}, fmt.Errorf("%q: a quote is not closed, or a blank is missing behind it", lessons.Line(text))
		}
		text = text[len(m[0]):]
		c := condition{field: fieldOf("prompt"), op: ":"}
		if len(any) > 0 {
			c = any[len(any)-1]
		}
		if err := c.set(m[1] != "", m[2], m[3], unwrap.Replace(m[4])+m[5], now); err != nil {
			return Query{}, fmt.Errorf("%q: %v", strings.TrimSpace(lessons.Line(m[0])), err)
		}
		if any = append(any, c); m[6] != "|" {
			q.all, any = append(q.all, any), nil
		}
	}
	return q, nil
}

// set fills in a condition from a term. If the term has no field, that of the term
// before is in c.
func (c *condition) set(not bool, name, op, value string, now time.Time) (err error) {
	if name != "" {
		*c = condition{field: fieldOf(name), op: op}
		if c.field == nil {
			return fmt.Errorf("there is no field %s; the fields are %s", name, strings.Join(FieldNames(), ", "))
		}
	}
	c.not = c.not != not
	f := c.field
	switch {
	case value == "":
		return fmt.Errorf("a value is missing")
	case f.texts != nil:
		if c.op != ":" && c.op != "=" && c.op != "!=" {
			return fmt.Errorf("%s is a text: use %s:… or %s=…", f.name, f.name, f.name)
		}
		if c.text = strings.ToLower(value); f.of != nil && !slices.Contains(f.of, c.text) {
			return fmt.Errorf("%s is one of %s", f.name, strings.Join(f.of, ", "))
		}
		return nil
	case f.op != "" && c.op != ":" && c.op != "=" && c.op != f.op: // since and before
		return fmt.Errorf("write %s:…", f.name)
	case f.op != "":
		c.op = f.op
	case c.op == ":":
		c.op = "="
	}
	c.value, err = f.unit.parse(value, now)
	return err
}

// A field is a number or text of a session that a query can test.
type field struct {
	name   string
	says   string
	number func(*Row, time.Time) (float64, bool) // false if unknown
	unit   unit
	op     string // the only comparison allowed; "" for all
	texts  func(*Row) []string
	of     []string // the possible texts; nil for any
}

// A unit says how a number is written.
type unit struct {
	want string // what to type
	of   map[string]float64
	day  bool // a day is taken, too: it becomes an age
}

var (
	plainNumber = unit{"a number is wanted, such as 3", map[string]float64{"": 1}, false}
	minutes     = unit{"a number of minutes, or 2h, is wanted", map[string]float64{"": 1, "m": 1, "min": 1, "h": 60, "d": 24 * 60}, false}
	days        = unit{"a time such as 36h, 7d, 2w or 1y is wanted", map[string]float64{"": 1, "h": 1. / 24, "d": 1, "w": 7, "y": 365}, false}
	day         = unit{"a day such as 2026-11-20, or a time such as 36h, 7d or 2w, is wanted", days.of, true}
	bytesOf     = unit{"a size such as 500kB or 2MB is wanted", map[string]float64{
		"": 1, "b": 1, "k": 1e3, "kb": 1e3, "kib": 1 << 10, "m": 1e6, "mb": 1e6, "mib": 1 << 20, "g": 1e9, "gb": 1e9, "gib": 1 << 30,
	}, false}
)

// parse parses a number and an optional unit.
func (u unit) parse(s string, now time.Time) (float64, error) {
	if at, err := time.ParseInLocation(time.DateOnly, s, now.Location()); u.day && err == nil {
		return now.Sub(at).Hours() / 24, nil
	}
	digits := strings.TrimRightFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	n, err := strconv.ParseFloat(digits, 64)
	size, ok := u.of[strings.ToLower(s[len(digits):])]
	if err != nil || !ok || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, errors.New(u.want)
	}
	return n * size, nil
}

func count(name, says string, of func(*Row) int) field {
	return field{name: name, says: says, number: func(r *Row, _ time.Time) (float64, bool) { return float64(of(r)), true }, unit: plainNumber}
}

func text(name, says string, of func(*Row) string) field {
	return field{name: name, says: says, texts: func(r *Row) []string { return []string{of(r)} }}
}

// began returns when a session began, or else was last written to.
func began(r *Row) time.Time {
	if r.Record.Session.Start.IsZero() {
		return r.ModTime
	}
	return r.Record.Session.Start
}

// age returns the age of a session in days.
func age(r *Row, now time.Time) (float64, bool) {
	at := began(r)
	return now.Sub(at).Hours() / 24, !at.IsZero()
}

var allFields = []field{
	count("spin", "how often, at most, the same failed in a row with the same error", func(r *Row) int { return r.Spin }),
	count("again", "how often, at most, the same call was made with no edit in between", func(r *Row) int { return r.Again }),
	count("errors", "answers of tools that say that they failed", func(r *Row) int { return r.ToolErrors }),
	count("refused", "calls that the person refused", func(r *Row) int { return r.Refusals }),
	count("calls", "of tools, all of them", func(r *Row) int { return r.Record.Calls }),
	count("reads", "files read", func(r *Row) int { return r.Of(Reads) }),
	count("edits", "files edited or written", func(r *Row) int { return r.Of(Edits) }),
	count("searches", "of files", func(r *Row) int { return r.Of(Searches) }),
	count("runs", "of programs", func(r *Row) int { return r.Of(Runs) }),
	count("web", "pages fetched and searches of the web", func(r *Row) int { return r.Of(Web) }),
	count("agents", "agents that the agent started", func(r *Row) int { return r.Of(Asks) }),
	count("blind", "edits of files that were not read", func(r *Row) int { return r.Blind }),
	{name: "ratio", says: "files read for each edit; unknown where nothing was edited", number: func(r *Row, _ time.Time) (float64, bool) { return r.ReadsPerEdit() }, unit: plainNumber},
	count("turns", "of the person", func(r *Row) int { return r.Human }),
	count("corrections", "by the person", func(r *Row) int { return r.Corrections }),
	count("lessons", "that were taken", func(r *Row) int { return r.Lessons }),
	{name: "minutes", says: "from the first to the last record, as 90 or 2h", number: func(r *Row, _ time.Time) (float64, bool) {
		d, ok := r.Took()
		return d.Minutes(), ok
	}, unit: minutes},
	{name: "age", says: "since it began, as 36h, 7d, 2w or 1y", number: age, unit: days},
	{name: "since", says: "it began on that day or later, or at most so long ago", number: age, unit: day, op: "<="},
	{name: "before", says: "it began before that day, or longer ago", number: age, unit: day, op: ">"},
	{name: "size", says: "of the transcript, as 500kB or 2MB", number: func(r *Row, _ time.Time) (float64, bool) { return float64(r.Size), true }, unit: bytesOf},
	text("agent", "whose session it is, such as claude-code", func(r *Row) string { return string(r.Format) }),
	text("project", "in which it was", func(r *Row) string { return r.Project }),
	text("role", "of the agent", func(r *Row) string { return r.Role }),
	text("id", "of the session", func(r *Row) string { return r.Record.Session.ID }),
	{name: "kind", says: "spinning, blind or exploration", texts: func(r *Row) (out []string) {
		for _, k := range r.Kinds() {
			out = append(out, string(k))
		}
		return out
	}, of: []string{string(Spinning), string(Blind), string(Exploration)}},
	{name: "error", says: "words of an error, or of what failed", texts: func(r *Row) (out []string) {
		for _, e := range r.Errors {
			out = append(out, e.Doing+" "+e.Says)
		}
		return out
	}},
	text("prompt", "words of the first prompt; the same without a field", func(r *Row) string { return r.Prompt }),
}

func fieldOf(name string) *field {
	i := slices.IndexFunc(allFields, func(f field) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return &allFields[i]
}

// FieldNames returns the names of all fields, in the order of their descriptions.
func FieldNames() []string {
	out := make([]string, len(allFields))
	for i, f := range allFields {
		out[i] = f.name
	}
	return out
}

// Fields describes each field, for help.
func Fields() string {
	var b strings.Builder
	for _, f := range allFields {
		fmt.Fprintf(&b, "  %-12s %s\n", f.name, f.says)
	}
	return b.String()
}

// Sort orders rows by a field, the most first, or the least first with a "-" before its
// name. By "" the newest come first. Unknown values come last.
func Sort(rows []Row, by string, now time.Time) error {
	newest := func(a, b Row) int { return cmp.Or(began(&b).Compare(began(&a)), cmp.Compare(a.Path, b.Path)) }
	name, least := strings.CutPrefix(by, "-")
	f := fieldOf(name)
	switch {
	case by == "":
		slices.SortStableFunc(rows, newest)
		return nil
	case f == nil:
		return fmt.Errorf("there is no field %q to sort by; the fields are %s", name, strings.Join(FieldNames(), ", "))
	}
	sign := 1
	if least {
		sign = -1
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		if f.texts != nil {
			return cmp.Or(sign*cmp.Compare(strings.Join(f.texts(&a), " "), strings.Join(f.texts(&b), " ")), newest(a, b))
		}
		n, ok := f.number(&a, now)
		m, also := f.number(&b, now)
		if ok != also {
			if ok {
				return -1
			}
			return 1
		}
		return cmp.Or(sign*cmp.Compare(m, n), newest(a, b))
	})
	return nil
}
