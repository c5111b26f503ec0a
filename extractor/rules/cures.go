package rules

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A command that failed and soon after worked in a slightly different form
// shows what the project needs: another directory, an environment, another
// tool. One session proves little, because the agent may have been confused or
// the network down, so a cure is an observation: it becomes a proposal once a
// second session of the project shows the same.

const (
	// cureWithin is the number of calls after a failure in which to look for its cure.
	cureWithin = 6
	// maxOpen is the most uncured failures remembered at a time.
	maxOpen = 8
	// maxCureEvidence is the most failures of one session that a proposal quotes.
	maxCureEvidence = 5

	// What took this long to get right is worth more. The criteria are
	// amplihack's: more than ten minutes, or many attempts.
	longTook  = 10 * time.Minute
	manyTries = 4

	// sureOfCure is the confidence in what two sessions show, and moreOfCure in what
	// three show, or two with a long one. On people whose sessions were not used to
	// choose the rules, three of three such proposals were right.
	sureOfCure lessons.Confidence = 0.65
	moreOfCure lessons.Confidence = 0.75
)

// A Cure is the form in which a command worked after another form failed.
type Cure struct {
	Says     string // advice for the next session in plain words, with what the error says; see [Family]; not redacted
	Category lessons.Category
	Error    string // the line that says why it failed; neither redacted nor made safe to show
	Failed   []int  // the turns that failed, by their numbers in [Cures.Watch], in order
	Worked   int    // the turn that worked
	Example  string // the command that failed and the one that worked; not redacted
	Tries    int    // failed calls of the command before it worked
	Took     time.Duration
}

// Long reports whether the cure took long to find.
func (c Cure) Long() bool { return c.Took > longTook || c.Tries >= manyTries }

// Cures finds cures in the turns of one session. The zero value is ready for
// use.
type Cures struct {
	open  []failure
	calls int
}

// A failure is a shell call that failed and has not been cured yet.
type failure struct {
	line    commandLine
	command string
	error   string // the line that says why
	said    string // the answer
	turn    int
	calls   int        // made before it failed
	since   time.Time  // when a command of this name first failed
	tries   int        // how often it has failed since then
	between []prepared // what prepared something since it failed
}

// A prepared is a command that sets something up for others; see preparation.
type prepared struct{ name, command string }

// Watch handles the next turn, numbered n, of a session that began in the directory
// root. It returns a cure if the turn shows one.
func (w *Cures) Watch(root string, n int, t *transcript.Turn) (Cure, bool) {
	switch {
	case t.Sidechain:
	case t.Kind == transcript.Call:
		w.calls++
		if len(w.open) > 0 && t.Tool != nil && (Edits(t.Tool) || editsInShell().MatchString(t.Tool.Command)) {
			w.open = w.open[:0] // the edit may be what cured it
		}
	case t.Kind == transcript.Result && t.Tool != nil && t.Tool.Command != "" && !t.Refused:
		w.open = slices.DeleteFunc(w.open, func(f failure) bool { return w.calls-f.calls > cureWithin })
		if !t.Failed && len(w.open) == 0 {
			return Cure{}, false
		}
		line := parseLine(t.Tool, root)
		switch {
		case line.name == "":
		case t.Failed:
			w.failed(line, n, t)
		default:
			return w.worked(line, n, t)
		}
	}
	return Cure{}, false
}

func (w *Cures) failed(line commandLine, n int, t *transcript.Turn) {
	said := wrong(t.Text)
	if said == "" || isNoise(said) {
		return
	}
	f := failure{line: line, command: t.Tool.Command, error: said, said: t.Text, turn: n, calls: w.calls, since: t.At, tries: 1}
	for _, o := range w.open {
		if o.line.name == line.name {
			f.since, f.tries = o.since, o.tries+1
		}
	}
	if len(w.open) == maxOpen {
		w.open = slices.Delete(w.open, 0, 1)
	}
	w.open = append(w.open, f)
}

