package stance

import (
	"strconv"
	"strings"
)

// The tables are what the package knows of English and of the trade. Words stand
// in their base form; [stem] is applied to them as it is to the texts.

// A role is what a word does in a sentence.
type role uint16

const (
	stop     role = 1 << iota // says nothing of a subject
	joint                     // joins two claims: "and"
	scope                     // begins a situation: "when"
	argument                  // begins another part of what is to be done: "with"
	reason                    // begins what is no part of the claim: "because"
	negative                  // turns a claim around: "never"
	refusal                   // does so as a verb: "avoid"
	approval                  // is one for "use": "prefer"
	aux                       // makes a statement of a claim: "is", "must"
	gone                      // says of a thing that it is out of use: "deprecated"
	fine                      // says of a thing that it is allowed
)

var roles = rolesOf(map[role]string{
	stop: `a an the this that these those it its they them their there here we you your our i my us he she his her and or nor of also then just simply
generally directly explicitly immediately still usually even much more most very too such own each every all any both either some other another same
everywhere anywhere freely please be been being is are was were am do does did done will would shall should must may might can could have has had
having not no yes only always never again now already currently well as-is itself themselves whole together one ones thing everything something
anything nobody nothing when how what whatever out up down off away etc eg ie e.g i.e ever rather quite really fine okay ok possible need needed
first`,
	stop | joint:    `and but or then so nor`,
	scope:           `in for when whenever if during while on before after until once under within at where inside outside across between unless except upon throughout`,
	argument:        `to into onto from with via through by using as against over about per than instead toward towards`,
	reason:          `because since so which that who whose otherwise thus hence therefore although though due lest`,
	stop | negative: `never don't doesn't isn't aren't cannot can't mustn't shouldn't not no`,
	refusal:         `avoid stop refrain`,
	approval:        `prefer prefers favor favour`,
	stop | aux:      `is are was were must should shall will can cannot can't may has have does do isn't aren't doesn't don't needs mustn't shouldn't need`,
	gone:            `deprecated removed gone obsolete unsupported retired abandoned discontinued forbidden prohibited banned disallowed unnecessary needless archived legacy`,
	stop | fine:     `fine ok okay`,
	fine:            `allowed acceptable permitted welcome`,
})

func rolesOf(words map[role]string) map[string]role {
	out := map[string]role{}
	for r, list := range words {
		for w := range strings.FieldsSeq(list) {
			out[w] |= r
		}
	}
	return out
}

// A group is a set of things of which a project uses one at a time.
type group struct {
	name    string // as in "two package managers"
	members string
	about   string // the work that a member is for; who speaks of nothing else speaks of the member in general
	verbs   string // that take a member into use, where other verbs mean other things by its name; "" is any
}

// groups are the exclusive ones. A word that means other things as often (go,
// make, spring, rest) does not belong here.
var groups = []group{
	{"JavaScript package managers", "npm pnpm yarn bun", "package manager dependency install javascript node", ""},
	{"Python package managers", "pip uv poetry pipenv conda pdm", "package manager dependency install python", ""},
	{"kinds of indentation", "tab space", "indent indentation code file source", "use indent"},
	{"JavaScript test runners", "jest vitest mocha jasmine ava", "test runner framework unit javascript", ""},
	{"Python test runners", "pytest unittest nose", "test runner framework unit python", ""},
	{"browser drivers", "playwright cypress selenium puppeteer webdriver", "test e2e end-to-end browser", ""},
	{"ways of writing names", "camelcase snake_case snakecase pascalcase kebab-case kebabcase screaming_snake_case", "name naming case variable", ""},
	{"ways to bring a branch up to date", "rebase merge", "branch main master history conflict", ""},
	{"bundlers", "webpack vite rollup esbuild parcel webpack-dev-server turbopack", "bundle build server development", ""},
	{"JavaScript formatters", "prettier biome dprint", "format formatter code", ""},
	{"Python formatters", "black yapf autopep8", "format formatter code python", ""},
	{"Python linters", "flake8 ruff pylint", "lint linter code python", ""},
	{"container engines", "docker podman", "container image engine", ""},
	{"spellings of English", "british american", "spelling english name text", ""},
	{"code hosts", "github gitlab bitbucket", "repository ci", ""},
	{"multiplexers", "tmux screen zellij", "session process", ""},
	{"quotes", "single-quote double-quote", "string quote code", ""},
	{"module systems", "commonjs esm", "module import javascript", ""},
	{"libraries of dates", "moment dayjs date-fns luxon", "date time", ""},
	{"clients of HTTP", "axios fetch ky superagent", "request http", ""},
	{"databases", "postgres postgresql mysql sqlite mariadb mongodb elasticsearch", "database index store sql", ""},
	{"transports of git", "https ssh", "url remote git", ""},
	{"shells", "bash zsh fish powershell", "shell script", ""},
	{"build tools of Java", "maven gradle ant", "build java", ""},
	{"logging libraries", "zap zerolog logrus slog winston pino loguru", "log logging", ""},
	{"hook managers", "husky lefthook pre-commit prek", "hook git", ""},
}

