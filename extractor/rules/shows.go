package rules

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A lesson is searched for in the words of a later moment, which are seldom those of its
// sentence: somebody complains, a file is open, a command fails. So its triggers come from
// the moment that taught it: names of files, functions, errors and commands, and the words
// in which the person complained.

const (
	maxShows = 4  // phrases of a lesson
	maxShow  = 60 // bytes of one
	minShow  = 4

	leastShow = 1.9 // what a name must be worth

	// The most names said only by the agent, for a lesson that is a fragment, a
	// sentence, or a rule for all work.
	nearFragment, nearSentence, nearRule = 2, 1, 0

	showsRead   = 4 << 10 // bytes of a turn that are read for names
	showsBefore = 60      // turns, before and
	showsAfter  = 12      // after the one that taught it
	showsTalks  = 3       // turns of the person before it
)

// A show is a name in a moment, with the evidence for it.
type show struct {
	text  string
	worth float64
	sure  bool // the person said it or refused it, or it is an error
	said  int  // turns of people and agents that say it
}

// A scene is the names around a moment.
type scene struct {
	dir   string
	found map[string]*show // by the name as it is compared
	order []string
}

// shows returns the phrases that identify the moment of a lesson when it recurs, the
// most telling first. None is in its sentence.
func shows(s transcript.Session, turns []transcript.Turn, ms []moment, at int, content string, c *candidate, missing string) []string {
	m := &ms[at]
	sc := scene{dir: s.Dir, found: map[string]*show{}}
	sc.say(turns[m.at].Text, 3, true)
	sc.call(turns[m.at].Tool, 3, true)
	from := max(0, m.at-showsBefore)
	for i := at - 1; i >= max(0, at-showsTalks) && ms[i].at >= from; i-- {
		sc.say(turns[ms[i].at].Text, 2.5-0.5*float64(at-i), true)
	}
	if at > 0 && ms[0].at >= from {
		sc.say(turns[ms[0].at].Text, 1.5, true)
	}
	sc.agents(turns, m.at, from)
	near, fragment := nearSentence, missing != "" || len(contentWords(content)) < leastComplaint
	if x, _ := plainly(c.main, m); fragment {
		near = nearFragment
	} else if x > 0 && !m.conceded() {
		near = nearRule
	}
	out := sc.best(content, near, turns[from:min(len(turns), m.at+showsAfter)])
	if said := complaint(ms[:at+1], content); said != "" && !fragment {
		out = append(out[:min(len(out), maxShows-1)], said)
	}
	return out
}

// agents adds what the agent said and did around a turn: its latest edits, a failed
// call, its last message, and its reaction.
func (sc *scene) agents(turns []transcript.Turn, at, from int) {
	edits, runs, said := 0, 0, 0
	for i := at - 1; i >= from && said+edits < 4; i-- {
		switch t := &turns[i]; {
		case t.Sidechain:
		case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
			if said++; said <= 2 {
				sc.say(t.Text, 1.5/float64(said), false)
			}
		case t.Kind == transcript.Call && Edits(t.Tool):
			edits++
			sc.call(t.Tool, 2/float64(edits), false)
		case t.Kind == transcript.Call && t.Tool != nil && t.Tool.Command != "" && runs < 3:
			runs++
			sc.call(t.Tool, 2/float64(runs), false)
		case t.Kind == transcript.Result && t.Failed && t.Tool != nil:
			sc.say(wrong(t.Text), 1.5, false)
		case t.Speaker == transcript.Person && t.Kind.Spoken() && said > 0:
			said++ // work for an earlier request is not what is corrected
		}
	}
	edits, said = 0, 0
	for i := at + 1; i < min(len(turns), at+showsAfter) && edits+said < 2; i++ {
		switch t := &turns[i]; {
		case t.Sidechain:
		case t.Speaker == transcript.Person && t.Kind.Spoken():
			return
		case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
			said++
			sc.say(t.Text, 1, false)
		case t.Kind == transcript.Call && Edits(t.Tool):
			edits++
			sc.call(t.Tool, 1.5, false)
		}
	}
}

