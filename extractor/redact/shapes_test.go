package redact

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The shapes of secrets, one a line. What stands between « and » is the secret; it
// is made when the test runs, so that nothing here is taken for a real one. In it
// {kind:n} are n random signs: x and X of a hexadecimal number, d digits, a small
// and A capital letters and digits, l small and L any letters, w letters and digits,
// b base64, and {word}, {pass} and {strong} stand for what people choose. \n is a
// new line.

//go:embed testdata/shapes.txt
var shapesText string

// heldOut are shapes that the rules were not fitted to.
//
//go:embed testdata/heldout.txt
var heldOutText string

// roleText are secrets that are told by their place alone: arguments of programs that
// log in, parts of calls, words of sentences about access.
//
//go:embed testdata/roles.txt
var roleText string

// harmlessText are sentences of others, one a line: descriptions of commands from
// NL2Bash and rules from gptme's lessons, both under the MIT licence.
//
//go:embed testdata/harmless.txt
var harmlessText string

// trickyText are sentences that speak of secrets, or look like them, and hold none.
//
//go:embed testdata/tricky.txt
var trickyText string

// A shape is a text with places for secrets.
type shape struct {
	line  string
	parts []string // text and secret in turn
}

func shapesOf(t testing.TB, text string) []shape {
	t.Helper()
	var out []shape
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		parts := strings.FieldsFunc(strings.ReplaceAll(line, `\n`, "\n"), func(r rune) bool { return r == '«' || r == '»' })
		if strings.HasPrefix(line, "«") {
			parts = append([]string{""}, parts...)
		}
		if len(parts) < 2 {
			t.Fatalf("a shape without a secret: %s", line)
		}
		out = append(out, shape{line, parts})
	}
	return out
}

var signs = map[string]string{
	"x": "0123456789abcdef", "X": "0123456789ABCDEF", "d": "0123456789", "a": "abcdefghijklmnopqrstuvwxyz0123456789", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"l": "abcdefghijklmnopqrstuvwxyz", "L": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"w": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "b": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
}

// chosen are passwords as people make them: of words, of a word and digits, and with
// other signs.
var chosen = map[string][]string{
	"word":   {"sword" + "fish", "correct" + "horse", "open" + "sesame", "butter" + "cup", "liver" + "pool", "trust" + "noone"},
	"pass":   {"sun" + "shine99", "hunter" + "2hunter2", "dragon" + "1987", "Winter" + "2024", "s3cr3t" + "pw", "Tr0ub4" + "dor3"},
	"strong": {"P@ss" + "w0rd!", "Tr0ub4" + "dor&3", "c0rrect-h0rse" + "-battery", "x9#K" + "m2$vQ", "Blue!Sky" + "_77", "n0t.so." + "secret9"},
}

var spec = regexp.MustCompile(`\{(\w+)(?::(\d+))?\}`)

// filled gives the text of a shape with secrets, and the secrets.
func (s shape) filled(r *rand.Rand) (text string, secrets []string) {
	for i, p := range s.parts {
		if i%2 == 1 {
			p = spec.ReplaceAllStringFunc(p, func(m string) string {
				f := spec.FindStringSubmatch(m)
				if all := chosen[f[1]]; all != nil {
					return all[r.IntN(len(all))]
				}
				n, _ := strconv.Atoi(f[2])
				var b strings.Builder
				for range n {
					b.WriteByte(signs[f[1]][r.IntN(len(signs[f[1]]))])
				}
				return b.String()
			})
			secrets = append(secrets, p)
		}
		text += p
	}
	return text, secrets
}

// surroundings are where a transcript has such a text.
var surroundings = []func(string) string{
	func(s string) string { return s },
	func(s string) string { return "No, that is wrong. " + s + ", and then run the tests" },
	func(s string) string { return "We have this in the notes: " + s + ". Do not commit it." },
	func(s string) string { return "`" + s + "`" },
	func(s string) string { return "It says \"" + s + "\" on the page" },
	func(s string) string { return "(" + s + ")" },
	func(s string) string { return "first line\n" + s + "\nlast line" },
	func(s string) string { return "+ " + strings.ReplaceAll(s, "\n", "\n+ ") + "\n- nothing" },
	func(s string) string { return "- item\n- " + s + "\n- item" },
	func(s string) string { return "```\n" + s + "\n```" },
	func(s string) string { j, _ := json.Marshal(map[string]string{"output": s}); return string(j) },
	func(s string) string {
		j, _ := json.Marshal("$ cat x\n" + s + "\n$ ")
		k, _ := json.Marshal(string(j))
		return string(k)
	},
	func(s string) string { return "| name | " + s + " | yes |" },
	func(s string) string { return "    12\t" + s },
	func(s string) string { return s + "!" },
	func(s string) string { return "why does it fail with " + s + "?" },
}

