package wordfreq

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"learnings/lessons/atomicfile"
)

// This file keeps the words of a person's prompts in a folder of the state: a file
// for all projects and one for each. A file is
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
	folder     = "words" // in the state
	head       = "learnings words 1 "
	allFile    = "all"
	maxFile    = 8 << 20 // bytes of a file that is read
	maxPrompts = 1 << 40
	mostOnce   = 50_000 // words of one session that are remembered
)

// Open reads what is known of a project's words in a folder of state. What cannot be
// read is not known.
func Open(state, project string) *Known {
	dir := filepath.Join(state, folder)
	return &Known{
		all: readCounts(filepath.Join(dir, allFile)), own: readCounts(filepath.Join(dir, fileOf(project))),
		needs: readNeeds(filepath.Join(dir, needsOf(project))),
	}
}

// fileOf is the name of a project's file: project names are not fit for one.
func fileOf(project string) string { return "p" + hashOf(strings.ToLower(project)) }

func hashOf(s string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, s)
	return strconv.FormatUint(h.Sum64(), 36)
}

// read gives the text of a file of ours; "" for what is none.
func read(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return ""
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(b)
}

func readCounts(name string) counts {
	first, lines, _ := strings.Cut(read(name), "\n")
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

// lockWait is how long one process waits for another that learns.
const lockWait = 2 * time.Second

// Learn adds prompts to what is known in a folder of state. Each is to be learned once.
func Learn(ctx context.Context, state string, prompts []Prompt) error {
	if len(prompts) == 0 {
		return nil
	}
	dir := filepath.Join(state, folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the folder of known words: %v", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil || !ok {
		return fmt.Errorf("waiting for the folder of known words: %v", cmp.Or(err, errors.New("it is locked")))
	}
	defer lock.Close()
	by := map[string][]Prompt{allFile: prompts}
	for _, p := range prompts {
		if p.Project != "" {
			by[fileOf(p.Project)] = append(by[fileOf(p.Project)], p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		t := parse(readCounts(filepath.Join(dir, name)))
		for _, p := range by[name] {
			t.add(p)
		}
		if err := atomicfile.Write(filepath.Join(dir, name), t.write); err != nil {
			return fmt.Errorf("writing known words: %v", err)
		}
	}
	return addSamples(dir, prompts)
}

// A tally is a file of counts as it is added to.
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

func (t *tally) write(w io.Writer) error {
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
	_, err := fmt.Fprintf(w, "%s%d\n%s", head, t.prompts, strings.Join(lines, ""))
	return err
}
