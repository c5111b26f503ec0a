package past

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/lessons/lazy"
)

// Language tells how a query is written.
const Language = `  spin>3 errors>=5 ratio<2     a number: > >= < <= = !=
  age<7d minutes>90 size>2MB   with its unit: h d w y, m h, kB MB GB
  since:2026-11-01 before:2d   a day, or how long ago
  project:shop agent:codex     a text that has this in it; = for the whole of it
  kind:spinning|blind          one or the other: a|b between whole terms, too
  "flaky test" login           words of the first prompt
  -project:shop                not
`

// A Query says which sessions are wanted, as [Language] tells. All of its terms must
// hold. Between terms that are joined with "|" one must hold; one without a field has
// the field of the term before it. A value in double quotes may hold anything.
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

// Match reports whether a session is one of those that are wanted.
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
	switch c.op {
	case ">":
		return known && n > c.value
	case ">=":
		return known && n >= c.value
	case "<":
		return known && n < c.value
	case "<=":
		return known && n <= c.value
	case "!=":
		return known && n != c.value
	}
	return known && n == c.value
}

// has compares texts without regard to case, and with "=" or "!=" as a whole.
func (c condition) has(s string) bool {
	if c.op == ":" {
		return strings.Contains(strings.ToLower(s), c.text)
	}
	return strings.EqualFold(s, c.text)
}

// oneTerm matches a term: not, field, operator, and the value with or without quotes.
var oneTerm = lazy.Regexp(`(?s)^(-?)(?:([a-zA-Z]+)(>=|<=|!=|>|<|=|:))?(?:"((?:[^"\\]|\\.)*)"|([^|"\s]*))`)

var unwrap = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// Parse reads the text of a query; the empty one is of all sessions. An error says where
// it is, and what could stand there.
func Parse(text string, now time.Time) (Query, error) {
	if len(text) > maxQuery {
		return Query{}, fmt.Errorf("at character 1: a query of more than %d bytes", maxQuery)
	}
	p := parser{text: text, now: now}
	var q Query
	for {
		p.at = len(text) - len(strings.TrimLeftFunc(p.rest(), unicode.IsSpace))
		if p.rest() == "" {
			return q, nil
		}
		any, err := p.either()
		if err != nil {
			return Query{}, err
		}
		q.all = append(q.all, any)
	}
}

type parser struct {
	text string
	at   int // byte
	now  time.Time
}

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) error(at int, word, format string, args ...any) error {
	where := fmt.Sprintf("at character %d", utf8.RuneCountInString(p.text[:at])+1)
	if word != "" {
		where += fmt.Sprintf(", %q", lessons.Line(word))
	}
	return fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...))
}

// either reads terms that are joined with "|".
func (p *parser) either() (any []condition, err error) {
	for more := true; more; {
		c := condition{field: fieldOf("prompt"), op: ":"}
		if len(any) > 0 {
			c = any[len(any)-1]
		}
		if err = p.term(&c); err != nil {
			return nil, err
		}
		any = append(any, c)
		if more = strings.HasPrefix(p.rest(), "|"); more {
			p.at++
		}
	}
	if r, _ := utf8.DecodeRuneInString(p.rest()); p.rest() != "" && !unicode.IsSpace(r) {
		return nil, p.error(p.at, p.rest(), "a blank is missing before it")
	}
	return any, nil
}

// term reads one term. One without a field has that of the one before it, which is in c.
func (p *parser) term(c *condition) error {
	start, m := p.at, oneTerm().FindStringSubmatch(p.rest())
	value, what := unwrap.Replace(m[4])+m[5], "term"
	p.at += len(m[0])
	if m[2] != "" {
		*c, what = condition{field: fieldOf(m[2]), op: m[3]}, "value"
		if c.field == nil {
			return p.error(start, m[2], "there is no such field; the fields are %s", strings.Join(FieldNames(), ", "))
		}
	}
	c.not = c.not != (m[1] != "")
	switch {
	case value == "" && strings.HasPrefix(p.rest(), `"`):
		return p.error(p.at, p.rest(), `the closing " is missing`)
	case value == "":
		return p.error(start, m[0], "a %s is missing", what)
	}
	return p.set(c, value, start, start+strings.LastIndex(m[0], m[4]+m[5]))
}

// set gives a condition its value.
func (p *parser) set(c *condition, value string, start, at int) (err error) {
	f := c.field
	if f.texts != nil {
		if c.op != ":" && c.op != "=" && c.op != "!=" {
			return p.error(start, f.name+c.op, "%s is a text: use %s:… or %s=…", f.name, f.name, f.name)
		}
		if c.text = strings.ToLower(value); f.of != nil && !slices.Contains(f.of, c.text) {
			return p.error(at, value, "%s is one of %s", f.name, strings.Join(f.of, ", "))
		}
		return nil
	}
	switch {
	case f.op != "" && c.op != ":" && c.op != "=" && c.op != f.op: // since and before
		return p.error(start, f.name+c.op, "write %s:…", f.name)
	case f.op != "":
		c.op = f.op
	case c.op == ":":
		c.op = "="
	}
	if c.value, err = f.parse(value, p.now); err != nil {
		return p.error(at, value, "%v", err)
	}
	if f.at != nil { // rows do not know what time it is
		c.field = f.at(p.now)
	}
	return nil
}
