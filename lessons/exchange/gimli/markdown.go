package gimli

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

// titles are the headings of the sections, by category.
var titles = map[string]string{
	preference: "User Preferences", correction: "Corrections", pattern: "Successful Patterns", toolUsage: "Tool Usage",
}

// newMarkdown is a file without entries.
const newMarkdown = "# Agent Learnings\n\n## User Preferences\n\n## Corrections\n\n## Successful Patterns\n\n## Tool Usage\n"

// A markdown is a LEARNINGS.md, split into lines. Lines without an entry are never changed.
type markdown struct {
	contents
	lines    []string // with line ends
	eol      string   // the most frequent line end
	blank    bool     // headings are followed by an empty line
	bullets  []bullet // in the order of items
	sections []section

	replaced map[int]string // new text by line, without line end
	dropped  map[int]bool   // removed lines
	added    map[string][]string
}

// A bullet is an entry: one line, and the lines indented below it.
type bullet struct {
	line   int // from 0
	tail   int // after its last line
	before string
	date   string
	text   string
}

// A section is one of the four categories' sections.
type section struct {
	category string
	head     int // line of the heading
	end      int // after its last line
}

var (
	heading   = lessons.LazyRegexp(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	entryLine = lessons.LazyRegexp(`^( ?[-*+][ \t]+)(?:\[(\d{4}-\d{2}-\d{2})\][ \t]*)?(.*)$`)
)

var errNotUTF8 = errors.New("it is not UTF-8 text")

func parseMarkdown(data []byte) (*markdown, error) {
	if !utf8.Valid(data) {
		return nil, errNotUTF8
	}
	m := &markdown{eol: "\n", blank: true, replaced: map[int]string{}, dropped: map[int]bool{}, added: map[string][]string{}}
	for l := range strings.Lines(string(data)) {
		if m.lines = append(m.lines, l); strings.HasPrefix(l, "<<<<<<<") || strings.HasPrefix(l, ">>>>>>>") {
			return nil, fmt.Errorf("line %d: it has conflict markers; settle them first", len(m.lines))
		}
	}
	if len(m.lines) > 0 && strings.HasSuffix(m.lines[0], "\r\n") {
		m.eol = "\r\n"
	}
	m.scan()
	m.look()
	return m, nil
}

// openMarkdown reads a file; nil data is a missing file.
func openMarkdown(data []byte) (book, error) {
	if data == nil {
		data = []byte(newMarkdown)
	}
	m, err := parseMarkdown(data)
	if err != nil {
		return nil, err
	}
	if !m.known() && strings.TrimSpace(string(data)) != "" {
		return nil, fmt.Errorf("none of its sections is %s, %s, %s or %s", titles[preference], titles[correction], titles[pattern], titles[toolUsage])
	}
	return m, nil
}

func (m *markdown) known() bool { return len(m.sections) > 0 }

func bare(line string) string { return strings.TrimRight(line, "\r\n") }

func (m *markdown) scan() {
	category, fence, comment := "", "", false
	open := map[string]bool{} // comments and fences that are never closed do not count
	for i, l := range m.lines {
		s := strings.TrimPrefix(bare(l), "\uFEFF")
		trimmed := strings.TrimSpace(s)
		switch {
		case comment:
			comment = !strings.Contains(s, "-->")
		case fence != "":
			if closes(trimmed, fence) {
				fence = ""
			}
			if n := len(m.bullets); n > 0 && m.bullets[n-1].tail == i {
				m.bullets[n-1].tail = i + 1 // a block that an entry opened belongs to it
			} else {
				m.nest(i, l)
			}
		case fenced(trimmed) && m.closed(i, trimmed[:3], open, closes):
			fence = trimmed[:3]
			m.nest(i, l)
		case strings.HasPrefix(trimmed, "<!--") && (strings.Contains(s, "-->") || m.closed(i, "-->", open, strings.Contains)):
			comment = !strings.Contains(s, "-->")
		case heading().MatchString(s):
			category = m.head(i, s, category)
		case category != "" && entryLine().MatchString(s):
			m.entry(i, s, category)
		default:
			m.nest(i, l)
		}
	}
	m.close(len(m.lines))
}

func fenced(s string) bool { return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") }

// closes reports that a line ends a block of code.
func closes(s, fence string) bool {
	return strings.HasPrefix(s, fence) && strings.Trim(s, fence[:1]) == ""
}

// closed reports that a line behind i has an end.
func (m *markdown) closed(i int, end string, open map[string]bool, has func(s, end string) bool) bool {
	if open[end] {
		return false
	}
	open[end] = !slices.ContainsFunc(m.lines[i+1:], func(l string) bool { return has(strings.TrimSpace(l), end) })
	return !open[end]
}

// head takes in a heading, and gives the category of what follows.
func (m *markdown) head(i int, s, category string) string {
	h := heading().FindStringSubmatch(s)
	if len(h[1]) > 2 {
		return category
	}
	m.close(i)
	if len(h[1]) == 2 {
		for c, title := range titles {
			if strings.EqualFold(strings.TrimSpace(h[2]), title) {
				m.sections = append(m.sections, section{category: c, head: i})
				return c
			}
		}
	}
	return ""
}

// close ends a section before a line.
func (m *markdown) close(i int) {
	if n := len(m.sections); n > 0 && m.sections[n-1].end == 0 {
		m.sections[n-1].end = i
	}
}

// entry takes in a bullet.
func (m *markdown) entry(i int, s, category string) {
	e := entryLine().FindStringSubmatch(s)
	b := bullet{line: i, tail: i + 1, before: e[1], date: e[2], text: strings.TrimSpace(e[3])}
	if b.date != "" {
		if _, err := time.Parse(time.DateOnly, b.date); err != nil {
			m.fail(i+1, fmt.Errorf("%s is no date", b.date))
			return
		}
	}
	if b.text == "" {
		m.fail(i+1, errors.New("an entry without a text"))
		return
	}
	m.bullets = append(m.bullets, b)
	m.items = append(m.items, item{category: category, text: b.text, state: b.text, line: i + 1, active: true})
}

// nest gives a line that is indented to the entry above it.
func (m *markdown) nest(i int, l string) {
	if len(m.bullets) == 0 || !strings.HasPrefix(l, "  ") && !strings.HasPrefix(l, "\t") || strings.TrimSpace(l) == "" {
		return
	}
	b := &m.bullets[len(m.bullets)-1]
	for k := b.tail; k < i; k++ {
		if strings.TrimSpace(m.lines[k]) != "" {
			return
		}
	}
	b.tail = i + 1
}

// look sees how the file is written, and names its entries.
func (m *markdown) look() {
	for _, s := range m.sections {
		if s.head+1 < s.end {
			m.blank = strings.TrimSpace(m.lines[s.head+1]) == ""
			break
		}
	}
	seen := map[string]int{}
	for i := range m.items {
		it := &m.items[i]
		it.base = bulletKey(it.category, it.text)
		it.key = it.base
		it.lesson = m.lesson(i)
		if seen[it.key]++; seen[it.key] > 1 {
			it.key = fmt.Sprintf("%s-%d", it.key, seen[it.key])
		}
	}
}

// bulletKey names an entry by what it says, for a bullet has no name.
func bulletKey(category, text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%s-%016x", category, h.Sum64())
}

// lesson is an entry as a proposal.
func (m *markdown) lesson(i int) lessons.Lesson {
	b := m.bullets[i]
	l := lessons.Lesson{Category: lessons.Category(m.items[i].category), Wording: lessons.Wording{Content: b.text}}
	l.Confidence, _ = lessons.ParseConfidence(lessons.Medium) // a bullet has none
	if b.date != "" {
		l.Created, _ = time.Parse(time.DateOnly, b.date)
	}
	var below []string
	for _, line := range m.lines[b.line+1 : b.tail] {
		below = append(below, strings.TrimPrefix(strings.TrimPrefix(bare(line), "  "), "\t"))
	}
	l.Insight = strings.Trim(strings.Join(below, "\n"), "\n")
	l.Origin.Rule = importedFrom + "file"
	return l
}

// This file changes a LEARNINGS.md.

func (m *markdown) lacks(l lessons.Lesson) []string { return lacksMarkdown(l) }

func (m *markdown) text(l lessons.Lesson) string  { return bulletText(l.Content) }
func (m *markdown) state(l lessons.Lesson) string { return bulletText(l.Content) }

// upToDate also accepts a text longer than our bullets.
func (m *markdown) upToDate(i int, l lessons.Lesson) bool {
	it, b := m.items[i], m.bullets[i]
	if it.category != categoryOf(l.Category) && b.tail == b.line+1 { // a bullet with lines below is not moved
		return false
	}
	return it.text == bulletText(l.Content) || pairs.Normal(it.text) == pairs.Normal(l.Content)
}

func (m *markdown) set(i int, l lessons.Lesson, now time.Time) (base, state string) {
	b, text := m.bullets[i], bulletText(l.Content)
	category := categoryOf(l.Category)
	if category != m.items[i].category && b.tail == b.line+1 {
		m.dropped[b.line] = true
		return m.add(l, now)
	}
	date := ""
	if e := entryLine().FindStringSubmatch(b.before + text); b.date != "" || e != nil && e[2] != "" { // text that begins with a date would be read as one
		date = "[" + now.UTC().Format(time.DateOnly) + "] "
	}
	m.replaced[b.line] = b.before + date + text
	return bulletKey(m.items[i].category, text), text
}

func (m *markdown) add(l lessons.Lesson, now time.Time) (base, state string) {
	at := l.Created
	if at.IsZero() {
		at = now
	}
	text, category := bulletText(l.Content), categoryOf(l.Category)
	m.added[category] = append(m.added[category], "- ["+at.UTC().Format(time.DateOnly)+"] "+text)
	return bulletKey(category, text), text
}

// drop removes an entry, unless somebody wrote below it.
func (m *markdown) drop(i int, _ time.Time) bool {
	b := m.bullets[i]
	if b.tail > b.line+1 {
		return false
	}
	m.dropped[b.line] = true
	return true
}

// bytes returns the file with all changes.
func (m *markdown) bytes(time.Time) []byte {
	insert := map[int][]string{} // keyed by the line after them
	for _, c := range Categories {
		if len(m.added[c]) == 0 {
			continue
		}
		at, lines := m.into(c, m.added[c])
		insert[at] = append(insert[at], lines...)
	}
	var out strings.Builder
	put := func(lines []string) {
		for _, l := range lines {
			if s := out.String(); s != "" && !strings.HasSuffix(s, "\n") {
				out.WriteString(m.eol)
			}
			if s := out.String(); strings.HasPrefix(l, "## ") && s != "" && !strings.HasSuffix(s, "\n"+m.eol) {
				out.WriteString(m.eol)
			}
			out.WriteString(l + m.eol)
		}
	}
	for i, l := range m.lines {
		put(insert[i])
		switch text, ok := m.replaced[i]; {
		case m.dropped[i]:
		case ok:
			out.WriteString(text + l[len(bare(l)):])
		default:
			out.WriteString(l)
		}
	}
	put(insert[len(m.lines)])
	return []byte(out.String())
}

// into returns the line to insert bullets before, and the lines to insert.
func (m *markdown) into(category string, bullets []string) (at int, lines []string) {
	i := slices.IndexFunc(m.sections, func(s section) bool { return s.category == category })
	if i < 0 {
		return m.newSection(category, bullets)
	}
	s := m.sections[i]
	lines = slices.Clone(bullets)
	at = s.head + 1
	last := -1
	for k, b := range m.bullets {
		if b.line > s.head && b.line < s.end {
			last = k
		}
	}
	switch {
	case last >= 0:
		at = m.bullets[last].tail
	case m.blank && at < s.end && m.empty(at):
		at++
	case m.blank:
		lines = append([]string{""}, lines...)
	}
	if at < len(m.lines) && !m.empty(at) && last < 0 {
		lines = append(lines, "")
	}
	return at, lines
}

// newSection returns a section at its place among the four.
func (m *markdown) newSection(category string, bullets []string) (at int, lines []string) {
	at = len(m.lines)
	rank := slices.Index(Categories, category)
	for _, s := range m.sections {
		if slices.Index(Categories, s.category) > rank {
			at = min(at, s.head)
		}
	}
	for _, s := range m.sections {
		if slices.Index(Categories, s.category) < rank {
			at = s.end
		}
	}
	lines = append(lines, "## "+titles[category])
	if m.blank {
		lines = append(lines, "")
	}
	lines = append(lines, bullets...)
	if at < len(m.lines) {
		lines = append(lines, "")
	}
	return at, lines
}

func (m *markdown) empty(i int) bool { return strings.TrimSpace(m.lines[i]) == "" }
