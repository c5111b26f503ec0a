package recall

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"learnings/index"
	"learnings/lessons/state"
)

// This file says how usual a word is in what developers write, so that what two texts
// share can be told from chance. It knows technical English and what people say to coding
// agents in general (built in), and what the person of this machine has said, in all
// projects and in each. Words are stems, as [index.Words] gives them.
//
// The words of a person's prompts are kept in the state database, one text for all
// projects and one for each project:
//
//	learnings words 1 PROMPTS
//	word N            in how many prompts it is; the lines are sorted
//	~HASH N SESSION   the same of a word that only one session has
//
// A word that only one session has could be a name or a secret that nobody meant to be
// kept, so its hash stands in its place until a second session has it.

// usualWords is the length of text that chances refer to.
const usualWords = 40

//go:embed words.txt
var table string

const (
	// rareWord is the evidence of a word missing from the table, in tenths of a nat: the
	// table ends at one word in a million.
	rareWord   = 101
	mostChance = 0.9 // the most probable a word can be

	// The weight of the table relative to all of the person's prompts, and of these
	// relative to a project's, in prompts.
	tableCounts, allCounts = 100, 20

	wordsHead  = "learnings words 1 "
	allName    = "all"
	maxPrompts = 1 << 40
	mostOnce   = 50_000 // remembered words of a single session
)

// Known says how usual words are in what a person says. A nil Known only has the built-in
// table.
type Known struct {
	all, own counts
	nats     float64 // the threshold that [Calibrate] measured with of lessons; 0 if it has not
	of       int
}

// Prompts returns how many of the project's prompts are known.
func (k *Known) Prompts() int {
	if k == nil {
		return 0
	}
	return k.own.prompts
}

// chance returns the probability that a text of [usualWords] words has a word.
func (k *Known) chance(word string) float64 {
	tenths, ok := lookUp(table, word)
	if !ok {
		tenths = rareWord
	}
	p := min(mostChance, math.Exp(-float64(tenths)/10))
	if k == nil {
		return p
	}
	p = max(p, k.all.share(word, p, tableCounts))
	return min(mostChance, max(p, k.own.share(word, p, allCounts)))
}

// counts are a text of known words.
type counts struct {
	prompts int
	lines   string
}

// share returns the share of prompts with a word, with a prior of before and a weight in
// prompts.
func (c counts) share(word string, before, weight float64) float64 {
	n, _ := lookUp(c.lines, word)
	return (float64(n) + weight*before) / (float64(c.prompts) + weight)
}

// lookUp finds the number after a word in lines sorted by word.
func lookUp(lines, word string) (int, bool) {
	for len(lines) > 0 {
		mid := strings.LastIndexByte(lines[:len(lines)/2], '\n') + 1
		line, rest, _ := strings.Cut(lines[mid:], "\n")
		w, number, _ := strings.Cut(line, " ")
		switch {
		case w == word:
			n, err := strconv.Atoi(number)
			return n, err == nil
		case w < word:
			lines = rest
		default:
			lines = lines[:mid]
		}
	}
	return 0, false
}

// KnownOf returns what a state folder knows of a project's prompts. It ignores what it
// cannot read.
func KnownOf(folder, project string) *Known {
	var k Known
	_ = state.At(folder).View(func(t state.Tx) error {
		k = Known{all: countsOf(t, allName), own: countsOf(t, ofProject("p", project))}
		k.nats, k.of = needsIn(t, project)
		return nil
	})
	return &k
}

// ofProject names a text of a project by a hash, because the project's name may be of any
// length.
func ofProject(kind, project string) string { return kind + hashOf(strings.ToLower(project)) }

func hashOf(s string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s)
	return strconv.FormatUint(h.Sum64(), 36)
}

// readText returns the text with a name; "" for none.
func readText(t state.Tx, name string) (text string) {
	_ = t.Each(func(r *state.Rows) error { return r.Scan(&text) }, "SELECT text FROM words WHERE name = ?", name)
	return text
}

func writeText(t state.Tx, name, text string) error {
	_, err := t.Exec("INSERT OR REPLACE INTO words (name, text) VALUES (?, ?)", name, text)
	return err
}

func countsOf(t state.Tx, name string) counts {
	first, lines, _ := strings.Cut(readText(t, name), "\n")
	number, ok := strings.CutPrefix(first, wordsHead)
	n, err := strconv.Atoi(number)
	if err != nil || !ok || n < 0 || n > maxPrompts {
		return counts{}
	}
	return counts{n, lines}
}

// A heard prompt is what a person typed, without secrets.
type heard struct {
	session string
	project string // "" if unknown
	units   []index.Unit
}

// words returns the distinct words and names of a prompt.
func (p heard) words() []string {
	var out []string
	for _, u := range p.units {
		out = append(append(out, u.Words...), u.Name)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(w string) bool { return w == "" || strings.ContainsAny(w, " \n~") })
}

// learn adds prompts to a state folder. Call it once for each prompt.
func learn(folder string, prompts []heard) error {
	if len(prompts) == 0 {
		return nil
	}
	by := map[string][]heard{allName: prompts}
	for _, p := range prompts {
		if p.project != "" {
			name := ofProject("p", p.project)
			by[name] = append(by[name], p)
		}
	}
	err := state.At(folder).Update(func(t state.Tx) error {
		for name, ps := range by {
			if err := writeText(t, name, countsOf(t, name).with(ps)); err != nil {
				return err
			}
		}
		return addSamples(t, prompts)
	})
	if err != nil {
		return fmt.Errorf("writing known words: %w", err)
	}
	return nil
}

// with returns the counts with prompts added.
func (c counts) with(prompts []heard) string {
	type seen struct {
		n       int
		session string
	}
	words, once := map[string]int{}, map[string]seen{} // once by the hash of the word
	for line := range strings.Lines(c.lines) {
		f := append(strings.Fields(line), "", "", "")
		n, err := strconv.Atoi(f[1])
		switch hash, hashed := strings.CutPrefix(f[0], "~"); {
		case err != nil || n < 1:
		case hashed && f[2] != "":
			once[hash] = seen{n, f[2]}
		case !hashed && f[2] == "":
			words[f[0]] = n
		}
	}
	for _, p := range prompts {
		session := hashOf(p.session)
		for _, w := range p.words() {
			h := hashOf(w)
			s, again := once[h]
			switch {
			case words[w] > 0:
				words[w]++
			case again && s.session != session:
				words[w] = s.n + 1
				delete(once, h)
			case again || len(once) < mostOnce:
				once[h] = seen{s.n + 1, session}
			}
		}
	}
	lines := make([]string, 0, len(words)+len(once))
	for word, n := range words {
		lines = append(lines, fmt.Sprintf("%s %d\n", word, n))
	}
	for h, s := range once {
		lines = append(lines, fmt.Sprintf("~%s %d %s\n", h, s.n, s.session))
	}
	slices.SortFunc(lines, func(a, b string) int {
		x, _, _ := strings.Cut(a, " ")
		y, _, _ := strings.Cut(b, " ")
		return strings.Compare(x, y)
	})
	return fmt.Sprintf("%s%d\n%s", wordsHead, c.prompts+len(prompts), strings.Join(lines, ""))
}