// A member is a thing of a group, as it is written.
type member struct {
	group *group
	name  string
	about map[string]bool // stems of the group's work
}

// members finds a thing by its stem.
var members = func() map[string]member {
	out := map[string]member{}
	for i := range groups {
		for w := range strings.FieldsSeq(groups[i].members) {
			out[stem(w)] = member{&groups[i], w, stems(groups[i].about)}
		}
	}
	return out
}()

// verbClasses has between semicolons verbs that say the same of their object. The first
// names the class.
const verbClasses = `
use prefer choose pick adopt employ favor favour select rely standardize standardise call consult; store put save place record persist; create add
introduce write generate; delete remove erase purge; change edit modify alter touch update; run execute invoke launch; reply respond answer; verify
check validate confirm test; install; document describe; log print; wrap enclose; mention reference cite name; fetch download pull; require need;
assume presume guess; revert undo rollback; overwrite clobber replace; split separate divide; combine join unite; truncate shorten abbreviate; quote;
skip omit; duplicate copy repeat; wait; sleep; support`

// otherVerbs are each a class of their own.
const otherVerbs = `
accept access account activate address aim align allow always annotate append apply archive ask assert assign attach author avoid back batch be begin
block branch break bring build bump bundle cache calculate cap capture cast catch chain clean clear click clone close collect comment commit compare
compile complete compress compute condense configure connect consider contain continue convert cover cut debug declare decide declare default defer
define deliver demand deploy deprecate design detect diagnose disable discard discuss display distinguish do drop emit empty enable encode end enforce
ensure escalate escape establish examine exclude expand expect expose express extend extract fail fall file filter find finish fix follow force
force-add force-push format forbid give go grade group guard handle hard-code hardcode hide hold honor honour identify ignore implement import include
indent index inject inline insert inspect invent isolate keep leave let limit link lint list load lock look lower maintain manage mark match quantity
merge migrate mirror mock monitor mount move nest never normalize normalise note offer open optimize optimise order organize override own parse pass
patch pin plan poll post preserve prevent profile prohibit propose prototype provide publish push query raise read rebase rebuild record redact reduce
refactor refer refuse regenerate reindex reject release reload rename render reopen report reproduce request reread reset resolve restart restore
restrict restructure retain retry return reuse review rewrite rotate sanitize scan schedule scope search send serialize serve set share ship show sign
simplify sort spawn specify spell squash stage start stash stay stop stream strip structure submit suggest summarize summarise suppress surface
swallow switch sync tag take tell throw track transform translate treat trigger trim trust try turn type undo upgrade upload view visit warn watch
work yield delegate locate live lie fire happen own`

// verbs turns the stem of a verb into its class.
var verbs = func() map[string]string {
	out := map[string]string{}
	for w := range strings.FieldsSeq(otherVerbs) {
		out[stem(w)] = stem(w)
	}
	for line := range strings.SplitSeq(verbClasses, ";") {
		for _, w := range strings.Fields(line) {
			out[stem(w)] = stem(strings.Fields(line)[0])
		}
	}
	return out
}()

// opposites are pairs of words of which a text that says one denies the other.
var opposites = pairs(`
enable/disable include/exclude allow/forbid allow/block allow/prohibit show/hide accept/reject start/stop open/close
add/delete create/delete keep/delete keep/drop retain/delete preserve/delete split/combine split/merge separate/combine separate/join lock/unlock
wait/sleep reuse/duplicate reuse/rewrite inline/extract raise/lower increase/decrease expand/collapse
before/after first/last early/late short/long small/large single/multiple one/several one/many single/several public/private local/remote local/global
relative/absolute synchronous/asynchronous sync/async serial/parallel sequential/parallel strict/loose required/optional
mutable/immutable manual/automatic manually/automatically explicit/implicit verbose/terse verbose/concise silent/loud ascending/descending
uppercase/lowercase top/bottom left/right internal/external static/dynamic stateful/stateless tracked/untracked
together/separately together/apart always/never singular/plural eager/lazy named/default light/dark old/new`)

