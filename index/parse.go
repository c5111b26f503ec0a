package index

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
)

// A SyntaxError is an error in a query.
type SyntaxError struct {
	Column int    // of the word with the error, in characters from 1
	Msg    string // what is wrong
	Hint   string // what to type instead, or ""
}

func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("column %d: %s", e.Column, e.Msg)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// values is the kind of values that a field takes.
type values int

const (
	texts values = iota
	numbers
	shares // numbers from 0 to 1, or words for them
	spans  // lengths of time
	days   // of the calendar
)

// A fieldRule is a row of the table that ParseQuery, String and the messages use.
type fieldRule struct {
	field  Field
	also   []string // other names
	values values
	oneOf  []string // the only values, if they are few
}

var fieldRules = []fieldRule{
	{field: Kind, also: []string{"shelf"}},
	{field: Category, also: []string{"cat"}},
	{field: Project, also: []string{"proj"}},
	{field: For},
	{field: Role},
	{field: Tag, also: []string{"tags"}},
	{field: Status, also: []string{"is"}, oneOf: words(lessons.Statuses)},
	{field: Lane, oneOf: words(lessons.QueueLanes)},
	{field: By, also: []string{"extractor"}},
	{field: Who, also: []string{"speaker"}, oneOf: words([]lessons.Speaker{lessons.ByPerson, lessons.ByAgent, lessons.ByTool})},
	{field: ID},
	{field: Session},
	{field: Into},
	{field: Global, oneOf: yesNo},
	{field: Pinned, oneOf: yesNo},
	{field: Outside, oneOf: yesNo},
	{field: Record},
	{field: Refused},
	{field: Judged, oneOf: yesNo},
	{field: Due, oneOf: yesNo},
	{field: Snoozed, oneOf: yesNo},
	{field: Decided, values: days},
	{field: Confidence, also: []string{"confidence"}, values: shares},
	{field: Age, values: spans},
	{field: UsedTimes, values: numbers},
	{field: Helped, values: numbers},
	{field: Harmed, values: numbers},
}

var yesNo = []string{"yes", "no"}

const sortName = "sort"

func words[S ~string](all []S) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = string(s)
	}
	return out
}

// ParseQuery parses the query language that every search box and command shares:
//
//	word  prefix*  "a phrase"  either|or  -without  --flag
//	kind:error  category:bugfix  project:octofs  for:octofs  role:developer  tag:ci  status:pending  lane:maybe
//	by:rules  who:person  id:k7m2  session:0b51d8e2  into:k7m2p9qx  global:yes  pinned:yes  outside:yes  due:yes  snoozed:yes  conf:<0.6  conf:0.5..0.8  conf:sure
//	age:>30d  decided:2026-11-20  decided:2026-11-01..2026-11-20  used:0  helped:>1  harmed:>0  sort:relevance|created|confirmed|score|used|queue
//
// A value with blanks is quoted, as in project:"my app"; a minus before a field excludes.
// Any one of several words joined by bars suffices; a minus before them excludes each. Ages
// are in h, d, w, m (30 days) and y (365 days); days are those of Now's time zone. The
// error is a [*SyntaxError].
//
// A question after all lessons of a category asks for that: see [Asked].
//
// Case does not matter. A word with a colon before a blank, a slash or another colon (an
// error message, a link, a C++ name) is a word.
func ParseQuery(s string) (Query, error) {
	p := parser{in: s}
	var q Query
	for p.skip(); p.at < len(p.in); p.skip() {
		if err := p.item(&q); err != nil {
			return Query{}, err
		}
	}
	return Asked(q), nil
}

type parser struct {
	in string
	at int
}

func (p *parser) skip() {
	p.at += len(p.in[p.at:]) - len(strings.TrimLeftFunc(p.in[p.at:], unicode.IsSpace))
}

func (p *parser) fail(at int, hint, msg string, args ...any) error {
	return &SyntaxError{Column: utf8.RuneCountInString(p.in[:at]) + 1, Msg: fmt.Sprintf(msg, args...), Hint: hint}
}

