package claims

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
)

// A repo is a real tree with what there is in it, by the words of people.
type repo struct {
	name  string
	dir   string
	tree  *Tree
	text  map[string]string // of code, by path
	words map[string]bool   // of code
	all   string            // all code
	there map[Kind][]string
	past  map[Kind][]string // what was there at an earlier commit
}

var facts = []struct {
	kind Kind
	file string
	re   *regexp.Regexp
}{
	{Symbol, ".go", regexp.MustCompile(`(?m)^func (?:\(\w+ \*?\w+(?:\[\w+\])?\) )?([A-Za-z]\w{4,})\(`)},
	{Symbol, ".go", regexp.MustCompile(`(?m)^type ([A-Za-z]\w{4,}) `)},
	{Symbol, ".py", regexp.MustCompile(`(?m)^\s*(?:def|class) ([A-Za-z]\w{4,})\b`)},
	{Symbol, ".js", regexp.MustCompile(`(?m)^\s*(?:async )?(?:function|class) ([A-Za-z]\w{4,})\b`)},
	{Flag, ".go", regexp.MustCompile(`\.(?:Bool|String|Int|Duration)(?:Var)?P?\((?:&[\w.]+, )?"([a-z][a-z-]{2,})"`)},
	{Flag, ".py", regexp.MustCompile(`add_argument\((?:"-\w", )?["']--([a-z][a-z-]{2,})["']`)},
	{Command, "Makefile", regexp.MustCompile(`(?m)^([a-z][a-z_-]+):(?:[^=]|$)`)},
	{Package, "go.mod", regexp.MustCompile(`(?m)^\s+([a-z]+\.[a-z]+/\S+) v`)},
}

// survey reads a tree without the code that is tested.
func survey(t *testing.T, name, dir string, files []string) *repo {
	r := &repo{name: name, dir: dir, text: map[string]string{}, there: map[Kind][]string{}, past: map[Kind][]string{}}
	found := map[Kind]map[string]bool{}
	add := func(k Kind, s string) {
		if found[k] == nil {
			found[k] = map[string]bool{}
		}
		found[k][s] = true
	}
	var all strings.Builder
	for _, f := range files {
		if isProse(f) || placeholder(f) || !wordly(f) || throwaway(f) || strings.Contains(f, "testdata") {
			continue
		}
		if hasExtension(f) && !homely(f) && strings.Contains(f, "/") {
			add(Path, f)
		}
		b, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil || len(b) > mostFile || !searchable(f) {
			continue
		}
		r.text[f] = string(b)
		all.Write(b)
		for _, fact := range facts {
			if strings.HasSuffix(f, fact.file) && !strings.HasSuffix(f, "_test.go") {
				for _, m := range fact.re.FindAllStringSubmatch(string(b), 60) {
					add(fact.kind, m[1])
				}
			}
		}
	}
	r.all, r.words = all.String(), map[string]bool{}
	for w := range strings.FieldsFuncSeq(r.all, func(c rune) bool { return c > 127 || !nameByte(byte(c)) }) {
		r.words[w] = true
	}
	for k, names := range found {
		r.there[k] = slices.Sorted(maps.Keys(names))
	}
	if r.tree = Open(dir, Options{}); r.tree == nil {
		t.Fatalf("%s: no tree", dir)
	}
	t.Cleanup(func() { r.tree.Close() })
	return r
}

