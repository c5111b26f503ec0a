// Package file reads and writes lessons as Markdown files, which people, git and
// Octomind may read and edit beside us.
//
// A file has YAML frontmatter, whose keys are Octomind's followed by ours, and a
// body with the insight, the example as an indented block, and the evidence as a
// list. [Decode] and [Encode] convert between a file's text and a [lessons.Lesson];
// [Name] says where in a corpus the file goes, and [DecodeAt] takes from that
// path what the text leaves out. The package touches no disk.
package file

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
)

// An Error says why a file cannot be read as a lesson. The file is left as it is.
type Error struct {
	Path string // within the corpus; "" when only the text was given
	Line int    // from 1; 0 when the whole file is meant
	Err  error
}

func (e *Error) Error() string {
	where := e.Path
	switch {
	case e.Path == "" && e.Line == 0:
		return e.Err.Error()
	case e.Path == "":
		where = fmt.Sprintf("line %d", e.Line)
	case e.Line > 0:
		where += fmt.Sprintf(":%d", e.Line)
	}
	return fmt.Sprintf("%s: %v", where, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

func badLine(line int, format string, args ...any) error {
	return &Error{Line: line, Err: fmt.Errorf(format, args...)}
}

// A place is what a file's path says about a lesson whose text does not.
type place struct {
	path   string
	id     lessons.ID
	status lessons.Status
	scope  lessons.Scope
}

// Decode reads the text of a lesson's file: ours, Octomind's of any era, or any
// Markdown whose frontmatter has a content. Errors are of type *[Error].
//
// Keys that are missing get a default: pending, medium confidence, a category
// by the type of memory, and an id made of project, role, date and content.
func Decode(text []byte) (lessons.Lesson, error) {
	return decode(text, place{status: lessons.Pending})
}

// DecodeAt is Decode of a file in a corpus. Its path supplies a missing status and scope.
// A text without an id gets id or, if that is "", one derived from the path. Errors name
// the path.
//
// A text that Decode refuses is read as Octomind reads it, if Octomind does: it gives the
// lesson to its agents, so a person must be able to judge it. Unusable parts are kept;
// see loose.go.
func DecodeAt(path string, text []byte, id lessons.ID) (lessons.Lesson, error) {
	at := placeOf(path)
	if at.id = id; id == "" {
		at.id = lessons.IDFrom("path", path)
	}
	l, err := decode(text, at)
	if err != nil {
		if again, ok := decodeLoose(text, at); ok {
			return again, nil
		}
	}
	return l, err
}

func decode(data []byte, at place) (lessons.Lesson, error) {
	p, err := read(data)
	if err == nil {
		var l lessons.Lesson
		if l, _, err = p.lesson(at); err == nil {
			return l, nil
		}
	}
	if bad := (*Error)(nil); errors.As(err, &bad) {
		bad.Path = at.path
	}
	return lessons.Lesson{}, err
}

// The parts of a file.
type parts struct {
	fields []field
	body   string
	line   int // of the body, from 1
}

// read takes a file apart.
func read(data []byte) (parts, error) {
	head, body, err := split(data)
	if err != nil {
		return parts{}, err
	}
	all, err := readHead(head)
	if err != nil {
		return parts{}, err
	}
	seen := make(map[string]int, len(all))
	for _, f := range all {
		if line, found := aliased(f.node); found {
			return parts{}, badLine(line+1, "anchors and aliases are not allowed in a lesson")
		}
		if first, twice := seen[f.key]; twice {
			return parts{}, badLine(f.line, "the key %s is there twice; the first is in line %d", lessons.Line(f.key), first)
		}
		seen[f.key] = f.line
	}
	return parts{all, body, 3 + strings.Count(head, "\n")}, nil
}

// lesson reads the parts. With an error comes the key that it is about.
func (p parts) lesson(at place) (l lessons.Lesson, blamed string, err error) {
	d := decoder{byKey: make(map[string]field, len(p.fields))}
	for _, f := range p.fields {
		d.byKey[f.key] = f
	}
	l = d.lesson(at)
	for _, f := range p.fields {
		switch {
		case f.key == "title" && f.node.Kind == yaml.ScalarNode && f.node.Value == TitleOf(l.Content):
			l.Extra = append(l.Extra, lessons.Field{Key: f.key})
		case f.key == "importance", f.key == "use_count", f.key == "scope":
			if f.node.Kind == yaml.ScalarNode && (f.key != "importance" || keepsImportance(l, f.node.Value)) {
				l.Extra = append(l.Extra, lessons.Field{Key: f.key, Value: f.node.Value})
			}
		case !ours[f.key] || f.key == "title":
			l.Extra = append(l.Extra, lessons.Field{Key: f.key, Value: f.raw})
		}
	}
	if d.err == nil {
		_, own := d.byKey["id"]
		var evidence []lessons.Evidence
		l.Insight, l.Example, evidence, d.err = readBody(p.body, p.line, own)
		l.Evidence = append(l.Evidence, evidence...)
	}
	if d.err != nil {
		return lessons.Lesson{}, d.bad, d.err
	}
	l = Normal(l)
	if err := l.Validate(); err != nil {
		key := d.blame(l)
		return lessons.Lesson{}, key, &Error{Line: max(d.byKey[key].line, 1), Err: err}
	}
	return l, "", nil
}

// split separates frontmatter and body, and refuses what YAML should never see.
func split(data []byte) (head, body string, err error) {
	if len(data) > MaxSize {
		return "", "", badLine(0, "the file is larger than %d KB", MaxSize>>10)
	}
	if !utf8.Valid(data) {
		return "", "", badLine(lineWith(string(data), func(l string) bool { return !utf8.ValidString(l) }), "the text is not UTF-8")
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if conflicted(text) {
		return "", "", badLine(lineWith(text, conflictMarker), "there are conflict markers of git in it; resolve them")
	}
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return "", "", badLine(1, "there is no frontmatter: the first line is not ---")
	}
	for at := 0; at < len(rest); {
		line, _, found := strings.Cut(rest[at:], "\n")
		if strings.TrimRight(line, " \t") == "---" {
			if at > maxHead {
				return "", "", badLine(1, "the frontmatter has %d KB, more than %d KB", at>>10, maxHead>>10)
			}
			return rest[:at], rest[min(at+len(line)+1, len(rest)):], nil
		}
		if at += len(line) + 1; !found {
			break
		}
	}
	return "", "", badLine(1, "the frontmatter is not closed by a line ---")
}

// lineWith returns the number, from 1, of the first line that satisfies is.
func lineWith(text string, is func(string) bool) int {
	n := 1
	for l := range strings.Lines(text) {
		if is(l) {
			break
		}
		n++
	}
	return n
}

func conflictMarker(line string) bool {
	return strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ")
}

func conflicted(text string) bool {
	return slices.ContainsFunc([]string{"<<<<<<< ", ">>>>>>> "}, func(m string) bool {
		return strings.HasPrefix(text, m) || strings.Contains(text, "\n"+m)
	})
}

// A field is a key of the frontmatter with its value, parsed and as written.
type field struct {
	key  string
	node *yaml.Node
	raw  string
	line int // in the file
}

// readHead parses the frontmatter as YAML. Early versions of Octomind escaped quotes
// but not backslashes; a file of theirs is read by Octomind's rules.
func readHead(head string) ([]field, error) {
	if strings.Contains(head, hyphens) {
		head = hard(head)
	}
	all, err := fields(head)
	if err != nil {
		if again, bad := fields(requote(head)); bad == nil {
			return again, nil
		}
	}
	return all, err
}

// hard undoes the hyphens of quoteText.
func hard(head string) string {
	return softValue().ReplaceAllStringFunc(head, func(line string) string { return strings.ReplaceAll(line, hyphens, escaped) })
}

// lineEnds replaces what only YAML 1.1 takes for the end of a line, so that its line
// numbers are those of the file.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// fields parses lines of the form "key: value". It keeps duplicate keys.
func fields(text string) ([]field, error) {
	text = lineEnds.Replace(text)
	dec := yaml.NewDecoder(strings.NewReader(text))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, badLine(1, "it has no content")
	case err != nil:
		line, says := YAMLError(err)
		return nil, badLine(line+1, "%s", says)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, badLine(2, "the frontmatter is more than one YAML document")
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return nil, badLine(root.Line+1, "the frontmatter is not made of lines with a key and a value")
	}
	lines := strings.SplitAfter(text, "\n")
	var all []field
	for i := 0; i < len(root.Content); i += 2 {
		key, end := root.Content[i], len(lines)
		if i+2 < len(root.Content) {
			end = root.Content[i+2].Line - 1
		}
		start := key.Line - 1
		if key.Kind != yaml.ScalarNode || key.Column != 1 || start >= end {
			return nil, badLine(key.Line+1, "this is not a line with a key and a value")
		}
		raw, ok := rawValue(key, strings.Join(lines[start:end], ""))
		if !ok {
			return nil, badLine(key.Line+1, "this is not a line with a key and a value")
		}
		all = append(all, field{key: key.Value, node: root.Content[i+1], raw: raw, line: key.Line + 1})
	}
	return all, nil
}

// rawValue gives what follows a key and its colon.
func rawValue(key *yaml.Node, text string) (string, bool) {
	switch {
	case key.Style&yaml.DoubleQuotedStyle != 0:
		i := 1
		for i < len(text) && text[i] != '"' {
			if text[i] == '\\' {
				i++
			}
			i++
		}
		text = text[min(i+1, len(text)):]
	case key.Style&yaml.SingleQuotedStyle != 0 || !strings.HasPrefix(text, key.Value):
		return "", false
	default:
		text = text[len(key.Value):]
	}
	text, ok := strings.CutPrefix(strings.TrimLeft(text, " "), ":")
	return strings.TrimSuffix(strings.TrimPrefix(text, " "), "\n"), ok
}

var (
	yamlLine  = lessons.LazyRegexp(`^yaml: (?:line (\d+): )?`)
	softValue = lessons.LazyRegexp(`(?m)^(title|content|source|role|project): ".*$`)
	seedValue = lessons.LazyRegexp(`(?m)^(title|content|source|role|project|created|last_used): "(.*)"[ \t]*$`)
)

// YAMLError takes an error of the parser apart; the line is 0 when it names none.
func YAMLError(err error) (line int, says string) {
	says = err.Error()
	if m := yamlLine().FindStringSubmatch(says); m != nil {
		line, _ = strconv.Atoi(m[1])
		says = says[len(m[0]):]
	}
	return line, says
}

// requote writes the values that Octomind quotes so that YAML reads them as
// Octomind does: only \", \\ and \n are escapes.
func requote(head string) string {
	undo := strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n")
	return seedValue().ReplaceAllStringFunc(head, func(line string) string {
		m := seedValue().FindStringSubmatch(line)
		return m[1] + ": " + quoteYAML(undo.Replace(m[2]))
	})
}

// A decoder reads the known fields. It keeps the first error.
type decoder struct {
	byKey map[string]field
	err   error
	bad   string // the key that err is about
}

func (d *decoder) lesson(at place) lessons.Lesson {
	l := lessons.Lesson{
		Status:   lessons.Status(d.or("status", string(at.status))),
		Category: lessons.Category(d.text("category")),
		Wording:  lessons.Wording{Content: d.text("content")},
		Tags:     d.list("tags"),
		Scope:    lessons.Scope{Project: d.or("project", at.scope.Project), Role: d.or("role", at.scope.Role)},
		Origin:   lessons.Origin{Source: d.text("source")},
		Created:  d.time("created"),
	}
	if blank(l.Content) && d.err == nil {
		d.err, d.bad = badLine(max(d.byKey["content"].line, 1), "it has no content"), "content"
	}
	for _, k := range keys {
		k.read(d, &l)
	}
	if d.text("lane") == string(lessons.Maybe) {
		l.Lane = lessons.Maybe
	}
	l.Scope.Global = d.or("scope", when(at.scope.Global, "global")) == "global"
	l.Confidence, l.Proof.Own = d.confidence(), d.text("score_by") == byPerson
	if n, err := strconv.Atoi(d.text("use_count")); err == nil && l.Use.Used == 0 {
		l.Use.Used = n // Octomind's word for it; what is no number counts as none there, too
	}
	for _, item := range d.list("holds_with") {
		id, reason, _ := strings.Cut(item, ":")
		l.HoldsWith = append(l.HoldsWith, lessons.Holding{ID: lessons.ID(strings.TrimSpace(id)), Reason: reason})
	}
	for _, link := range d.list("evidence") {
		l.Evidence = append(l.Evidence, linkEvidence(link))
	}
	memory := d.or("memory_type", learning)
	if memory != learning {
		l.Extra = append(l.Extra, lessons.Field{Key: "memory_type", Value: memory})
	}
	if l.ID = lessons.ID(d.or("id", string(at.id))); l.ID == "" {
		l.ID = lessons.IDFrom("file", l.Scope.Project, l.Scope.Role, d.text("created"), l.Content)
	}
	return l
}

// weight gives a number that is not negative, 0 when it is missing.
func (d *decoder) weight(key string) float64 {
	s := d.text(key)
	if s == "" {
		return 0
	}
	x := d.number(key)
	if !(x >= 0) {
		d.fail(d.byKey[key], "%s is %q, not a number from 0 on", key, lessons.Line(s))
	}
	return x
}

// truth gives a bool, false when the key is missing or empty.
func (d *decoder) truth(key string) bool {
	s := d.text(key)
	yes, err := strconv.ParseBool(strings.ToLower(s))
	if err != nil && s != "" {
		d.fail(d.byKey[key], "%s is %q, neither true nor false", key, lessons.Line(s))
	}
	return yes
}

// confidence gives the score or, without one, what the word stands for, as exactly as
// Octomind's importance says where it agrees with the word.
func (d *decoder) confidence() lessons.Confidence {
	importance := d.number("importance")
	if f, ok := d.byKey["score"]; ok {
		score := d.number("score")
		if math.IsNaN(score) || score < 0 || score > 1 {
			d.fail(f, "the score %s is not a number from 0 to 1", lessons.Line(f.node.Value))
		}
		return lessons.Confidence(score)
	}
	c, err := confidenceFrom(importance, d.or("confidence", lessons.Medium))
	if err != nil && d.err == nil {
		d.err, d.bad = &Error{Line: d.byKey["confidence"].line, Err: err}, "confidence"
	}
	return c
}

func (d *decoder) text(key string) string {
	f, ok := d.byKey[key]
	if !ok || f.node.Tag == "!!null" && f.node.Style == 0 {
		return ""
	}
	if f.node.Kind != yaml.ScalarNode {
		d.fail(f, "%s must be a text", key)
		return ""
	}
	return f.node.Value
}

// or gives the text of a key, or a default when the key is missing or empty.
func (d *decoder) or(key, missing string) string {
	if s := d.text(key); s != "" {
		return s
	}
	return missing
}

func (d *decoder) list(key string) []string {
	f, ok := d.byKey[key]
	switch {
	case !ok || f.node.Kind == yaml.ScalarNode && f.node.Value == "":
		return nil
	case f.node.Kind == yaml.ScalarNode:
		return []string{f.node.Value}
	case f.node.Kind != yaml.SequenceNode:
		d.fail(f, "%s must be a list", key)
		return nil
	}
	var out []string
	for _, n := range f.node.Content {
		if n.Kind != yaml.ScalarNode {
			d.fail(f, "%s must be a list of texts", key)
			return nil
		}
		out = append(out, n.Value)
	}
	return out
}

// number gives NaN for what is missing or not a number. A NaN or an infinity in the
// file, in Go's spelling or YAML's, is an error.
func (d *decoder) number(key string) float64 {
	s := d.text(key)
	if x, err := strconv.ParseFloat(strings.TrimLeft(s, "."), 64); err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		d.fail(d.byKey[key], "%s is %s, which is not a number from 0 to 1", key, s)
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func (d *decoder) count(key string) int {
	s := d.text(key)
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		d.fail(d.byKey[key], "%s is %q, not a whole number", key, lessons.Line(s))
	}
	return n
}

var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05", time.DateOnly}

func (d *decoder) time(key string) time.Time {
	s := d.text(key)
	if s == "" {
		return time.Time{}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	d.fail(d.byKey[key], "%s is %q, not a time such as 2026-04-05T14:30:00+00:00", key, lessons.Line(s))
	return time.Time{}
}

func (d *decoder) fail(f field, format string, args ...any) {
	if d.err == nil {
		d.err, d.bad = badLine(f.line, format, args...), f.key
	}
}

// blame gives the key of what [lessons.Lesson.Validate] refused.
func (d *decoder) blame(l lessons.Lesson) string {
	key := "content"
	switch {
	case !slices.Contains(lessons.Statuses, l.Status):
		key = "status"
	case d.byKey["id"].node != nil && (lessons.Lesson{ID: l.ID, Status: lessons.Pending, Wording: lessons.Wording{Content: "x"}}).Validate() != nil:
		key = "id"
	case l.Status == lessons.Merged && l.Decided.Into == "":
		key = "status"
	case len(l.Tags) > lessons.MaxTerms:
		key = "tags"
	case (lessons.Lesson{ID: "x", Status: lessons.Pending, Wording: lessons.Wording{Content: "x"}, HoldsWith: l.HoldsWith}).Validate() != nil:
		key = "holds_with"
	case len(l.Triggers) > lessons.MaxTerms:
		key = "triggers"
	}
	return key
}
