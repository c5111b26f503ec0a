package redact

import (
	_ "embed"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"learnings/lessons"
)

// This file finds which rules could match a text, and where. Most rules need a word, and most
// texts have none of them. So a text is read once for all words; an expression is compiled
// when its word is first seen, and run only near the word.

var (
	//go:embed gitleaks.txt
	gitleaksText string
	//go:embed keys.txt
	keysText string
	//go:embed own.txt
	ownText string
	//go:embed words.txt
	wordsText string
)

// wordLists are the words of words.txt by what they are, and what each word is.
var wordLists = sync.OnceValue(func() (lists struct{ words, kinds map[string][]string }) {
	lists.words, lists.kinds = map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(wordsText) {
		kind, words, _ := strings.Cut(line, "\t")
		for _, w := range strings.Fields(words) {
			lists.words[kind], lists.kinds[w] = append(lists.words[kind], w), append(lists.kinds[w], kind)
		}
	}
	return lists
})

// wordIs reports whether a word is of a kind of words.txt.
func wordIs(kind, word string) bool { return slices.Contains(wordLists().kinds[word], kind) }

// A rule is a pattern and the conditions for its matches.
type rule struct {
	name     string
	words    []string // in lower case; one of them is near every match
	wide     bool     // a match is a whole command, and may reach farther from its word
	far      bool     // a match may be of any length
	personal bool     // gives way to secrets
	entropy  float64  // the secret must have more bits a byte; 0 means no condition
	group    int      // of the pattern, to be removed; 0 means the first that matched
	ok       func(m match) bool
	may      func(low string) bool // reports false for a window in lower case where a slow re cannot match; nil is always true
	re       func() *regexp.Regexp
}

// A match is one match of a rule.
type match struct {
	value  string // to be removed
	groups []string
	before string // the text before value in its line
	after  string // the text after value in its line
}

// So many bytes before and behind a word a match is looked for, and from there on to
// the next blank.
const (
	nearBefore = 80
	nearBehind = 160
	wideBehind = 640
	nearBlank  = 8 << 10
	lineSeen   = 512 // of the line before and behind a match
)

const (
	// assigned is what joins a name and its value, and valueEnd what follows a value. The
	// first is gitleaks' own; the second adds the signs that end a sentence or a cell.
	assigned = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	valueEnd = `(?:[^\w+/=-]|$)`
)

// checks are the functions that judge matches, by their names in own.txt.
var checks = map[string]func(match) bool{
	"sure": sure, "unsure": unsure, "keyValue": keyValue, "passwordValue": passwordValue, "flagValue": flagValue, "cutToken": cutToken,
	"personalMail": personalMail, "personalName": personalName, "saidValue": saidValue, "besideValue": besideValue, "besideUser": besideUser,
	"wordValue":   wordValue,
	"phraseValue": phraseValue,
	"cookieValue": cookieValue,
	"urlValue":    func(m match) bool { return unsure(m) || uuidish().MatchString(m.value) },
	"sureDigits":  func(m match) bool { return sure(m) && hasDigit(m.value) },
	"groups": func(m match) bool {
		return sure(m) && hasDigit(m.value) && !strings.Contains(lowered(m.before), "fingerprint") &&
			!slices.ContainsFunc(strings.FieldsFunc(lowered(m.value), func(r rune) bool { return r == ' ' || r == '-' }), joinsOthers)
	},
	"mixed":         func(m match) bool { return saidMix(m.value) },
	"headerValue":   func(m match) bool { return secretValue(m.value, m.groups[1] != "") },
	"storePassword": func(m match) bool { return sure(m) && !portAndPath(m.value) && !sameAsUser(m) },
	"envValue":      envValue,
	"envValueAbout": func(m match) bool { return envValue(m) && !aboutPasswords(m.value) },
	"argument":      func(m match) bool { return sure(m) && !strings.HasPrefix(m.value, "-") },
	"userArgument": func(m match) bool {
		return envValue(m) && !strings.HasPrefix(m.value, "-") && !number().MatchString(m.value)
	},
	"hookPath": func(m match) bool {
		return hasDigit(m.value) && (!wordy(m.value) || uuidish().MatchString(m.value) || numberedHook().MatchString(m.value))
	},
}

func envValue(m match) bool { return sure(m) && !schemaWord(m.value) && !pathLike(m.value) }

// parts expands braces in the patterns of the tables.
var parts = strings.NewReplacer("{is}", assigned, "{end}", valueEnd, "{q}", quote, "{pass}", passNames, "{keys}", keyNames, "{home}", windowsHome,
	"{said}", passSaid, "{ofwhat}", ofWhat, "{is said}", isSaid, "{said words}", strings.Join(slices.Concat(saidStems, saidWhole), ","), "{open}", openQuote, "{value}", value)

// tableRules parses rules in text form; ok judges matches of rules that name no
// function.
func tableRules(text string, ok func(match) bool) (out []rule) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 4 {
			continue
		}
		r := rule{name: f[0], words: strings.Split(parts.Replace(f[2]), ","), ok: ok, re: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(parts.Replace(f[3])) })}
		for how := range strings.FieldsSeq(f[1]) {
			switch key, val, _ := strings.Cut(how, "="); key {
			case "is":
				r.ok = checks[val] // a test reads the tables
			case "group":
				r.group, _ = strconv.Atoi(val)
			case "wide":
				r.wide = true
			case "far":
				r.far = true
			case "personal":
				r.personal = true
			case "assigned":
				r.may = assigns(r.words...)
			case "holds":
				r.may = holds(strings.Split(val, ",")...)
			case "said":
				r.may = says(map[string]func() *regexp.Regexp{"is": isBehind, "value": valueBehind, "any": lessons.LazyRegexp("")}[val])
			default:
				r.entropy, _ = strconv.ParseFloat(key, 64)
			}
		}
		out = append(out, r)
	}
	return out
}