// survivors gives the texts in which a secret survives, of all that were tried.
func survivors(t *testing.T, r *Redactor, shapes []shape) (left []string, tried int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2)) // the same secrets in each run
	for _, s := range shapes {
		missed := 0
		var first string
		for _, around := range surroundings {
			text, secrets := s.filled(random)
			in := around(text)
			out := r.Redact(in)
			tried++
			for _, secret := range secrets {
				if survives(out, secret) {
					if missed++; first == "" {
						first = fmt.Sprintf("%q became %q", in, out)
					}
					break
				}
			}
		}
		for range missed {
			left = append(left, fmt.Sprintf("%s\n\t%d of %d: %s", s.line, missed, len(surroundings), first))
		}
	}
	return left, tried
}

// survives reports that a secret, or more than a third of it, is still in a text.
func survives(out, secret string) bool {
	n := max(len(secret)/3, min(len(secret), 8))
	for i := 0; i+n <= len(secret); i++ {
		if strings.Contains(out, secret[i:i+n]) {
			return true
		}
	}
	return false
}

// TestShapes holds redaction to what it promises: of all shapes of secrets, in all
// surroundings, at most one in a hundred survives.
func TestShapes(t *testing.T) {
	shapes := shapesOf(t, shapesText)
	if len(shapes) < 250 || len(surroundings) < 10 {
		t.Errorf("only %d shapes in %d surroundings are tried", len(shapes), len(surroundings))
	}
	report(t, "shapes", shapes, 1)
}

// TestHeldOutShapes does the same with shapes that the rules were not fitted to.
func TestHeldOutShapes(t *testing.T) { report(t, "shapes held out", shapesOf(t, heldOutText), 8) }

// TestRoles does the same where nothing but the place of a word tells.
func TestRoles(t *testing.T) { report(t, "places of secrets", shapesOf(t, roleText), 5) }

// TestOutsideSecrets asks for the open half of a set that an attacker made against an
// earlier version: shapes, and sentences that must stay as they are.
func TestOutsideSecrets(t *testing.T) {
	dir := "../../../shared/outside/secrets/"
	text, err := os.ReadFile(dir + "shapes.txt")
	if err != nil {
		t.Skipf("the set is not here: %v", err)
	}
	report(t, "shapes of an attacker", shapesOf(t, string(text)), 5)
	if text, err = os.ReadFile(dir + "harmless.txt"); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if out := redactor(t).Redact(line); out != line {
			t.Errorf("a harmless sentence changes\n\tfrom %s\tto   %s", line, out)
		}
	}
}

// report fails the test when more than a share of the texts, in percent, survives.
func report(t *testing.T, what string, shapes []shape, most float64) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out with -short, which the race detector runs with: about results")
	}
	left, tried := survivors(t, redactor(t), shapes)
	share := 100 * float64(len(left)) / float64(tried)
	t.Logf("%d %s, %d texts: %d survive (%.2f %%)", len(shapes), what, tried, len(left), share)
	if share > most {
		t.Errorf("more than %g %% survive", most)
	}
	last := ""
	for _, l := range left {
		if l != last && testing.Verbose() {
			t.Log(l)
		}
		last = l
	}
}

// TestHarmlessSentences: of a hundred texts without a secret, at most two change.
func TestHarmlessSentences(t *testing.T) {
	r := redactor(t)
	for what, text := range map[string]string{"sentences of others": harmlessText, "sentences about secrets": trickyText} {
		n, changed := 0, 0
		for line := range strings.Lines(text) {
			in := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n")
			n++
			if out := r.Redact(in); out != in {
				changed++
				t.Logf("changed\n\tfrom %s\n\tto   %s", in, out)
			}
		}
		t.Logf("%d %s: %d change", n, what, changed)
		if n < 100 || changed*50 > n {
			t.Errorf("%d of %d %s change", changed, n, what)
		}
	}
}