// item parses one word, phrase or filter into the query.
func (p *parser) item(q *Query) error {
	start, not := p.at, false
	if rest := p.in[p.at:]; len(rest) > 1 && rest[0] == '-' && rest[1] != '-' {
		if r, _ := utf8.DecodeRuneInString(rest[1:]); !unicode.IsSpace(r) {
			not = true
			p.at++
		}
	}
	if name, after, ok := cutName(p.in[p.at:]); ok {
		p.at = len(p.in) - len(after)
		return p.filter(q, start, name, not)
	}
	for or := false; ; or = true {
		t, err := p.term()
		if err != nil {
			return err
		}
		t.Not, t.Or = not, or
		q.Terms = append(q.Terms, t)
		if !p.or() {
			return nil
		}
	}
}

// term parses a word or phrase, up to a blank or a bar.
func (p *parser) term() (Term, error) {
	if p.in[p.at] == '"' {
		text, err := p.quoted()
		return Term{Text: text, Phrase: true}, err
	}
	w := p.in[p.at:]
	for i, r := range w {
		if unicode.IsSpace(r) || joint(w, i) {
			w = w[:i]
			break
		}
	}
	p.at += len(w)
	if cut, ok := strings.CutSuffix(w, "*"); ok && cut != "" {
		return Term{Text: cut, Prefix: true}, nil
	}
	return Term{Text: w}, nil
}

// or skips the bar before another alternative.
func (p *parser) or() bool {
	if !joint("x"+p.in[p.at:], 1) {
		return false
	}
	p.at++
	return true
}

// joint reports whether a bar at an offset joins alternatives: neither neighbour is a bar
// or a blank.
func joint(s string, i int) bool {
	if i == 0 || i >= len(s) || s[i] != '|' || s[i-1] == '|' {
		return false
	}
	r, n := utf8.DecodeRuneInString(s[i+1:])
	return n > 0 && r != '|' && !unicode.IsSpace(r)
}

// word reads up to the next blank.
func (p *parser) word() string {
	rest := p.in[p.at:]
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		rest = rest[:i]
	}
	p.at += len(rest)
	return rest
}

