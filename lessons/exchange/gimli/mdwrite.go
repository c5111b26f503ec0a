package gimli

import (
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

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
