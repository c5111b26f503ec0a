package past

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A field is a number or text of a session that a query can test.
type field struct {
	name   string
	says   string
	number func(*Row) (float64, bool) // false if unknown
	parse  func(value string, now time.Time) (float64, error)
	at     func(now time.Time) *field // for a field whose number changes with time
	op     string                     // the only comparison allowed; "" for all
	texts  func(*Row) []string
	of     []string // the possible texts; nil for any
}

func count(name, says string, of func(*Row) int) field {
	return field{name: name, says: says, number: func(r *Row) (float64, bool) { return float64(of(r)), true }, parse: plainNumber}
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

// aged makes a field of the age of a session in days.
func aged(name, says, op string, parse func(string, time.Time) (float64, error)) field {
	f := field{name: name, says: says, op: op, parse: parse}
	f.at = func(now time.Time) *field {
		g := f
		g.number = func(r *Row) (float64, bool) {
			at := began(r)
			return now.Sub(at).Hours() / 24, !at.IsZero()
		}
		return &g
	}
	return f
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
	{name: "ratio", says: "files read for each edit; unknown where nothing was edited", number: func(r *Row) (float64, bool) { return r.ReadsPerEdit() }, parse: plainNumber},
	count("turns", "of the person", func(r *Row) int { return r.Human }),
	count("corrections", "by the person", func(r *Row) int { return r.Corrections }),
	count("lessons", "that were taken", func(r *Row) int { return r.Lessons }),
	{name: "minutes", says: "from the first to the last record, as 90 or 2h", number: func(r *Row) (float64, bool) {
		d, ok := r.Took()
		return d.Minutes(), ok
	}, parse: minutes},
	aged("age", "since it began, as 36h, 7d, 2w or 1y", "", days),
	aged("since", "it began on that day or later, or at most so long ago", "<=", day),
	aged("before", "it began before that day, or longer ago", ">", day),
	{name: "size", says: "of the transcript, as 500kB or 2MB", number: func(r *Row) (float64, bool) { return float64(r.Size), true }, parse: bytesOf},
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
	case f.at != nil:
		f = f.at(now)
	}
	sign := 1
	if least {
		sign = -1
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		if f.texts != nil {
			return cmp.Or(sign*cmp.Compare(strings.Join(f.texts(&a), " "), strings.Join(f.texts(&b), " ")), newest(a, b))
		}
		n, ok := f.number(&a)
		m, also := f.number(&b)
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

func plainNumber(s string, _ time.Time) (float64, error) {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, fmt.Errorf("a number is wanted, such as 3")
	}
	return n, nil
}

// withUnit parses a number and an optional unit.
func withUnit(s string, units map[string]float64, want string) (float64, error) {
	i := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if i < 0 {
		i = len(s)
	}
	n, err := plainNumber(s[:i], time.Time{})
	unit, ok := units[strings.ToLower(s[i:])]
	if err != nil || !ok {
		return 0, fmt.Errorf("%s is wanted", want)
	}
	return n * unit, nil
}

func minutes(s string, _ time.Time) (float64, error) {
	return withUnit(s, map[string]float64{"": 1, "m": 1, "min": 1, "h": 60, "d": 24 * 60}, "a number of minutes, or 2h,")
}

var dayUnits = map[string]float64{"": 1, "h": 1. / 24, "d": 1, "w": 7, "y": 365}

func days(s string, _ time.Time) (float64, error) {
	return withUnit(s, dayUnits, "a time such as 36h, 7d, 2w or 1y")
}

// day parses a day, or an age such as 2w, into an age in days.
func day(s string, now time.Time) (float64, error) {
	if at, err := time.ParseInLocation(time.DateOnly, s, now.Location()); err == nil {
		return now.Sub(at).Hours() / 24, nil
	}
	return withUnit(s, dayUnits, "a day such as 2026-11-20, or a time such as 36h, 7d or 2w,")
}

func bytesOf(s string, _ time.Time) (float64, error) {
	return withUnit(s, map[string]float64{
		"": 1, "b": 1, "k": 1e3, "kb": 1e3, "kib": 1 << 10, "m": 1e6, "mb": 1e6, "mib": 1 << 20, "g": 1e9, "gb": 1e9, "gib": 1 << 30,
	}, "a size such as 500kB or 2MB")
}
