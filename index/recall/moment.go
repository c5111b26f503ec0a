package recall

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// This file chooses lessons for what an agent does: a rule on the command it runs or on the
// file it reads or edits, and the cure of a recurring error. A common word is not enough:
// the lesson must name that very thing.

// OnMoment limits what one call of a tool brings up.
var OnMoment = Budget{Lessons: 2, Tokens: 400, Chars: 2000}

// A Moment is what an agent is about to do, or has just done.
type Moment struct {
	Tool  string
	Error string   // how the call failed; "" if it has not
	Files []string // read or edited, or named by the error; relative ones have an unknown folder
	call  *guard.Call
}

// MomentOf returns the moment of a tool's call; failed is its error, if any.
func MomentOf(tool string, call *guard.Call, failed string) Moment {
	m := Moment{Tool: tool, Error: failed, call: call}
	files := slices.Concat(call.Changes(), call.Reads())
	blamed := filesIn(cut(failed))
	slices.Reverse(blamed) // the last is where it happened
	for _, f := range blamed {
		f, _, _ = strings.Cut(f, ":") // the line number
		if f, _, _ = strings.Cut(f, "("); path.Ext(f) != "" && !strings.Contains(f, "node_modules/") && !strings.Contains(f, "-packages/") {
			files = append(files, f)
		}
	}
	for _, f := range files {
		if f = strings.ReplaceAll(f, `\`, "/"); !path.IsAbs(f) && call.Dir != "" && !strings.Contains(f, ":/") {
			f = path.Join(call.Dir, f)
		}
		if len(m.Files) < maxThings && len(f) < 4096 && !slices.Contains(m.Files, f) {
			m.Files = append(m.Files, f)
		}
	}
	return m
}

// maxThings limits the files, and the commands, of one call.
const maxThings = 8

// Doing chooses lessons that name what an agent does: its command, a file, the error of a
// call; after an error also lessons on its subject. It leaves out what the session has had.
func (pick Picker) Doing(s Situation, m Moment, had []lessons.ID, most int) ([]Choice, error) {
	b := OnMoment
	b.Lessons = min(b.Lessons, most)
	if b.Lessons < 1 {
		return nil, nil
	}
	s.OnlySubject, s.Had, s.Files, s.Moment = true, had, m.Files, &m
	var chosen []Choice
	var err error
	if !m.Empty() {
		chosen, err = pick(s, b, false)
	}
	if err != nil || m.Error == "" {
		return chosen, err
	}
	s.Files, s.Moment, s.Tool, s.Error = nil, nil, m.Tool, m.Error
	s.Had = slices.Concat(had, IDs(chosen))
	if b = b.less(chosen); b.Lessons < 1 || b.Tokens < 1 || b.Chars < 1 {
		return chosen, nil
	}
	about, err := pick(s, b, false)
	return also(chosen, about), err
}

// Given chooses lessons for an agent that asks: those that name a file it asks about, and
// then those for its task.
func (pick Picker) Given(s Situation, b Budget) ([]Choice, error) {
	if len(s.Files) == 0 {
		return pick(s, b, true)
	}
	b = b.OrDefault()
	named, err := pick.Doing(s, Moment{Files: s.Files}, s.Had, b.Lessons)
	if err != nil {
		return nil, err
	}
	named = slices.DeleteFunc(named, func(c Choice) bool { return !c.In && !c.Held })
	s.Had = slices.Concat(s.Had, IDs(named))
	if b = b.less(named); b.Lessons < 1 {
		return named, nil
	}
	more, err := pick(s, b, true)
	return also(named, more), err
}

// less returns what the choices that are in leave of a budget.
func (b Budget) less(chosen []Choice) Budget {
	for _, c := range chosen {
		if c.In {
			b.Lessons, b.Tokens, b.Chars = b.Lessons-1, b.Tokens-c.Tokens(), b.Chars-4*c.Tokens()
		}
	}
	return b
}

// also appends the others that are not among some.
func also(some, others []Choice) []Choice {
	for _, c := range others {
		if !slices.ContainsFunc(some, func(o Choice) bool { return o.Lesson.ID == c.Lesson.ID }) {
			some = append(some, c)
		}
	}
	return some
}

// Empty reports whether nothing is done that a lesson could be about.
func (m Moment) Empty() bool { return m.Error == "" && len(m.Files) == 0 && len(m.commands()) == 0 }

// atMoment finds the lessons that name what is done at the moment of a situation.
func (s Situation) atMoment(ctx context.Context, x Searcher) ([]Choice, error) {
	lines := telling(cut(s.Moment.Error))
	pages, err := x.Pages(ctx, s.Moment.queries(s, lines)...)
	if err != nil {
		return nil, err
	}
	fits, err := s.fitting(ctx, x, pages, nil)
	if err != nil {
		return nil, err
	}
	var all []lessons.Lesson
	seen := map[lessons.ID]bool{}
	for _, page := range pages {
		for _, h := range page.Hits {
			if l := h.Lesson; !seen[l.ID] && (l.Scope.Global || fits(l.Scope.Role)) {
				seen[l.ID] = true
				all = append(all, l)
			}
		}
	}
	cures := returned(all, lines)
	var out []Choice
	for i, l := range all {
		why, weight := s.Moment.names(l)
		if cures[i] != "" {
			why, weight = fmt.Sprintf("has the error that returns: “%s”", lessons.Lesson{Wording: lessons.Wording{Content: cures[i]}}.Title(60)), 1
		}
		if weight == 0 {
			continue
		}
		c := Choice{Lesson: l, Why: why, Parts: Parts{
			Relevance: weight, Bound: l.Bound(s.Now), Freshness: l.Freshness(s.Now), Scope: s.scope(l), Kind: 1,
		}}
		c.Rank = c.Parts.rank()
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Lesson.ID, b.Lesson.ID))
	})
	return out, nil
}

// queries returns queries that find all lessons that may name what is done.
func (m Moment) queries(s Situation, lines []string) []index.Query {
	const some = 60 // lessons read per word, enough to include those that only mention it
	var out []index.Query
	add := func(q index.Query, limit int) {
		q.Now, q.Limit, q.Unjudged = s.Now, limit, true
		q.Filters = append(q.Filters, s.conditions().Filters...)
		if !slices.ContainsFunc(out, func(o index.Query) bool { return slices.Equal(o.Terms, q.Terms) && slices.Equal(o.Filters, q.Filters) }) {
			out = append(out, q)
		}
	}
	having := func(text string) {
		if len(index.Words(text)) > 0 {
			add(index.Query{Terms: index.Text(text).Terms, Sort: index.Score}, some)
		}
	}
	for _, words := range m.commands() {
		for _, v := range verbsOf(words) {
			for _, said := range v.said {
				having(said)
			}
		}
		name := path.Base(words[0])
		if len(words) > 1 {
			having(name + " " + words[1])
		}
		if name != "git" && name != "gh" { // no rule is about all of their commands
			having(name)
		}
	}
	for _, f := range m.Files {
		having(path.Base(f))
	}
	if len(m.Files) > 0 {
		add(index.Query{Sort: index.Score}.Where(index.Placed, "yes"), 3*some)
	}
	for _, l := range lines {
		q := index.Text(l)
		q.Sort, q.Rarest = index.Relevance, 4
		add(q, perQuery)
	}
	if len(lines) > 0 { // quoted text is not searched
		add(index.Query{Sort: index.Confirmed}.Where(index.Who, string(lessons.ByTool)), 3*some)
	}
	return out
}

// commands returns the commands of the moment, without those that only change the folder or
// print.
func (m Moment) commands() (out [][]string) {
	if m.call == nil {
		return nil
	}
	for _, words := range m.call.Commands() {
		switch path.Base(words[0]) {
		case "", ".", "/", "cd", "echo", "export", "true", "false", "sudo", "env", "set":
			continue
		}
		if len(out) < maxThings {
			out = append(out, words)
		}
	}
	return out
}

// names returns what of the moment a lesson names, and how surely: 0 for nothing.
func (m Moment) names(l lessons.Lesson) (why string, weight float64) {
	take := func(w float64, format string, args ...any) {
		if w > weight {
			why, weight = fmt.Sprintf(format, args...), w
		}
	}
	text := said(l)
	for _, f := range m.Files {
		if namesFile(text, f) {
			take(1, "names %s", lessons.Line(path.Base(f)))
		}
		if slices.ContainsFunc(l.Limit.Paths, func(p string) bool { return lessons.MeansFile(p, f) }) {
			take(0.9, "it holds for %s", lessons.Line(path.Base(f)))
		}
	}
	commands := m.commands()
	if len(commands) == 0 {
		return why, weight
	}
	patterns := guard.Derive(l.Wording).Patterns
	for i := range patterns {
		patterns[i].Flags = nil // a rule on one of its flags is also one on the command
	}
	if patterns = slices.DeleteFunc(patterns, func(p guard.Pattern) bool { return len(p.Words) == 0 }); len(patterns) == 0 {
		patterns = guard.Mentions(text)
	}
	for _, p := range patterns {
		if p.Matches(m.call) {
			w := 0.8
			if len(p.Words) > 1 {
				w = 1
			}
			take(w, "names %s", p.Says())
		}
	}
	for _, words := range commands {
		for _, v := range verbsOf(words) {
			if v.in(text) {
				take(0.7, "is about %s", v.does)
			}
		}
	}
	return why, weight
}

// said returns the part of a lesson that says what it is about.
func said(l lessons.Lesson) string {
	return strings.Join(append([]string{l.Content}, l.Triggers...), "\n")
}

// commonName matches names that many files of a project have, such as README, index and
// main, and what only looks like a file: Node.js, example.com, v1.2.
var commonName = lessons.LazyRegexp(`(?i)^(?:readme|index|main|mod|lib|init|__init__|__main__|package|package-lock|tsconfig|app|utils?|helpers?|common|types?|constants?|config|settings|setup|tests?|conftest|page|layout|route|routes|styles?|models?|views?|urls|admin|errors?|makefile|dockerfile)\.[a-z0-9]+$|^(?:node|next|nuxt|vue|react|express|three|chart|d3)\.js$|\.(?:com|org|net|io|dev|\d.*)$`)

// namesFile reports whether a text names a file: with its folder, or by an unusual name.
func namesFile(text, file string) bool {
	name := path.Base(file)
	if name == "." || name == "/" {
		return false
	}
	part := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./~@+", r)
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		at = end
		if after := strings.TrimLeft(text[end:], "."); after != "" && part([]rune(after[:min(len(after), 4)])[0]) {
			continue
		}
		before := strings.TrimRightFunc(text[:start], part)
		named := strings.TrimPrefix(text[len(before):end], "./")
		switch {
		case named == name && (path.Ext(name) == "" || path.Ext(name) == name || commonName().MatchString(name)):
		case strings.HasSuffix("/"+strings.TrimPrefix(file, "/"), "/"+strings.TrimPrefix(named, "/")):
			return true
		}
	}
}

// A verb is a way to speak of a command of git or gh.
type verb struct {
	does string                // the command
	said []string              // search terms for a lesson about it
	as   string                // what [acted] finds, each between blanks
	with func() *regexp.Regexp // required match; nil for none
	not  func() *regexp.Regexp // excluded match; nil for none
}

// acted matches what a rule says is done, and the word after it: "before you commit",
// "never push", "open a PR", "Commit messages …".
var acted = lessons.LazyRegexp(`(?i)(?:(?:^|[.;:!?,(\n]\s*)(?:(?:always|please|only|first|then|each|every)\s+)*|\b(?:never|not|don't|before|after|when|while|until|without|unless|per|each|every)\s+(?:you\s+|we\s+)?(?:(?:each|every|any|an?|the|new)\s+)*|\b(?:keep|make|split|squash|sign|small|atomic|separate|signed|single|one|open|opening|create|creating|raise|submit|draft)\s+(?:(?:an?|the|your|any|new|draft|small)\s+)*)(commit|push|merge request|merg|rebas|tag|releas|pull request|pr)(?:s|es|e|ing|ting|ging)?\b([\s-]?[\w-]*)|\b(force-push|commit message|release notes)`)

// besideIt are words that change the meaning of a noun before them: a PR comment, a commit
// hash.
var besideIt = strings.Fields("reply replies comment comments review reviews reviewer reviewers feedback ci state number thread threads hash sha id")

func (v verb) in(text string) bool {
	if v.with != nil && !v.with().MatchString(text) || v.not != nil && v.not().MatchString(text) {
		return false
	}
	return slices.ContainsFunc(acted().FindAllStringSubmatch(text, -1), func(m []string) bool {
		behind := strings.ToLower(m[2])
		return strings.Contains(v.as, " "+strings.ToLower(m[1]+m[3])+" ") && !strings.HasPrefix(behind, "-") && !slices.Contains(besideIt, strings.TrimSpace(behind))
	})
}

var (
	commits = verb{does: "git commit", said: []string{"commit"}, as: " commit commit message ",
		not: lessons.LazyRegexp(`(?i)\b(?:transactions?|cursors?|database|db|sql|offsets?|kafka)\b`)}
	pushes = verb{does: "git push", said: []string{"push"}, as: " push force-push ",
		not: lessons.LazyRegexp(`(?i)\b(?:notifications?|images?|registry|docker|stack|queue|array|slice|messages?)\b`)}
	merges = verb{does: "a merge", said: []string{"merge"}, as: " merg ",
		with: lessons.LazyRegexp(`(?i)\b(?:branch(?:es)?|prs?|pull requests?|main|master|squash\w*|rebas\w*|fast-forward)\b|\b(?:before|after|when|until) (?:you |it is )?merg`)}
	rebases = verb{does: "git rebase", said: []string{"rebase"}, as: " rebas "}
	tags    = verb{does: "git tag", said: []string{"tag"}, as: " tag ",
		with: lessons.LazyRegexp(`(?i)\b(?:git|releases?|versions?|annotated|signed|semver|v\d[\d.]*)\b`)}
	requests = verb{does: "gh pr create", said: []string{"pr", "prs", "pull request", "merge request"}, as: " pr pull request merge request "}
	releases = verb{does: "gh release create", said: []string{"release"}, as: " releas release notes "}
)

// verbsOf returns the ways to speak of a command.
func verbsOf(words []string) []verb {
	var ops []string // its first words that are not options
	for i := 1; i < len(words) && len(ops) < 2; i++ {
		switch w := words[i]; {
		case w == "-C" || w == "-c" || w == "-R" || w == "--repo":
			i++
		case !strings.HasPrefix(w, "-"):
			ops = append(ops, w)
		}
	}
	switch path.Base(words[0]) + " " + strings.Join(ops, " ") {
	case "gh pr create", "gh pr edit", "glab mr create":
		return []verb{requests}
	case "gh pr merge", "glab mr merge":
		return []verb{merges}
	case "gh release create":
		return []verb{releases}
	}
	if len(ops) > 0 && path.Base(words[0]) == "git" {
		switch ops[0] {
		case "commit":
			return []verb{commits}
		case "push":
			return []verb{pushes}
		case "merge":
			return []verb{merges}
		case "rebase":
			return []verb{rebases}
		case "tag":
			return []verb{tags}
		}
	}
	return nil
}
