package past

import (
	"fmt"
	"slices"
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
type Query struct{ all [][]condition }

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
		if !slices.ContainsFunc(any, func(c condition) bool { return c.holds(r) != c.not }) {
			return false
		}
	}
	return true
}

func (c condition) holds(r *Row) bool {
	if c.field.texts != nil {
		has := slices.ContainsFunc(c.field.texts(r), c.has)
		return has != (c.op == "!=")
	}
	n, known := c.field.number(r)
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
	c.value, err = f.parse(value, now)
	if f.at != nil { // rows do not know what time it is
		c.field = f.at(now)
	}
	return err
}