// call adds the file or command of a call.
func (sc *scene) call(c *transcript.ToolCall, worth float64, sure bool) {
	switch {
	case c == nil:
	case c.Path != "":
		sc.add(sc.project(c.Path), worth+kindFile, sure)
	case c.Command != "":
		line := parseLine(c, sc.dir)
		if first, _, several := strings.Cut(line.name, " "); several && !onlyLooks()[first] && !slices.Contains(lookingGit(), line.name) {
			sc.add(line.name, worth, sure)
		}
	}
}

var lookingGit = lineList("looking git")

// say adds the names in a text.
func (sc *scene) say(text string, worth float64, sure bool) {
	once := map[string]bool{}
	for _, n := range namesIn(head(dropTagged(text), showsRead)) {
		if n.text = sc.project(n.text); n.text != "" && !once[n.text] {
			once[n.text] = true
			sc.add(n.text, worth+n.worth, sure || n.worth == kindError)
		}
	}
}

func (sc *scene) add(name string, worth float64, sure bool) {
	key := showKey(name)
	if len(name) < minShow || len(name) > maxShow || brands()[key] {
		return
	}
	if sc.found[key] == nil {
		sc.found[key] = &show{text: name}
		sc.order = append(sc.order, key)
	}
	// Repeating a name makes it surer, but less so than a second speaker.
	n := sc.found[key]
	n.sure = n.sure || sure
	n.worth = max(n.worth, worth) + min(n.worth, worth)/2
}

// showKey normalizes a name: "retry()" is "retry", pass_rate is passRate, and a path is
// its file.
func showKey(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSuffix(path.Base(name), "()")), "_", "")
}

// best returns the names of most worth that are not in a sentence. At most near of them
// are names that only the agent said and that share no word with the sentence: an agent
// does much at a time.
func (sc *scene) best(content string, near int, around []transcript.Turn) []string {
	low, has := strings.ReplaceAll(strings.ToLower(content), "_", ""), contentWords(content)
	for _, w := range words(content) {
		has[w] = has[w] || len(w) > 1 && !stopWords()[w]
	}
	all := make([]*show, 0, len(sc.order))
	for _, key := range sc.order {
		n := sc.found[key]
		if strings.Contains(low, key) {
			continue
		}
		for i := range around {
			if t := &around[i]; t.Kind == transcript.Message && n.said < 5 && strings.Contains(t.Text, path.Base(strings.TrimSuffix(n.text, "()"))) {
				n.said++
			}
		}
		if n.worth += 0.3 * float64(n.said); n.worth >= leastShow {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b *show) int { return cmp.Compare(b.worth, a.worth) })
	var out []string
	for _, n := range all {
		if len(out) == maxShows {
			break
		}
		if slices.ContainsFunc(out, func(o string) bool { return within(showKey(n.text), showKey(o)) }) {
			continue
		}
		if !n.sure && !kin(n.text, has) {
			if near--; near < 0 || strings.Contains(n.text, " ") {
				continue
			}
		}
		out = append(out, n.text)
	}
	return out
}

// kin reports whether a text shares a word, or a part of a name, with some words.
func kin(text string, known map[string]bool) bool {
	parts := nameParts().FindAllString(text, -1)
	if strings.Contains(text, " ") {
		parts = slices.DeleteFunc(strings.Fields(text), func(w string) bool { return w == "run" || w == "test" || w == "check" })
	}
	for _, part := range parts {
		if part = strings.ToLower(part); known[part] || known[part+"s"] || known[strings.TrimSuffix(part, "s")] {
			return true
		}
	}
	return false
}

var nameParts = lessons.LazyRegexp(`[A-Z]?[a-z]{3,}|[A-Z]{4,}`)

// within reports whether one of two names contains the other.
func within(a, b string) bool { return strings.Contains(a, b) || strings.Contains(b, a) }