func runGit(t testing.TB, dir string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

// modules copies some modules of the module cache into repositories.
func modules(t *testing.T) (out []*repo) {
	cache := strings.TrimSpace(output(t, "go", "env", "GOMODCACHE"))
	dirs, _ := filepath.Glob(filepath.Join(cache, "github.com", "*", "*@*"))
	more, _ := filepath.Glob(filepath.Join(cache, "charm.land", "*@*"))
	dirs = append(dirs, more...)
	for _, dir := range dirs {
		n := 0
		_ = fs.WalkDir(os.DirFS(dir), ".", func(string, fs.DirEntry, error) error { n++; return nil })
		if n < 20 || n > 1500 || len(out) >= 14 {
			continue
		}
		to := filepath.Join(t.TempDir(), "r")
		if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		runGit(t, to, "init", "-q")
		runGit(t, to, "add", "-A")
		out = append(out, survey(t, filepath.Base(dir), to, strings.Fields(runGit(t, to, "ls-files"))))
	}
	return out
}

func output(t *testing.T, name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// own is this repository, with what was in it some hundred commits ago.
func own(t *testing.T) *repo {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(root, ".git")); err != nil {
		return nil
	}
	r := survey(t, "learnings", root, strings.Fields(runGit(t, root, "ls-files")))
	commits := strings.Fields(runGit(t, root, "rev-list", "HEAD"))
	past := map[Kind]map[string]bool{Path: {}, Symbol: {}}
	for _, n := range []int{150, 300, 450, 600, 750} {
		if n >= len(commits) {
			break
		}
		for _, f := range strings.Fields(runGit(t, root, "ls-tree", "-r", "--name-only", commits[n])) {
			if hasExtension(f) && isSource(f) && wordly(f) && !placeholder(f) && !throwaway(f) && !strings.Contains(f, "testdata") && !strings.Contains(f, "docs/") && strings.Contains(f, "/") {
				past[Path][f] = true
			}
		}
		for line := range strings.Lines(runGit(t, root, "grep", "-hE", `^func (\(\w+ \*?\w+\) )?\w+\(`, commits[n], "--", "*.go")) {
			if m := facts[0].re.FindStringSubmatch(line); m != nil && humped(m[1]) {
				past[Symbol][m[1]] = true
			}
		}
	}
	for k, names := range past {
		for _, n := range slices.Sorted(maps.Keys(names)) {
			if !r.has(k, n) {
				r.past[k] = append(r.past[k], n)
			}
		}
	}
	return r
}

// has reports whether something is there, by a plain look.
func (r *repo) has(k Kind, name string) bool {
	if k == Path {
		for f := range r.text {
			if f == name || strings.HasSuffix(f, "/"+name) {
				return true
			}
		}
		_, err := os.Lstat(filepath.Join(r.dir, name))
		return err == nil
	}
	if k == Symbol {
		return r.words[name]
	}
	return strings.Contains(r.all, name)
}

// presupposing are sentences that take {x} for granted, as people write them.
var presupposing = map[Kind][]string{
	Path: {
		"The retry logic lives in `{x}`.", "Look at {x} before changing how errors are wrapped.", "Register every new handler in `{x}`.", "`{x}` is the only place that may read the clock.",
		"Never edit `{x}` by hand; it is checked by CI.", "When a release fails, check {x} first.", "Constants belong in `{x}`, one a line.", "Do not forget to update {x} when the format changes.",
		"Tests for this are next to {x}.", "Add new cases to the table in `{x}`.", "Keep `{x}` in step with the documentation.", "`{x}:42` holds the timeout.", "Follow the pattern of {x} for new readers.",
		"Put shared helpers into {x}, not into each package.", "{x} must stay free of imports from other modules.",
	},
	Symbol: {
		"Call `{x}` before anything is written.", "Wrap errors with `{x}()` so that callers can tell them apart.", "`{x}` is not safe for concurrent use.", "Use `{x}` for paths that come from users.",
		"The function {x} returns nil when nothing matched.", "Always go through `{x}`: it holds the lock.", "When a test is flaky, check that `{x}` was called.", "Prefer `{x}` over doing it by hand.",
		"`{x}` expects its input to be sorted.", "Do not merge changes of `{x}` without a benchmark.", "Every new kind needs a case in `{x}`.", "Never call `helper` twice: `{x}` does it already.",
		"Tests must reset state with `{x}`.", "Limits are enforced in `{x}`, so do not check them again.",
	},
	Command: {
		"Run `make {x}` before you push.", "Run make {x} after changing the schema.", "`make {x}` must pass before a review.", "Do not open a PR without running `make {x}`.", "After an update of the tools, `make {x} VERBOSE=1` shows what changed.",
		"The release is cut with `make {x}`.", "Use `make {x}` rather than calling the compiler yourself.", "CI runs `make {x}`; run it first.",
	},
	Flag: {
		"Pass `--{x}` to our command when debugging.", "The `--{x}` flag of our tool takes a number of seconds.", "Debug with `go run . --{x}`, since the default hides it.", "Use `--{x}` for long runs.", "Without `--verbose` nothing is shown; `--{x}` shows it all.",
	},
	Package: {
		"We depend on `{x}` for parsing.", "The library `{x}` is pinned: do not bump it.", "Logging goes through the `{x}` package.", "Import `{x}` for this, it is in go.mod already.", "Terminal output uses the `{x}` library.",
	},
}

// harmless are sentences that hold even if {x} is not there; {y} is.
var harmless = []string{
	"Create `{x}` when a new region is added.", "Never use `{x}`; `{y}` does it.", "`{x}` was removed: use `{y}`.", "Use `{y}` instead of `{x}`.", "Do not add `{x}` again.", "Use `{y}`, not `{x}`.",
	"`{x}` no longer exists, look at `{y}`.", "We replaced `{x}` with `{y}`.", "Prefer `{y}` over `{x}`.", "Do not introduce `{x}` or anything like it.", "Avoid `{x}`.", "`{y}` (formerly `{x}`) holds the timeout.",
	"Add a new `{x}` for each customer.", "Do not reintroduce `{x}`, because `{y}` covers it.", "Rather than `{x}`, call `{y}`.", "Renamed from `{x}` to `{y}`.", "`{x}` has been replaced by `{y}`.", "There is no `{x}` here.",
	"Name helpers after what they return, for example `{x}`.", "Never bring `{x}` back.", "`{x}` is deprecated and must not be used.", "Don't install `{x}`.", "Generate `{x}` on the fly and delete it afterwards.", "Move code out of `{y}` rather than into `{x}`.",
}

// Of what is planted in real repositories, at most one in a hundred that is gone is
// given, and one in a hundred that holds is withheld.
func TestPlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: reads whole repositories")
	}
	repos := modules(t)
	if r := own(t); r != nil {
		repos = append(repos, r)
	}
	if len(repos) < 3 {
		t.Skip("there are no repositories to plant claims in: the module cache is empty")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	count := map[string][2]int{}
	ask := func(r *repo, k Kind, sort, text string, stale bool) {
		missing := r.tree.Missing(lessons.Lesson{Wording: lessons.Wording{Content: text}})
		key := fmt.Sprintf("%-8s %s", k, sort)
		n := count[key]
		n[0]++
		if (len(missing) > 0) != stale {
			n[1]++
			t.Logf("%s: %s: %q: missing %v", r.name, sort, text, missing)
		}
		count[key] = n
	}
	for _, r := range repos {
		for k, templates := range presupposing {
			say := func(x string) string {
				return strings.ReplaceAll(templates[rnd.IntN(len(templates))], "{x}", x)
			}
			for range 14 {
				real, ok := r.pick(rnd, k)
				if !ok {
					break
				}
				ask(r, k, "true", say(real), false)
				fake := r.fake(rnd, k, real)
				ask(r, k, "stale", say(fake), true)
				ask(r, k, "harmless", strings.NewReplacer("{x}", written(k, fake), "{y}", written(k, real)).Replace(harmless[rnd.IntN(len(harmless))]), false)
			}
			for range min(60, len(r.past[k])) {
				ask(r, k, "past", say(r.past[k][rnd.IntN(len(r.past[k]))]), true)
			}
		}
	}
	var stale, given, fine, withheld int
	for _, key := range slices.Sorted(maps.Keys(count)) {
		n := count[key]
		t.Logf("%-20s %4d, wrong %d", key, n[0], n[1])
		if strings.HasSuffix(key, "stale") || strings.HasSuffix(key, "past") {
			stale, given = stale+n[0], given+n[1]
		} else {
			fine, withheld = fine+n[0], withheld+n[1]
		}
	}
	t.Logf("stale: %d, given %d (%.1f %%); true: %d, withheld %d (%.1f %%)", stale, given, 100*float64(given)/float64(stale), fine, withheld, 100*float64(withheld)/float64(fine))
	if stale < 500 || fine < 500 || given*100 > stale || withheld*100 > fine {
		t.Error("more than one in a hundred is wrong, or fewer than 500 were planted")
	}
}