// quoted reads a quoted string, in which a backslash escapes the next character.
func (p *parser) quoted() (string, error) {
	start := p.at
	var b strings.Builder
	for i := p.at + 1; i < len(p.in); i++ {
		switch c := p.in[i]; {
		case c == '"':
			p.at = i + 1
			return b.String(), nil
		case c == '\\' && i+1 < len(p.in) && (p.in[i+1] == '"' || p.in[i+1] == '\\'):
			i++
			b.WriteByte(p.in[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.fail(start, `close it with another "`, "this quotation mark is never closed")
}

// cutName cuts "name:" off a field with a value.
func cutName(s string) (name, after string, ok bool) {
	i := 0
	for i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
		i++
	}
	if i == 0 || i >= len(s) || s[i] != ':' {
		return "", "", false
	}
	after = s[i+1:]
	if r, n := utf8.DecodeRuneInString(after); n == 0 || r == '/' || r == ':' || r == '\\' || unicode.IsSpace(r) {
		return "", "", false
	}
	return strings.ToLower(s[:i]), after, true
}

func (p *parser) filter(q *Query, start int, name string, not bool) error {
	valueAt := p.at
	value := ""
	if p.in[p.at] == '"' {
		var err error
		if value, err = p.quoted(); err != nil {
			return err
		}
	} else {
		value = p.word()
	}
	value = strings.ToLower(value)
	if name == sortName {
		return p.order(q, start, valueAt, value, not)
	}
	rule, ok := ruleOf(name)
	if !ok {
		return p.unknown(start, name)
	}
	f := Filter{Field: rule.field, Not: not}
	if rule.values == texts {
		if len(rule.oneOf) > 0 && !slices.Contains(rule.oneOf, value) {
			return p.fail(valueAt, oneOf(value, rule.oneOf), "%s cannot be %q", rule.field, value)
		}
		if value == "" {
			return p.fail(valueAt, "", "%s: has no value", rule.field)
		}
		f.Value = value
		q.Filters = append(q.Filters, f)
		return nil
	}
	ranges, ok := parseRanges(rule.values, value)
	if !ok {
		return p.fail(valueAt, rule.values.example(rule.field), "%q is no %s", value, rule.values)
	}
	if not && len(ranges) > 1 {
		return p.fail(start, "", "-%s:%s cannot be excluded; say which range is wanted", rule.field, value)
	}
	for _, r := range ranges {
		f.Range = r
		q.Filters = append(q.Filters, f)
	}
	return nil
}

func (p *parser) order(q *Query, start, valueAt int, value string, not bool) error {
	switch {
	case not:
		return p.fail(start, "leave the minus out", "an order cannot be excluded")
	case !slices.Contains(sorts, Sort(value)):
		return p.fail(valueAt, oneOf(value, words(sorts)), "no order is called %q", value)
	case q.Sort != "" && q.Sort != Sort(value):
		return p.fail(start, "", "there are two orders, %s and %s", q.Sort, value)
	}
	q.Sort = Sort(value)
	return nil
}

func (p *parser) unknown(at int, name string) error {
	names := []string{sortName}
	for _, r := range fieldRules {
		names = append(append(names, string(r.field)), r.also...)
	}
	if near, ok := lessons.Nearest(name, names); ok {
		return p.fail(at, fmt.Sprintf("did you mean %s:?", near), "no field is called %q", name)
	}
	return p.fail(at, fmt.Sprintf("to search for the text, quote it: %q", name+":…"), "no field is called %q", name)
}

func ruleOf(name string) (fieldRule, bool) {
	for _, r := range fieldRules {
		if string(r.field) == name || slices.Contains(r.also, name) {
			return r, true
		}
	}
	return fieldRule{}, false
}

func (v values) String() string {
	return [...]string{"text", "number", "confidence", "age", "day"}[v]
}

func (v values) example(f Field) string {
	switch v {
	case shares:
		return fmt.Sprintf("write %s:<0.6, %s:0.5..0.8 or %s:sure", f, f, f)
	case days:
		return fmt.Sprintf("write %[1]s:2026-11-20, %[1]s:>=2026-11-01 or %[1]s:2026-11-01..2026-11-20", f)
	case spans:
		return fmt.Sprintf("write %s:>30d or %s:1w..2w (h, d, w, m, y)", f, f)
	}
	return fmt.Sprintf("write %s:0, %s:>3 or %s:1..5", f, f, f)
}

// parseRanges parses the value of a field of numbers. The words medium and likely make two ranges,
// because its bounds are of different kinds.
func parseRanges(v values, s string) ([]Range, bool) {
	if v == shares {
		switch s {
		case lessons.High:
			return []Range{AtLeast(0.7)}, true
		case lessons.Medium:
			return []Range{AtLeast(0.4), Below(0.7)}, true
		case lessons.Low:
			return []Range{Below(0.4)}, true
		case lessons.Sure:
			return []Range{AtLeast(float64(lessons.SureAt))}, true
		case string(lessons.Likely):
			return []Range{AtLeast(float64(lessons.LikelyAt)), Below(float64(lessons.SureAt))}, true
		case string(lessons.Maybe):
			return []Range{Below(float64(lessons.LikelyAt))}, true
		}
	}
	if from, to, found := strings.Cut(s, ".."); found {
		lo, okFrom := parseNumber(v, from)
		hi, okTo := parseNumber(v, to)
		return []Range{{Min: lo, Max: hi}}, okFrom && okTo && lo <= hi
	}
	rest := strings.TrimLeft(s, "<>=")
	n, ok := parseNumber(v, rest)
	r := Range{Min: n, Max: n}
	switch sign := strings.TrimSuffix(s, rest); sign {
	case "":
	case "<", "<=":
		r.Min, r.OpenMax = math.Inf(-1), sign == "<"
	case ">", ">=":
		r.Max, r.OpenMin = math.Inf(1), sign == ">"
	default:
		ok = false
	}
	return []Range{r}, ok
}

// hours maps the units of an age to hours, longest name first.
var hours = []struct {
	unit string
	n    float64
}{{"y", 365 * 24}, {"m", 30 * 24}, {"w", 7 * 24}, {"d", 24}, {"h", 1}}

// maxNumber is far above any count or age, and exact as a float64 in any unit.
const maxNumber = 1 << 32

func parseNumber(v values, s string) (float64, bool) {
	if v == days {
		t, err := time.Parse(time.DateOnly, s)
		return Day(t), err == nil && t.Year() >= 1970
	}
	unit := 1.0
	if v == spans {
		unit = 0
		for _, h := range hours {
			if n, ok := strings.CutSuffix(s, h.unit); ok {
				s, unit = n, h.n
				break
			}
		}
		if unit == 0 {
			return 0, false
		}
	}
	if v != shares {
		n, err := strconv.ParseUint(s, 10, 32)
		f := float64(n) * unit
		return f, err == nil && f <= maxNumber
	}
	f, err := strconv.ParseFloat(s, 64)
	return f + 0, err == nil && f >= 0 && f <= 1 // + 0 turns -0 into 0
}

// oneOf returns the hint for a value that must be one of few.
func oneOf(value string, all []string) string {
	if near, ok := lessons.Nearest(value, all); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "it is one of " + strings.Join(all, ", ")
}

// String formats the query in the language of [ParseQuery]. Parsing it gives the same query
// if ParseQuery made this one. Prefix, the page and Now are not part of the language.
func (q Query) String() string {
	var parts []string
	for i, t := range q.Terms {
		if t.Or && i > 0 && t.Not == q.Terms[i-1].Not {
			parts[len(parts)-1] += "|" + t.bare()
		} else {
			parts = append(parts, t.String())
		}
	}
	for _, f := range q.Filters {
		parts = append(parts, f.String())
	}
	if q.Sort != "" {
		parts = append(parts, sortName+":"+string(q.Sort))
	}
	return strings.Join(parts, " ")
}

func (t Term) String() string {
	s := t.Text
	switch {
	case t.Phrase || !plainWord(t):
		s = quote(s)
	case t.Prefix:
		s += "*"
	}
	if t.Not {
		return "-" + s
	}
	return s
}

// bare formats a term that is an alternative to the one before.
func (t Term) bare() string {
	switch s := t.Text; {
	case t.Phrase || s == "" || s[0] == '|' || unplain(s):
		return quote(s)
	case t.Prefix:
		return s + "*"
	default:
		return s
	}
}

// unplain reports whether a text would not be parsed as one word.
func unplain(s string) bool {
	return strings.HasPrefix(s, `"`) || strings.ContainsFunc(s, unicode.IsSpace) || barred(s)
}

// barred reports whether a text would be parsed as alternatives.
func barred(s string) bool {
	for i := range s {
		if joint(s, i) {
			return true
		}
	}
	return false
}

// plainWord reports whether a word needs no quotation marks.
func plainWord(t Term) bool {
	s := t.Text
	if _, _, field := cutName(s); s == "" || field || unplain(s) || t.Not && s[0] == '-' {
		return false
	}
	return s == "-" || s[0] != '-' || strings.HasPrefix(s, "--")
}

func (f Filter) String() string {
	var b strings.Builder
	if f.Not {
		b.WriteByte('-')
	}
	b.WriteString(string(f.Field))
	b.WriteByte(':')
	rule, _ := ruleOf(string(f.Field))
	if rule.values == texts {
		if v, rest, ok := cutName(string(f.Field) + ":" + f.Value); !ok || v != string(f.Field) || rest[0] == '"' || strings.ContainsFunc(rest, unicode.IsSpace) {
			b.WriteString(quote(f.Value))
		} else {
			b.WriteString(f.Value)
		}
		return b.String()
	}
	b.WriteString(f.Range.text(rule.values))
	return b.String()
}

func (r Range) text(v values) string {
	lo, hi := numberText(v, r.Min), numberText(v, r.Max)
	switch {
	case r.Min == r.Max:
		return lo
	case math.IsInf(r.Min, -1) && r.OpenMax:
		return "<" + hi
	case math.IsInf(r.Min, -1):
		return "<=" + hi
	case math.IsInf(r.Max, 1) && r.OpenMin:
		return ">" + lo
	case math.IsInf(r.Max, 1):
		return ">=" + lo
	}
	return lo + ".." + hi
}

func numberText(v values, f float64) string {
	if v == days && !math.IsInf(f, 0) {
		return midnight(f, time.UTC).Format(time.DateOnly)
	}
	if v == spans && !math.IsInf(f, 0) {
		if n := math.Mod(f, 24); n == 0 {
			return strconv.FormatFloat(f/24, 'f', -1, 64) + "d"
		}
		return strconv.FormatFloat(f, 'f', -1, 64) + "h"
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// TermsOf returns the words of each query as one term; a query with only conditions gives
// none.
func TermsOf(queries []string) (terms []string, err error) {
	for _, s := range queries {
		q, err := ParseQuery(s)
		if err != nil {
			return nil, err
		}
		if t := q.typed(); t != "" {
			terms = append(terms, t)
		}
	}
	return terms, nil
}