// project returns a path relative to the session's directory, or the file name of a
// path outside it; other names stay.
func (sc *scene) project(name string) string {
	if !strings.ContainsAny(name, `/\`) {
		return name
	}
	name = strings.ReplaceAll(name, `\`, "/")
	if path.IsAbs(name) && sc.dir != "" {
		if rel, err := filepath.Rel(sc.dir, name); err == nil && filepath.IsLocal(rel) {
			name = filepath.ToSlash(rel)
		}
	}
	name = path.Clean(strings.TrimPrefix(name, "@"))
	if path.IsAbs(name) || !filepath.IsLocal(name) || strings.HasPrefix(name, "~") || strings.Contains(name, ":") || inHome(name) || len(name) > maxShow {
		name = path.Base(name)
	}
	if !nameWord().MatchString(name) {
		return ""
	}
	return name
}

// inHome reports whether a text contains a path below a home, even with text glued to it
// ("in/home/ada/x.go").
func inHome(text string) bool {
	return strings.Contains(text, "/home/") || strings.Contains(text, "/Users/")
}

// What kinds of names are worth beside who says them: an error is found by its name alone.
const (
	kindError = 1.0
	kindCall  = 0.5
	kindFile  = 0.4
)

var (
	nameWord  = lessons.LazyRegexp(`^\.?[A-Za-z0-9_][A-Za-z0-9_.@+/-]*(?:\(\))?$`)
	errorName = lessons.LazyRegexp(`^(?:(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning)|E(?:RR)?_[A-Z0-9_]{3,}|E(?:NOENT|ACCES|PERM|EXIST|CONN[A-Z]+|TIMEDOUT|ADDRINUSE|PIPE|ISDIR|NOTDIR|MFILE|NOSPC|INVAL|RESOLVE|BADF|NOTEMPTY|LIFECYCLE|USAGE|NOTFOUND|INTEGRITY)|TS\d{4}|E\d{4}|SIG[A-Z]{3,5})$`)
	fileName  = lessons.LazyRegexp(`^(?:\.\.?/)*[/.]?[\w@+-][\w.@+-]*(?:/[\w.@+-]+)*\.(?:astro|bazel|c|cc|cfg|clj|conf|cpp|cs|css|csv|dart|env|erl|ex|exs|go|gradle|graphql|h|hpp|hs|html|ini|ipynb|java|jl|js|json|jsonl|jsx|kt|lock|lua|m|md|mdx|mjs|mod|nix|php|pl|prisma|proto|py|pyi|r|rb|rs|rst|sass|scala|scss|sh|sol|sql|svelte|swift|tf|toml|ts|tsx|txt|txtar|vue|xml|yaml|yml|zig)$`)
	callName  = lessons.LazyRegexp(`^((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w{2,})\((?:[\w,.'"=*-]*\)$|\w+,$)`)
	codeName  = lessons.LazyRegexp(`^(?:[A-Za-z_]\w*\.)*(?:[a-z]+[a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]{2,}[a-z0-9]*(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]{1,}){2,})$`)
	dotted    = lessons.LazyRegexp(`^[a-z_][a-z_0-9]{2,}(?:\.[a-zA-Z_]\w{2,})+$`)
)

var domain = lessons.LazyRegexp(`\.(?:com|org|net|io|dev|ai|app|edu|gov|de|uk|co)$`)

var brands = wordSet("brands")

// namesIn are the names of errors, functions, files and packages in a text.
func namesIn(text string) []show {
	var out []show
	put := func(name string, worth float64) {
		if !brands()[strings.ToLower(name)] && !madeUp().MatchString(path.Base(name)) && len(name) >= minShow && len(name) <= 2*maxShow && strings.IndexFunc(name, unicode.IsLetter) >= 0 && (worth == kindError || !random(name)) {
			out = append(out, show{text: name, worth: worth})
		}
	}
	for f := range strings.FieldsSeq(text) {
		f = strings.TrimRight(strings.TrimLeft(f, "\"'`([{<*,;:"), "\"'`]}>*.;:?!")
		if !strings.Contains(f, "(") {
			f = strings.TrimRight(f, ",\"'`.;:?!")
		}
		if n := strings.Count(f, ")") - strings.Count(f, "("); n > 0 {
			f = strings.TrimRight(f[:strings.LastIndexByte(f, ')')], "\"'`.,;:?!")
		}
		if len(f) < minShow || len(f) > 300 || strings.Contains(f, "://") {
			continue
		}
		f = lineNumber().ReplaceAllString(f, "")
		switch {
		case errorName().MatchString(f):
			put(f, kindError)
		case fileName().MatchString(strings.TrimPrefix(strings.ReplaceAll(f, `\`, "/"), "~")):
			put(strings.TrimPrefix(f, "@"), kindFile)
		case callName().MatchString(f):
			put(callName().FindStringSubmatch(f)[1]+"()", kindCall)
		case codeName().MatchString(f), dotted().MatchString(f) && !domain().MatchString(f):
			put(f, kindCall)
		}
	}
	return out
}

var lineNumber = lessons.LazyRegexp(`(?::\d+)+(?:-\d+)?$|#L\d.*$`)

// madeUp are names of examples.
var madeUp = lessons.LazyRegexp(`(?i)^(?:foo|bar|baz|qux|file\d*|example|sample|dummy|xxx?|test\d+)\.`)

// random reports whether a word was generated: an id, a digest, a key.
func random(name string) bool {
	digits := 0
	for _, r := range name {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits > 4 || digits > 2 && digits*3 > len(name)
}

const (
	leastComplaint = 3 // words
	mostComplaint  = 10
)

// complaint returns the clause in which the person said what was wrong, in this turn or
// one of the last before. It is "" if the clause is a rule itself or adds nothing to
// the lesson.
func complaint(ms []moment, content string) string {
	best, most := "", 0.0
	has := contentWords(content)
	for back := range min(len(ms), showsTalks+1) {
		m := &ms[len(ms)-1-back]
		for i := range m.all {
			if killed(&m.all[i], m) && back == 0 {
				continue
			}
			for _, c := range clauses(m.all[i].text) {
				if back > 0 && back < len(ms)-1 && !kin(c, has) {
					continue // another matter, said in passing
				}
				if w := symptom(c, has) - 0.5*float64(back); w > most {
					best, most = c, w
				}
			}
		}
	}
	return best
}

var clauseEnd = lessons.LazyRegexp(`[;:,—–?!()]+(?:\s|$)|\.(?:\s|$)|\s-+\s|\s(?:but|because|so|and|since|which|when|while|if)\s`)

// clauses splits a sentence into parts that can be understood separately.
func clauses(text string) []string {
	var out []string
	for _, c := range clauseEnd().Split(straight.Replace(head(text, 2000)), -1) {
		c = strings.TrimRight(strings.TrimSpace(c), ".\"'`")
		for _, o := range []string{"because ", "it looks like ", "looks like ", "it seems ", "i see that ", "i noticed that ", "i get ", "i got ", "why is ", "why are ", "why does ", "why do "} {
			if len(c) > len(o) && strings.EqualFold(c[:len(o)], o) {
				c = c[len(o):]
			}
		}
		out = append(out, lessons.Line(stripped(strings.TrimSuffix(strings.TrimSuffix(c, " here"), " there"))))
	}
	return out
}

var symptoms = wordSet("symptoms")

var symptomPhrases = lessons.LazyRegexp(`(?i)\b(?:off by|times? out|timed out|no longer|out of memory|too (?:long|many|much|large|big|slow|often|high|low|early|late)|(?:doesn't|does not|don't|didn't|isn't|is not|aren't|won't|not) (?:work|working|show|showing|load|loading|update|updating|exist|found|run|running|compile|build|start|render\w*|save|saved|visible|open|opening|appear|reconcile|agree|pass|passing|respond|line up|sorted)|can't (?:find|see|open|load|connect|log|reach)|cannot (?:find|see|open|load|connect|log|reach))\b`)

var orders = wordSet("orders")

// symptom scores how much a clause says about a problem, beyond known words.
func symptom(c string, known map[string]bool) float64 {
	w := words(c)
	if len(c) > maxShow || len(w) < leastComplaint || len(w) > mostComplaint || asksUnmarked(c) && w[0] != "is" || pointers()[w[0]] {
		return 0
	}
	signs, fresh := 0.0, 0
	for i, x := range w {
		switch {
		case i == 0 && (tasks()[x] || verbs()[x]), orders()[x], x == "i", x == "you", x == "your":
			return 0
		case symptoms()[x]:
			signs++
		case len(x) > 3 && x[0] != '<' && !stopWords()[x] && !dull()[x] && !known[x]:
			fresh++
		}
	}
	if symptomPhrases().MatchString(c) {
		signs += 1.5
	}
	if signs == 0 || fresh == 0 || inHome(c) || strings.ContainsFunc(c, func(r rune) bool { return r > unicode.MaxLatin1 || unicode.IsControl(r) }) {
		return 0
	}
	return signs + 0.2*float64(min(fresh, 4))
}