// pick gives something that is there, as people would name it.
func (r *repo) pick(rnd *rand.Rand, k Kind) (string, bool) {
	all := r.there[k]
	if len(all) == 0 {
		return "", false
	}
	for range 50 {
		s := all[rnd.IntN(len(all))]
		switch k {
		case Path:
			switch rnd.IntN(4) {
			case 0:
				s = path.Base(s)
			case 1:
				if strings.Count(s, "/") > 1 {
					_, s, _ = strings.Cut(s, "/")
				}
			}
			if homely(s) || in(s, anywhere) || throwaway(s) || placeholder(s) {
				continue
			}
		case Symbol:
			if !humped(s) && !strings.Contains(s, "_") || external([]string{s}, false) || well(s) {
				continue
			}
		}
		return s, true
	}
	return "", false
}

var inserts = []string{"legacy", "remote", "batch", "shadow", "tenant", "quota", "ledger", "harbor", "orbit", "falcon"}

// fake makes something that is not there of something that is.
func (r *repo) fake(rnd *rand.Rand, k Kind, real string) string {
	for {
		word := inserts[rnd.IntN(len(inserts))]
		other := inserts[rnd.IntN(len(inserts))]
		var s string
		switch k {
		case Path:
			dir, base := path.Split(real)
			e := path.Ext(base)
			if s = dir + strings.TrimSuffix(base, e) + "_" + word + e; rnd.IntN(3) == 0 {
				s = dir + word + other + "/" + base
			}
			if !isSource(s) {
				s = strings.TrimSuffix(s, e) + ".go"
			}
		case Symbol:
			s = real + strings.ToUpper(word[:1]) + word[1:]
			if rnd.IntN(2) == 0 {
				s = word + strings.ToUpper(real[:1]) + real[1:]
			}
			if strings.Contains(real, "_") {
				s = word + "_" + real
			}
		case Command:
			s = real + "-" + word
		case Flag:
			s = real + "-" + word
		case Package:
			s = []string{"github.com/" + word + other + "/" + word, "go-" + word + "-" + other, word + "-" + other}[rnd.IntN(3)]
		}
		if !r.has(k, s) {
			return s
		}
	}
}

// written is how a name stands by itself between backquotes.
func written(k Kind, name string) string {
	switch k {
	case Command:
		return "make " + name
	case Flag:
		return "--" + name
	}
	return name
}