func (w *Cures) worked(line commandLine, n int, t *transcript.Turn) (Cure, bool) {
	if stillRuns(t.Text) {
		return Cure{}, false
	}
	c := Cure{Worked: n}
	ready := prepared{preparation(line), t.Tool.Command}
	var open []failure
	for _, f := range w.open {
		says, category := cureOf(f, line)
		switch {
		case strings.Contains(t.Text, f.error): // it still fails, hidden by a pipe
			open = append(open, f)
		case says != "" && (c.Says == "" || Family(c.Says) == Family(says)):
			c.Says, c.Category = says, category
			c.add(f, line, t)
		case f.line != line:
			if ready.name != "" && !slices.ContainsFunc(f.between, func(o prepared) bool { return o.name == ready.name }) {
				f.between = append(f.between, ready)
			}
			open = append(open, f)
		}
	}
	w.open = open
	return c, c.Says != ""
}

// add adds a failure that the cure fixes.
func (c *Cure) add(f failure, line commandLine, t *transcript.Turn) {
	worked := t.Tool.Command
	switch {
	case line == f.line:
		worked = f.between[0].command + " && " + worked
	case f.command == worked: // the directory is an argument of the tool
		worked = "cd " + line.dir + " && " + worked
	}
	c.Error, c.Example = f.error, oneLine(shortens().ReplaceAllString(f.command, ""), maxLine)+" -> "+oneLine(shortens().ReplaceAllString(worked, ""), maxLine)
	c.Failed = append(c.Failed, f.turn)
	c.Tries = max(c.Tries, f.tries)
	if !f.since.IsZero() {
		c.Took = max(c.Took, t.At.Sub(f.since))
	}
}