// near are classes of verbs: who is for the first opposes who is against the second.
var near = pairs(`keep/create keep/use keep/have have/use`)

// common are stems that so many lessons have that sharing one says nothing.
var common = stems(`file code change name make thing work project use user test add new function line step way part case time run value set type data text
task agent session command tool directory folder list name number output line text content path current regular`)

// vague are the verbs that say little of what is to be done; swapping those of
// "replace X with Y"; placing those that take a place: "store X in Y"; seeking those
// whose object stands behind "for".
var (
	vague    = stems("use be have create")
	swapping = stems("replace swap switch migrate move change")
	placing  = stems("store put save place record persist write keep log create add set be locate live lie file commit push publish deploy run")
	seeking  = stems("ask search look wait check watch call")
	anywhere = stems("project repository codebase everywhere")
)

// sameWords are other words for the first between two semicolons, and forms that [stem]
// cannot undo.
const sameWords = `
repository repo; directory dir folder; documentation doc docs; pr pull-request pullrequest; dependency dep package; configuration config; database db;
comment remark; main-branch trunk; javascript js; typescript ts; kubernetes k8s; postgres postgresql; e2e end-to-end; error exception; option flag
switch; massive huge big large; write wrote written writing writes; run ran running runs; keep kept; make made making makes; build built; put putting;
set setting; use used using uses; need needed needs; leave left leaving; find found; hold held; choose chose chosen; break broke broken; send sent;
give gave given; take took taken taking; throw threw thrown; forbid forbidden; do done doing; be being; begin began begun; commit committed
committing; poll polling; name naming; merge merging merged; rebase rebasing rebased; force-push force-pushing`

var sameWord = func() map[string]string {
	out := map[string]string{}
	for line := range strings.SplitSeq(sameWords, ";") {
		for _, w := range strings.Fields(line) {
			out[w] = strings.Fields(line)[0]
		}
	}
	return out
}()

// settings are stems beside which a number is a rule, and no part of an example.
var settings = stems(`timeout limit width length column maximum max minimum min coverage retry attempt port version interval delay threshold size depth level
indent indentation wrap most least exactly than cap budget age ttl concurrency worker quota rate short long character sentence`)

// counting are the stems of the numerals.
var counting = stems(`one two three four five six seven eight nine ten`)

var numerals = map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10"}

var bounds = map[string]string{
	"most": "most", "maximum": "most", "max": "most", "under": "most", "below": "most", "within": "most",
	"least": "least", "minimum": "least", "min": "least", "above": "least", "over": "least", "exactly": "exact",
}

// A measure is the dimension of a unit, and how much of the dimension's own unit
// it is: seconds, bytes, percent, or things.
type measure struct {
	dimension string
	factor    float64
}

// measures finds a measure by the name of its unit, in the singular or plural.
var measures = func() map[string]measure {
	out := map[string]measure{"%": {"share", 1}}
	for dimension, units := range map[string]string{
		"time":    "ms=0.001 msec=0.001 millisecond=0.001 s=1 sec=1 second=1 min=60 minute=60 h=3600 hr=3600 hour=3600 d=86400 day=86400 week=604800",
		"size":    "b=1 byte=1 kb=1024 kib=1024 mb=1048576 mib=1048576 gb=1073741824 gib=1073741824 tb=1099511627776",
		"share":   "percent=1",
		"columns": "column=1 col=1 character=1 char=1",
		"lines":   "line=1 loc=1",
		"spaces":  "space=1",
	} {
		for unit := range strings.FieldsSeq(units) {
			name, factor, _ := strings.Cut(unit, "=")
			m := measure{dimension: dimension}
			m.factor, _ = strconv.ParseFloat(factor, 64)
			out[name], out[name+"s"] = m, m
		}
	}
	return out
}()

func stems(table string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(table) {
		out[stem(w)] = true
	}
	return out
}

// pairs reads a table of a/b, and finds each by the other.
func pairs(table string) map[string][]string {
	out := map[string][]string{}
	for pair := range strings.FieldsSeq(table) {
		a, b, _ := strings.Cut(pair, "/")
		a, b = stem(a), stem(b)
		out[a], out[b] = append(out[a], b), append(out[b], a)
	}
	return out
}
