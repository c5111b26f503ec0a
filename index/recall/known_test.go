package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons/state"
)

// The table is sorted, so that every word of it is found.
func TestTable(t *testing.T) {
	all := slices.Collect(strings.Lines(table))
	if len(all) < 20_000 {
		t.Fatalf("%d words", len(all))
	}
	before := ""
	for _, line := range all {
		word, number, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if n, ok := lookUp(table, word); word <= before || !ok || fmt.Sprint(n) != number {
			t.Errorf("%q behind %q: %d, %v", line, before, n, ok)
		}
		before = word
	}
}

// The rarer a word, the less likely; what the table lacks is rarest.
func TestChance(t *testing.T) {
	var k *Known
	order := []string{"file", "config", "mutex", "round_half_even"}
	for i, word := range order {
		if p := k.chance(word); p <= 0 || p > mostChance || i > 0 && p >= k.chance(order[i-1]) {
			t.Errorf("%s has %g", word, p)
		}
	}
	if k.chance("round_half_even") > 1e-4 {
		t.Errorf("a name has %g", k.chance("round_half_even"))
	}
}

func units(words ...string) (out []index.Unit) {
	for _, w := range words {
		out = append(out, index.Unit{Words: []string{w}})
	}
	return out
}

func teach(t *testing.T, folder string, prompts ...heard) {
	t.Helper()
	if err := learn(folder, prompts); err != nil {
		t.Fatal(err)
	}
}

// What the person says often is usual, most so in the project in which it is said.
func TestLearned(t *testing.T) {
	folder := t.TempDir()
	for i := range 30 {
		p := heard{session: fmt.Sprint(i / 2), project: "Shop", units: units("ledger", "round_half_even")}
		if i >= 10 {
			p = heard{session: fmt.Sprint(i / 2), project: "api", units: units("token")}
		}
		teach(t, folder, p)
	}
	shop, api := KnownOf(folder, "shop"), KnownOf(folder, "api")
	if shop.Prompts() != 10 || api.Prompts() != 20 || KnownOf(folder, "none").Prompts() != 0 || (*Known)(nil).Prompts() != 0 {
		t.Errorf("%d and %d prompts are known", shop.Prompts(), api.Prompts())
	}
	here, there, before := shop.chance("round_half_even"), api.chance("round_half_even"), (*Known)(nil).chance("round_half_even")
	if here < 0.3 || here <= there || there <= before {
		t.Errorf("where it is said %g, elsewhere %g, built in %g", here, there, before)
	}
	if p := shop.chance("file"); p < (*Known)(nil).chance("file") {
		t.Errorf("a usual word becomes rarer: %g", p)
	}
	teach(t, folder)
}

// A word of one session stands nowhere, but its hash; of the second one it does.
func TestOnceIsHashed(t *testing.T) {
	folder := t.TempDir()
	secret := heard{session: "a1b2c3", project: "shop", units: units("hunter2secret")}
	teach(t, folder, secret, secret)
	rows := 0
	err := state.At(folder).Each(func(r *state.Rows) error {
		var name, text string
		err := r.Scan(&name, &text)
		if rows++; strings.Contains(name+text, "hunter2") || strings.Contains(text, secret.session) || strings.Contains(name, "shop") {
			t.Errorf("%s tells: %q", name, text)
		}
		return err
	}, "SELECT name, text FROM words")
	if err != nil || rows < 2 {
		t.Fatalf("%d texts, %v", rows, err)
	}
	once := KnownOf(folder, "shop").chance("hunter2secret")
	secret.session = "another"
	teach(t, folder, secret)
	k := KnownOf(folder, "shop")
	if n, ok := lookUp(k.own.lines, "hunter2secret"); !ok || n != 3 || strings.Contains(k.own.lines, "~") {
		t.Errorf("after the second session: %q", k.own.lines)
	}
	if k.chance("hunter2secret") <= once {
		t.Error("a word that came again is no more usual")
	}
}

// keep puts a text into the state.
func keep(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := state.At(folder).Update(func(tx state.Tx) error { return writeText(tx, name, text) }); err != nil {
		t.Fatal(err)
	}
}

// What cannot be read is not known, and is replaced.
func TestBrokenText(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "other": "something else\n", "newer": "learnings words 2 5\nx 3\n", "negative": wordsHead + "-4\nx 3\n", "no number": wordsHead + "x\nx 3\n",
	} {
		folder := t.TempDir()
		keep(t, folder, ofProject("p", "shop"), text)
		if k := KnownOf(folder, "shop"); k.Prompts() != 0 || k.chance("xx") != (*Known)(nil).chance("xx") {
			t.Errorf("%s: %d prompts are known", name, k.Prompts())
		}
		teach(t, folder, heard{session: "a", project: "shop", units: units("xx")})
		if k := KnownOf(folder, "shop"); k.Prompts() != 1 {
			t.Errorf("%s: then %d prompts", name, k.Prompts())
		}
	}
}

// Whatever a text has, chances are chances, and what is written of it is read again.
func FuzzText(f *testing.F) {
	f.Add(wordsHead+"3\n~abc 1 s\nledger 2\ntoken 3\n", "ledger")
	f.Add(wordsHead+"99999999999999999999\nx 1\n", "x")
	f.Add(wordsHead+"1\nx -5\nx 9223372036854775807\n\n  \nx", "x")
	f.Add(wordsHead+"0", "")
	f.Add(wordsHead+"9223372036854775807\nx 2", "x")
	f.Fuzz(func(t *testing.T, text, word string) {
		folder := t.TempDir()
		keep(t, folder, ofProject("p", "shop"), text)
		k := KnownOf(folder, "shop")
		if p := k.chance(word); !(p > 0 && p <= mostChance) {
			t.Errorf("%q has %g", word, p)
		}
		before := k.Prompts()
		teach(t, folder, heard{session: "s", project: "shop", units: units(word, "ledger")})
		k = KnownOf(folder, "shop")
		if p := k.chance(word); k.Prompts() != before+1 || !(p > 0 && p <= mostChance) {
			t.Errorf("then %d prompts, %q has %g", k.Prompts(), word, p)
		}
		if lines := slices.Collect(strings.Lines(k.own.lines)); !slices.IsSortedFunc(lines, func(a, b string) int {
			x, _, _ := strings.Cut(a, " ")
			y, _, _ := strings.Cut(b, " ")
			return strings.Compare(x, y)
		}) {
			t.Errorf("not sorted: %q", lines)
		}
	})
}