// Observe returns the cures of failures in a session, which become lessons when another
// session shows the same. It implements extractor.Observer.
func (Rules) Observe(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	var out []lessons.Lesson
	var w Cures
	for i := range turns {
		if c, ok := w.Watch(s.Dir, i, &turns[i]); ok {
			out = append(out, c.lesson(s, turns))
		}
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return mergeSame(out, Family), nil
}

// A cure of one session is proposed if the command had failed at least leastStubborn times
// before. None of 350 real sessions has such a one.
const (
	leastStubborn                     = 3
	sureOfStubborn lessons.Confidence = 0.45
)

// stubborn proposes what cured a command that had failed again and again.
func stubborn(s transcript.Session, turns []transcript.Turn) (out []lessons.Lesson) {
	var w Cures
	for i := range turns {
		if c, ok := w.Watch(s.Dir, i, &turns[i]); ok && c.Tries >= leastStubborn {
			l := c.lesson(s, turns)
			l.Lane, l.Confidence, l.Origin.Rule = lessons.Maybe, sureOfStubborn, fmt.Sprintf("a command failed %d times, and then worked like this", c.Tries)
			out = append(out, l)
		}
	}
	return out
}

// Family returns what two cures share that differ only in the command that failed and in
// what it said, such as "run it from `src/`.": the advice. Any other sentence is its own.
func Family(says string) string {
	if i := strings.LastIndex(says, `", `); i > 0 && strings.HasPrefix(says, "If `") {
		return says[i+len(`", `):]
	}
	return says
}

// lesson makes an observation of a cure.
func (c Cure) lesson(s transcript.Session, turns []transcript.Turn) lessons.Lesson {
	rule := "a command failed in two sessions, and a little later worked like this"
	l := lessons.Lesson{
		Category: c.Category, Confidence: sureOfCure, Triggers: c.Triggers(),
		Wording: lessons.Wording{Content: c.Says, Insight: c.Insight(), Example: c.Example},
	}
	if c.Long() {
		l.Confidence, rule = moreOfCure, rule+"; "+c.effort()
	}
	did := "agent, " + turns[c.Worked].Tool.Name + ": " + oneLine(turns[c.Worked].Tool.Command, maxCommand)
	for _, i := range c.Failed[max(0, len(c.Failed)-maxCureEvidence):] {
		e := evidence(s, turns, i, lessons.ByTool, "tool-error", wrong(turns[i].Text))
		e.After = []string{did}
		l.Evidence = append(l.Evidence, e)
	}
	first := &turns[c.Failed[0]]
	// The insight quotes a tool. If that reads like an order, the agent's success must
	// not speak for it.
	l = finish(s, first, l, rule, words(c.Says))
	if i := callOf(turns, c.Worked); i >= 0 && !slices.ContainsFunc(lessons.Dangers(l), func(d lessons.Danger) bool { return d.Hazard == lessons.Instruction }) {
		e := evidence(s, turns, i, lessons.ByAgent, "call", strings.TrimSpace(turns[i].Tool.Command))
		e.Before, e.After = nil, nil
		l.Evidence = append(l.Evidence, e)
	}
	return l
}

// Insight says why the command failed, and what it took to find out.
func (c Cure) Insight() string {
	says := fmt.Sprintf("Otherwise it fails: %s", strings.TrimRight(lessons.Line(head(c.Error, maxError)), ". "))
	if c.Long() {
		says += ". " + strings.ToUpper(c.effort()[:1]) + c.effort()[1:]
	}
	return says + "."
}

// Triggers returns the error that finds the cure: its name, or else what it says.
func (c Cure) Triggers() []string {
	for _, n := range namesIn(lessons.Line(unescaped(head(c.Error, maxError)))) {
		if n.worth == kindError && !strings.Contains(c.Example, n.text) {
			return []string{n.text}
		}
	}
	if says := told(c.Error); says != "" {
		return []string{says}
	}
	return nil
}

// placeOfError matches what stands before the words of an error: the place of it, the shell
// that reports it, and marks.
var placeOfError = lessons.LazyRegexp(`^(?:[^\s:]*sh: (?:line \d+: )?|[^\s:]+:(?:\d+:)+ ?|\w+: \*+ |[^\pL\pN]+ |.*?(?i:error): )+`)

// told returns the words of an error that will be the same when it returns, up to the
// first path; "" if fewer than two words are left.
func told(line string) string {
	line = placeOfError().ReplaceAllString(lessons.Line(unescaped(head(line, maxError))), "")
	var out []string
	size, words := 0, 0
	for w := range strings.FieldsSeq(strings.NewReplacer("\"", "", "`", "").Replace(line)) {
		if size += len(w) + 1; size > maxShow || strings.ContainsAny(w, `/\@=<>|`) {
			break
		}
		if strings.ContainsFunc(w, unicode.IsLetter) {
			words++
		}
		if out = append(out, w); strings.HasSuffix(w, ",") {
			break // a comma stands between two phrases
		}
	}
	for len(out) > 0 && dangling()[out[len(out)-1]] {
		out = out[:len(out)-1]
	}
	if words < 2 {
		return ""
	}
	return strings.TrimRight(strings.Join(out, " "), " .,:;(")
}

var dangling = wordSet("dangling")

// effort says what it took to find the cure.
func (c Cure) effort() string {
	calls := fmt.Sprintf("%d failed calls", c.Tries)
	if c.Tries == 1 {
		calls = "a failed call"
	}
	if c.Took > longTook {
		calls = fmt.Sprintf("%d minutes and %s", int(c.Took.Minutes()), calls)
	}
	return "it took " + calls + " to find in one session"
}

var noise = lineList("noise")

func isNoise(said string) bool {
	low := strings.ToLower(said)
	return slices.ContainsFunc(noise(), func(n string) bool { return strings.Contains(low, n) })
}

// stillRuns reports whether an answer came before the command ended, so that its
// outcome is unknown.
func stillRuns(answer string) bool {
	answer = head(answer, 600)
	return strings.Contains(answer, "Process running with session ID") || strings.Contains(answer, "running in background") || strings.Contains(answer, "running in the background")
}

// cureOf compares a command that failed with one that worked and returns what to learn
// from the difference; "" for nothing.
func cureOf(f failure, worked commandLine) (says string, _ lessons.Category) {
	a, b := f.line, worked
	if called, flag := strangeFlag(f, b); flag != "" {
		return fmt.Sprintf("`%s` does not take `%s`.", called, flag), "tool-usage"
	}
	if a.script || b.script || onlyLooks()[program(strings.Fields(a.body))] || onlyLooks()[program(strings.Fields(b.body))] {
		return "", ""
	}
	if repaired, ok := repairs(a.body, b.body); ok {
		return fmt.Sprintf("In this project, `%s` repairs what `%s` reports.", repaired, a.name), "workflow"
	}
	advice, category := advise(f, b)
	says = told(f.error)
	if advice == "" || says == "" {
		return "", ""
	}
	name := a.name
	if before, ok := strings.CutSuffix(a.body, " "+b.body); ok {
		name = before + " " + b.name
	}
	return fmt.Sprintf("If `%s` says \"%s\", %s.", name, says, advice), category
}

// advise says what to do with "it", the command that failed; "" if the error does not
// explain why that would help.
func advise(f failure, b commandLine) (string, lessons.Category) {
	a := f.line
	if a == b {
		if len(f.between) != 1 {
			return "", "" // nothing was done in between, or more than one thing
		}
		return f.runFirst(f.between[0].name), "workflow"
	}
	if a.body == b.body {
		return otherDir(f, b), "workflow"
	}
	if before, ok := strings.CutSuffix(b.body, " "+a.body); ok {
		return f.withBefore(before), "workflow"
	}
	if before, ok := strings.CutSuffix(a.body, " "+b.body); ok && (plainWord().MatchString(before) && !strings.Contains(before, "=") || isRunner(before)) {
		return fmt.Sprintf("run it without `%s`", before), "workflow"
	}
	aw, bw := strings.Fields(a.body), strings.Fields(b.body)
	if len(aw) > 1 && slices.Equal(aw[1:], bw[1:]) && plainWord().MatchString(aw[0]) && plainWord().MatchString(bw[0]) && f.explains(bw[0]) {
		return fmt.Sprintf("use `%s` instead of `%s`", bw[0], aw[0]), "tool-usage"
	}
	return "", ""
}

// lacking matches errors of what is not there, not running or not allowed.
var lacking = lessons.LazyRegexp(`(?i)no module|not (?:been )?(?:installed|built|running|set|defined|configured)|refused|denied|permission|credentials|unauthori[sz]ed|forbidden|resolve host|no .{1,30} (?:found|table)|required|missing`)

// explains reports whether the answer of a failed command says why one of the words, or
// something that was lacking, would help. That a command came soon after proves nothing.
func (f failure) explains(words ...string) bool {
	said := strings.ToLower(head(f.said, 4000))
	return misplaced().MatchString(f.error) || lacking().MatchString(f.error) || slices.ContainsFunc(words, func(w string) bool {
		return strings.Contains(said, strings.ToLower(w)) || strings.Contains(w, "fmt") && strings.Contains(said, "format")
	})
}

var onlyLooks = wordSet("only looks")

// misplaced matches errors of commands in the wrong directory. Some agents begin every
// command with "cd", so "cd" cures nothing without such an error.
var misplaced = lessons.LazyRegexp(`(?i)not found|no such|(?:can't|cannot|could not|couldn't|unable to) (?:find|locate|open|read|stat|load|access)|(?:does not|doesn't) exist|\bno (?:\S+ )?(?:found|file|files|tests?|module|package|project|makefile|manifest|config\w*|rule|targets?)\b|missing script|not a (?:git|node|go|npm|package|directory|workspace|project)|outside|ENOENT|directory|package\.json|pyproject|Cargo\.toml|go\.mod|No importer`)

// editsInShell matches commands that change files of the project.
var editsInShell = lessons.LazyRegexp(`\bsed -i|<<|\bgit (?:checkout|switch|restore|stash|reset|pull|merge|rebase|apply|cherry-pick)\b|\bpatch -p|\btee \S`)

func otherDir(f failure, b commandLine) string {
	a := f.line
	switch {
	case b.dir == a.dir || b.dir == "" || !misplaced().MatchString(f.error):
		return ""
	case b.dir == ".":
		return "run it from the root of the project"
	case strings.HasPrefix(b.dir, "..") || strings.ContainsAny(b.dir[:1], "/~-") || !plainWord().MatchString(b.dir):
		return "" // somewhere else on this machine
	}
	return fmt.Sprintf("run it from `%s/`", b.dir)
}

var (
	assigns  = lessons.LazyRegexp(`^(?:(?:export|env) )?(?:[A-Za-z_]\w{0,59}=\S* ?)+(?:&&|;)?$`)
	variable = lessons.LazyRegexp(`([A-Za-z_]\w*)=`)
	runners  = lessons.LazyRegexp(`^(?:(?:uv|poetry|pipenv|hatch|pdm|rye) run|npx|bunx|bun x|(?:pnpm|npm|yarn|bundle) exec|(?:pnpm|yarn) dlx|pnpm|yarn|(?:mise|direnv) exec(?: \.)?(?: --)?|mise x --|sudo(?: -[A-Za-z]+)*|xvfb-run(?: -a)?)$`)
)

func isRunner(words string) bool { return runners().MatchString(words) }

// withBefore says what to put or run before a command.
func (f failure) withBefore(before string) string {
	if assigns().MatchString(before) {
		var names []string
		for _, m := range variable().FindAllStringSubmatch(before, -1) {
			names = append(names, m[1])
		}
		if f.explains(names...) {
			return fmt.Sprintf("set `%s` for it", strings.Join(names, "` and `"))
		}
	}
	if isRunner(before) && f.explains(before) {
		return fmt.Sprintf("run it with `%s`", before)
	}
	if first, ok := strings.CutSuffix(before, " &&"); ok {
		return f.runFirst(preparation(commandLine{body: first}))
	}
	return ""
}

func (f failure) runFirst(first string) string {
	if first == "" || first == f.line.name || !f.explains(slices.DeleteFunc(strings.FieldsFunc(first, func(r rune) bool { return r == ' ' || r == ':' }), func(w string) bool { return len(w) < 3 || !prepares()[w] && !strings.Contains(w, "fmt") })...) {
		return ""
	}
	return fmt.Sprintf("run `%s` before it", first)
}

var prepares = wordSet("prepares")

// preparation names a command that sets something up for others, such as an
// installation, a build or a formatter; "" for any other.
func preparation(line commandLine) string {
	words := strings.Fields(line.body)
	i := programAt(words)
	if i == len(words) || line.script || strings.ContainsAny(line.body, ";|&") || onlyLooks()[words[i]] || words[i] == "git" || words[i] == "gh" {
		return ""
	}
	if words[i] == "source" || words[i] == "." {
		if len(words) != i+2 || path.IsAbs(words[i+1]) || !plainWord().MatchString(words[i+1]) {
			return ""
		}
		return "source " + words[i+1]
	}
	if !slices.ContainsFunc(words[i:min(i+4, len(words))], func(w string) bool {
		return prepares()[w] || slices.ContainsFunc(strings.Split(w, ":"), func(part string) bool { return prepares()[part] })
	}) && words[i] != "make" {
		return ""
	}
	if short := words[i:]; len(short) <= 6 && !strings.Contains(strings.Join(short[1:], " "), "/") && !slices.ContainsFunc(short, func(w string) bool { return !plainWord().MatchString(w) }) {
		return strings.Join(short, " ")
	}
	return named(line.body)
}

// bare is a command without what makes it repair or only check.
var bare = strings.NewReplacer(":fix", "", ":write", "", ":check", "", " --fix", "", " --write", "", " --check", "")

// repairs reports whether b runs a to repair what a only reports, and returns the
// command that does so.
func repairs(a, b string) (string, bool) {
	name, marks := named(b), 0
	for _, mark := range []string{":fix", ":write", " --fix", " --write"} {
		n := strings.Count(b, mark)
		if marks += n - strings.Count(a, mark); n > 0 && mark[0] == ' ' {
			name += mark
		}
	}
	return name, marks > 0 && named(b) != "" && bare.Replace(a) == bare.Replace(b)
}

// strangeFlag returns the flag that a command rejected, and the command, if it then
// worked without the flag.
func strangeFlag(f failure, worked commandLine) (called, flag string) {
	low := strings.ToLower(f.error)
	aw, bw := strings.Fields(f.line.body), strings.Fields(worked.body)
	called = calledBefore(aw)
	if called == "" || called != calledBefore(bw) || slices.ContainsFunc(bw, asksHelp) || !slices.ContainsFunc(usage(), func(u string) bool { return strings.Contains(low, u) }) {
		return "", ""
	}
	flagOf := func(w string) string { w, _, _ = strings.Cut(w, "="); return w }
	for _, w := range aw {
		w = flagOf(w)
		still := slices.ContainsFunc(bw, func(x string) bool { return flagOf(x) == w })
		if len(w) > 1 && w[0] == '-' && plainWord().MatchString(w) && holdsWord(f.error, w) && !still {
			return called, w
		}
	}
	return "", ""
}

// calledBefore returns the program and the next word, which is usually the subcommand
// that takes the flags.
func calledBefore(words []string) string {
	i := programAt(words)
	if i == len(words) || !plainWord().MatchString(words[i]) {
		return ""
	}
	if i+1 < len(words) && simpleWord(words[i+1]) {
		return path.Base(words[i]) + " " + words[i+1]
	}
	return path.Base(words[i])
}

var usage = lineList("usage")

// asksHelp reports whether a word asks for help.
func asksHelp(w string) bool { return w == "--help" || w == "-h" || w == "help" }