// rules are all rules, the surest first, and what finds their words.
var rules = sync.OnceValue(func() *ruleSet {
	all := slices.Concat(tableRules(gitleaksText, sure), tableRules(keysText, realKey), tableRules(ownText, nil))
	s := &ruleSet{all: all}
	for i, r := range all {
		for _, w := range r.words {
			s.add(w, i)
		}
	}
	return s
})

// A ruleSet indexes rules by the beginnings of their words.
type ruleSet struct {
	all   []rule
	words []word
	start [1 << startBits][]int32 // by a hash of three bytes: the words that may begin there
	short []int32                 // words shorter than three bytes
}

type word struct {
	text  string
	rules []int
}

const startBits = 13

func startOf(a, b, c byte) uint32 {
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 2654435761 >> (32 - startBits) // Knuth's multiplicative hash
}

func (s *ruleSet) add(text string, r int) {
	if i := slices.IndexFunc(s.words, func(w word) bool { return w.text == text }); i >= 0 {
		s.words[i].rules = append(s.words[i].rules, r)
		return
	}
	n := int32(len(s.words))
	s.words = append(s.words, word{text, []int{r}})
	if len(text) < 3 {
		s.short = append(s.short, n)
		return
	}
	h := startOf(text[0], text[1], text[2])
	s.start[h] = append(s.start[h], n)
}

// A window is a stretch of text to try a rule on.
type window struct{ rule, from, to int }

// windows returns where to try which rule, in the order of the rules.
func (s *ruleSet) windows(text string) []window {
	var out []window
	hit := func(w *word, at int) {
		for _, r := range w.rules {
			if n := len(out); n > 0 && out[n-1] == (window{r, at, at}) {
				continue
			}
			out = append(out, window{r, at, at + len(w.text)})
		}
	}
	low := lowered(text)
	for _, n := range s.short {
		w := &s.words[n]
		for at := range places(low, w.text) {
			hit(w, at)
		}
	}
	for i := 0; i+2 < len(low); i++ {
		for _, n := range s.start[startOf(low[i], low[i+1], low[i+2])] {
			if w := &s.words[n]; strings.HasPrefix(low[i:], w.text) {
				hit(w, i)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	slices.SortFunc(out, func(a, b window) int {
		if a.rule != b.rule {
			return a.rule - b.rule
		}
		return a.from - b.from
	})
	merged := out[:0]
	for _, w := range out {
		if n := len(merged); n > 0 && merged[n-1].rule == w.rule && w.to+wideBehind <= merged[n-1].to {
			continue // a hostile text can be full of words
		}
		switch r := &s.all[w.rule]; {
		case r.far:
			w.from, w.to = 0, len(text)
		case r.wide:
			w.from, w.to = widened(text, w.from-nearBefore, w.to+wideBehind)
		default:
			w.from, w.to = widened(text, w.from-nearBefore, w.to+nearBehind)
		}
		if n := len(merged); n > 0 && merged[n-1].rule == w.rule && w.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, w.to)
			continue
		}
		merged = append(merged, w)
	}
	return merged
}

// widened moves the ends of a stretch to blanks, so that no word is cut.
func widened(text string, from, to int) (int, int) {
	from, to = max(from, 0), min(to, len(text))
	for n := 0; from > 0 && n < nearBlank && !isBlank(text[from-1]); n++ {
		from--
	}
	for n := 0; to < len(text) && n < nearBlank && !isBlank(text[to]); n++ {
		to++
	}
	return from, to
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// places yields where a piece is in a text, without overlap.
func places(text, piece string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(piece) {
			i := strings.Index(text[at:], piece)
			if at += i; i < 0 || !yield(at) {
				return
			}
		}
	}
}

// lowered is text with its ASCII letters in lower case, and as long.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// groupOf returns the wanted group of a match, or for 0 the first that matched.
func groupOf(at []int, want int) int {
	if want > 0 {
		return want
	}
	for g := 1; 2*g < len(at); g++ {
		if at[2*g] >= 0 {
			return g
		}
	}
	return 0
}

// find returns what a rule removes from a window of text.
func (r *rule) find(text string, w window) (out []span) {
	in := text[w.from:w.to]
	if r.may != nil && !foldsToASCII(in) && !r.may(lowered(in)) {
		return nil
	}
	for _, at := range r.re().FindAllStringSubmatchIndex(in, -1) {
		g := groupOf(at, r.group)
		from, to := at[2*g], at[2*g+1]
		if from < 0 || from == to {
			continue
		}
		m := match{value: in[from:to], groups: make([]string, len(at)/2), before: in[max(from-lineSeen, 0):from], after: in[to:min(to+lineSeen, len(in))]}
		for i := range m.groups {
			if at[2*i] >= 0 {
				m.groups[i] = in[at[2*i]:at[2*i+1]]
			}
		}
		if i := strings.LastIndexByte(m.before, '\n'); i >= 0 {
			m.before = m.before[i+1:]
		}
		m.after, _, _ = strings.Cut(m.after, "\n")
		if r.entropy > 0 && entropy(m.value) <= r.entropy || r.ok != nil && !r.ok(m) {
			continue
		}
		out = append(out, span{w.from + from, w.from + to, r.name})
	}
	return out
}
