package wordfreq

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	db "learnings/lessons/state"
)

// This file keeps the words of a person's prompts in the state database: a text for all
// projects and one for each. A text is
//
//	learnings words 1 PROMPTS
//	word N            in how many prompts it is; the lines are sorted
//	~HASH N SESSION   the same of a word that only one session has
//
// A word that only one session has could be a name or a secret that nobody meant
// to be kept, so its hash stands in its place until a second session has it.

// Known is what is known of the words of a project.
type Known struct {
	all, own counts
	needs    needs
}

// Prompts is how many of the project's prompts are known.
func (k *Known) Prompts() int {
	if k == nil {
		return 0
	}
	return k.own.prompts
}

type counts struct {
	prompts int
	lines   string
}

const (
	head       = "learnings words 1 "
	allName    = "all"
	maxPrompts = 1 << 40
	mostOnce   = 50_000 // words of one session that are remembered
)

// Open reads what is known of a project's words in a state folder. What cannot be read is
// not known.
func Open(state, project string) *Known {
	var k Known
	_ = db.At(state).View(func(t db.Tx) error {
		k = Known{all: countsOf(t, allName), own: countsOf(t, nameOf(project)), needs: needsIn(t, project)}
		return nil
	})
	return &k
}

// nameOf is that of a project's text: names of projects are of any length.
func nameOf(project string) string { return "p" + hashOf(strings.ToLower(project)) }

func hashOf(s string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s)
	return strconv.FormatUint(h.Sum64(), 36)
}

// read gives a text by its name; "" for none.
func read(t db.Tx, name string) (text string) {
	_ = t.Each(func(r *db.Rows) error { return r.Scan(&text) }, "SELECT text FROM words WHERE name = ?", name)
	return text
}

func write(t db.Tx, name, text string) error {
	_, err := t.Exec("INSERT OR REPLACE INTO words (name, text) VALUES (?, ?)", name, text)
	return err
}

func countsOf(t db.Tx, name string) counts {
	first, lines, _ := strings.Cut(read(t, name), "\n")
	n, err := strconv.Atoi(strings.TrimPrefix(first, head))
	if err != nil || !strings.HasPrefix(first, head) || n < 0 || n > maxPrompts {
		return counts{}
	}
	return counts{n, lines}
}

// A Prompt is what a person typed, without secrets.
type Prompt struct {
	Session string
	Project string // "" for one that is not known
	Units   []Unit
}

// A Unit is a word of a prompt, or a name with the words that it is made of.
type Unit struct {
	Name  string
	Words []string
}

// words are the distinct words and names of a prompt.
func (p Prompt) words() []string {
	var out []string
	for _, u := range p.Units {
		out = append(append(out, u.Words...), u.Name)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(w string) bool { return w == "" || strings.ContainsAny(w, " \n~") })
}

// Learn adds prompts to what is known in a state folder. Each is to be learned once.
func Learn(state string, prompts []Prompt) error {
	if len(prompts) == 0 {
		return nil
	}
	by := map[string][]Prompt{allName: prompts}
	for _, p := range prompts {
		if p.Project != "" {
			by[nameOf(p.Project)] = append(by[nameOf(p.Project)], p)
		}
	}
	err := db.At(state).Update(func(t db.Tx) error {
		for name, ps := range by {
			c := parse(countsOf(t, name))
			for _, p := range ps {
				c.add(p)
			}
			if err := write(t, name, c.text()); err != nil {
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

// A tally is a text of counts as it is added to.
type tally struct {
	prompts int
	words   map[string]int
	once    map[string]seen // by the hash of the word
}

// seen is a word of one session.
type seen struct {
	n       int
	session string
}

func parse(c counts) *tally {
	t := &tally{prompts: c.prompts, words: map[string]int{}, once: map[string]seen{}}
	for line := range strings.Lines(c.lines) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		n, err := strconv.Atoi(f[1])
		switch hash, once := strings.CutPrefix(f[0], "~"); {
		case err != nil || n < 1:
		case once && len(f) == 3:
			t.once[hash] = seen{n, f[2]}
		case !once && len(f) == 2:
			t.words[f[0]] = n
		}
	}
	return t
}

func (t *tally) add(p Prompt) {
	t.prompts++
	session := hashOf(p.Session)
	for _, w := range p.words() {
		if t.words[w] > 0 {
			t.words[w]++
			continue
		}
		h := hashOf(w)
		switch s, ok := t.once[h]; {
		case ok && s.session != session:
			t.words[w] = s.n + 1
			delete(t.once, h)
		case ok || len(t.once) < mostOnce:
			t.once[h] = seen{s.n + 1, session}
		}
	}
}

func (t *tally) text() string {
	lines := make([]string, 0, len(t.words)+len(t.once))
	for word, n := range t.words {
		lines = append(lines, fmt.Sprintf("%s %d\n", word, n))
	}
	for h, s := range t.once {
		lines = append(lines, fmt.Sprintf("~%s %d %s\n", h, s.n, s.session))
	}
	slices.SortFunc(lines, func(a, b string) int {
		x, _, _ := strings.Cut(a, " ")
		y, _, _ := strings.Cut(b, " ")
		return strings.Compare(x, y)
	})
	return fmt.Sprintf("%s%d\n%s", head, t.prompts, strings.Join(lines, ""))
}
