package model

import (
	"strconv"
	"strings"

	"learnings/lessons/lazy"
)

// decides is Octomind's gate: exactly these characters, or nothing is learned.
func decides(text string) bool { return strings.Contains(text, "<decision>LEARN</decision>") }

// parseLessonTags reads Octomind's <lesson …> tags the way Octomind does: by
// looking for characters, not as XML, but keeps lessons without evidence, so that
// they are counted among what was left out. ok is false when there is neither a
// whole tag nor the decision that there is nothing to learn.
func parseLessonTags(text string) (a answer, ok bool) {
	a.form = FormLessons
	if strings.Contains(text, "<decision>") && !decides(text) {
		a.none = strings.Contains(text, "</decision>") // otherwise it breaks off
		return a, a.none
	}
	for rest := text; len(a.items) < maxItems; {
		_, tag, found := strings.Cut(rest, "<lesson")
		if !found {
			break
		}
		attrs, body, found := strings.Cut(tag, ">")
		if !found {
			a.partial = true
			break
		}
		content, after, found := strings.Cut(body, "</lesson>")
		if !found {
			a.partial = true
			break
		}
		rest = after
		if content = strings.TrimSpace(content); content == "" {
			continue
		}
		level := attribute(attrs, "confidence")
		if _, err := strconv.ParseFloat(level, 64); err != nil && level != "high" && level != "low" {
			level = "medium" // as Octomind reads it
		}
		a.items = append(a.items, proposal{
			content: content, quotes: []string{strings.TrimSpace(attribute(attrs, "evidence"))}, level: levelOf(level),
			tags: words(attribute(attrs, "tags")), global: attribute(attrs, "scope") == "global",
			supersedes: attribute(attrs, "supersedes"), category: attribute(attrs, "category"), handle: attribute(attrs, "handle"),
		})
	}
	return a, a.says()
}

// attribute gives the value behind the first key=" in the text of a tag.
func attribute(attrs, key string) string {
	_, rest, ok := strings.Cut(attrs, key+`="`)
	if !ok {
		return ""
	}
	value, _, ok := strings.Cut(rest, `"`)
	if !ok {
		return ""
	}
	return value
}

// An observation is one of claude-mem's blocks.
type observation struct {
	kind, title, subtitle, narrative string
	facts, concepts                  []string
	read, modified                   []string
}

// A summary is claude-mem's block of what a session came to.
type summary struct {
	request, investigated, learned, completed, next, notes string
	skipped                                                bool
	reason                                                 string
}

var (
	wholeFence  = lazy.Regexp("(?s)\\A\\s*```(?:xml)?[ \\t]*\\r?\\n(.*?)\\r?\\n?```\\s*\\z")
	skipped     = lazy.Regexp(`<skip_summary(?:\s+reason="([^"]*)")?\s*/>`)
	memoryRoot  = lazy.Regexp(`(?i)<(observation|summary)`)
	observed    = lazy.Regexp(`(?s)<observation>(.*?)</observation>`)
	summed      = lazy.Regexp(`(?s)<summary>(.*?)</summary>`)
	spokenWords = lazy.Regexp(`"([^"\n]{8,400})"|“([^”\n]{8,400})”`)
)

// parseMemory reads claude-mem's blocks by its rules: the first kind of block
// decides and the other is passed over, a block without content is none, an
// observation of no type is of the fallback's. ok is false when there is
// nothing valid.
func parseMemory(text, fallback string) (obs []observation, sum *summary, ok bool) {
	if m := wholeFence().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if m := skipped().FindStringSubmatch(text); m != nil {
		return nil, &summary{skipped: true, reason: m[1]}, true
	}
	root := memoryRoot().FindStringSubmatch(text)
	switch {
	case root == nil:
		return nil, nil, false
	case strings.EqualFold(root[1], "summary"):
		m := summed().FindStringSubmatch(text)
		if m == nil {
			return nil, nil, false
		}
		s := &summary{
			request: field(m[1], "request"), investigated: field(m[1], "investigated"), learned: field(m[1], "learned"),
			completed: field(m[1], "completed"), next: field(m[1], "next_steps"), notes: field(m[1], "notes"),
		}
		return nil, s, s.request+s.investigated+s.learned+s.completed+s.next != ""
	}
	for _, m := range observed().FindAllStringSubmatch(text, maxItems) {
		o := observation{
			kind: field(m[1], "type"), title: field(m[1], "title"), subtitle: field(m[1], "subtitle"), narrative: field(m[1], "narrative"),
			facts: fields(m[1], "facts", "fact"), read: fields(m[1], "files_read", "file"), modified: fields(m[1], "files_modified", "file"),
		}
		if o.kind == "" {
			o.kind = fallback
		}
		for _, c := range fields(m[1], "concepts", "concept") {
			c, _, _ = strings.Cut(c, ":")
			if c = strings.TrimSpace(c); c != "" && c != o.kind {
				o.concepts = append(o.concepts, c)
			}
		}
		if o.title+o.narrative != "" || len(o.facts)+len(o.concepts) > 0 {
			obs = append(obs, o)
		}
	}
	return obs, nil, len(obs) > 0
}

// field is the text of the first tag of a name; entities stay as they are.
func field(s, name string) string {
	_, rest, ok := strings.Cut(s, "<"+name+">")
	if !ok {
		return ""
	}
	value, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(value)
}

// fields are the texts of the items in a list.
func fields(s, list, item string) []string {
	var out []string
	rest := field(s, list)
	for {
		_, after, ok := strings.Cut(rest, "<"+item+">")
		if !ok {
			return out
		}
		value, after, ok := strings.Cut(after, "</"+item+">")
		if !ok {
			return out
		}
		if value = strings.TrimSpace(value); value != "" {
			out = append(out, value)
		}
		rest = after
	}
}

// parseMemoryTags makes proposals of claude-mem's blocks. They cite nothing by
// themselves; what stands in quotation marks in them is tried as the quote.
func parseMemoryTags(text, fallback string) (a answer, ok bool) {
	obs, sum, ok := parseMemory(text, fallback)
	if !ok {
		return answer{}, false
	}
	a.form = FormMemory
	for _, o := range obs {
		p := proposal{content: o.title, why: o.narrative, category: o.kind, tags: o.concepts, level: Clear}
		if p.content == "" && len(o.facts) > 0 {
			p.content = o.facts[0]
		}
		if p.content == "" {
			p.content, p.why = o.narrative, ""
		}
		p.quotes = spoken(strings.Join(append([]string{o.title, o.subtitle, o.narrative}, o.facts...), "\n"))
		if p.content != "" {
			a.items = append(a.items, p)
		}
	}
	switch {
	case sum == nil:
	case sum.skipped:
		a.none = true
	case sum.learned == "":
		a.none = true
	default:
		for line := range strings.Lines(sum.learned) {
			if line = strings.TrimSpace(strings.TrimLeft(line, "-*• \t")); line != "" && len(a.items) < maxItems {
				a.items = append(a.items, proposal{content: line, category: "discovery", level: Clear, quotes: spoken(line)})
			}
		}
	}
	return a, true
}

// spoken are the parts of a text in quotation marks.
func spoken(s string) []string {
	var out []string
	for _, m := range spokenWords().FindAllStringSubmatch(s, 20) {
		out = append(out, m[1]+m[2])
	}
	return out
}
