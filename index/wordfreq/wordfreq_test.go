package wordfreq

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	db "learnings/lessons/state"
)

// The table is sorted, so that every word of it is found.
func TestTable(t *testing.T) {
	all := slices.Collect(strings.Lines(words))
	if len(all) < 20_000 {
		t.Fatalf("%d words", len(all))
	}
	before := ""
	for _, line := range all {
		word, number, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if n, ok := lookUp(words, word); word <= before || !ok || fmt.Sprint(n) != number {
			t.Errorf("%q behind %q: %d, %v", line, before, n, ok)
		}
		before = word
	}
}

// The rarer a word, the less likely; what the table lacks is rarest.
func TestChance(t *testing.T) {
	order := []string{"file", "config", "mutex", "round_half_even"}
	for i, word := range order {
		p := Chance(word)
		if p <= 0 || p > most || i > 0 && p >= Chance(order[i-1]) {
			t.Errorf("%s has %g", word, p)
		}
		if (*Known)(nil).Chance(word) != p {
			t.Errorf("%s has another chance where nothing is known", word)
		}
	}
	if Chance("round_half_even") > 1e-4 {
		t.Errorf("a name has %g", Chance("round_half_even"))
	}
}

func units(words ...string) (out []Unit) {
	for _, w := range words {
		out = append(out, Unit{Words: []string{w}})
	}
	return out
}

func learn(t *testing.T, state string, prompts ...Prompt) {
	t.Helper()
	if err := Learn(state, prompts); err != nil {
		t.Fatal(err)
	}
}

// What the person says often is usual, most so in the project in which it is said.
func TestLearn(t *testing.T) {
	state := t.TempDir()
	for i := range 30 {
		p := Prompt{Session: fmt.Sprint(i / 2), Project: "Shop", Units: units("ledger", "round_half_even")}
		if i >= 10 {
			p = Prompt{Session: fmt.Sprint(i / 2), Project: "api", Units: units("token")}
		}
		learn(t, state, p)
	}
	shop, api := Open(state, "shop"), Open(state, "api")
	if shop.Prompts() != 10 || api.Prompts() != 20 || Open(state, "none").Prompts() != 0 || (*Known)(nil).Prompts() != 0 {
		t.Errorf("%d and %d prompts are known", shop.Prompts(), api.Prompts())
	}
	here, there, before := shop.Chance("round_half_even"), api.Chance("round_half_even"), Chance("round_half_even")
	if here < 0.3 || here <= there || there <= before {
		t.Errorf("where it is said %g, elsewhere %g, built in %g", here, there, before)
	}
	if p := shop.Chance("file"); p < Chance("file") {
		t.Errorf("a usual word becomes rarer: %g", p)
	}
	learn(t, state)
}

// A word of one session stands nowhere, but its hash; of the second one it does.
func TestOnceIsHashed(t *testing.T) {
	state := t.TempDir()
	secret := Prompt{Session: "a1b2c3", Project: "shop", Units: units("hunter2secret")}
	learn(t, state, secret, secret)
	rows := 0
	err := db.At(state).Each(func(r *db.Rows) error {
		var name, text string
		err := r.Scan(&name, &text)
		if rows++; strings.Contains(name+text, "hunter2") || strings.Contains(text, secret.Session) || strings.Contains(name, "shop") {
			t.Errorf("%s tells: %q", name, text)
		}
		return err
	}, "SELECT name, text FROM words")
	if err != nil || rows < 2 {
		t.Fatalf("%d texts, %v", rows, err)
	}
	once := Open(state, "shop").Chance("hunter2secret")
	secret.Session = "another"
	learn(t, state, secret)
	k := Open(state, "shop")
	if n, ok := lookUp(k.own.lines, "hunter2secret"); !ok || n != 3 || strings.Contains(k.own.lines, "~") {
		t.Errorf("after the second session: %q", k.own.lines)
	}
	if k.Chance("hunter2secret") <= once {
		t.Error("a word that came again is no more usual")
	}
}

// keep puts a text into the state.
func keep(t *testing.T, state, name, text string) {
	t.Helper()
	if err := db.At(state).Update(func(tx db.Tx) error { return write(tx, name, text) }); err != nil {
		t.Fatal(err)
	}
}

// What cannot be read is not known, and is replaced.
func TestBrokenText(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "other": "something else\n", "newer": "learnings words 2 5\nx 3\n", "negative": head + "-4\nx 3\n", "no number": head + "x\nx 3\n",
	} {
		state := t.TempDir()
		keep(t, state, nameOf("shop"), text)
		if k := Open(state, "shop"); k.Prompts() != 0 || k.Chance("xx") != (*Known)(nil).Chance("xx") {
			t.Errorf("%s: %d prompts are known", name, k.Prompts())
		}
		learn(t, state, Prompt{Session: "a", Project: "shop", Units: units("xx")})
		if k := Open(state, "shop"); k.Prompts() != 1 {
			t.Errorf("%s: then %d prompts", name, k.Prompts())
		}
	}
}

// Whatever a text has, chances are chances, and what is written of it is read again.
func FuzzText(f *testing.F) {
	f.Add(head+"3\n~abc 1 s\nledger 2\ntoken 3\n", "ledger")
	f.Add(head+"99999999999999999999\nx 1\n", "x")
	f.Add(head+"1\nx -5\nx 9223372036854775807\n\n  \nx", "x")
	f.Add(head+"0", "")
	f.Add(head+"9223372036854775807\nx 2", "x")
	f.Fuzz(func(t *testing.T, text, word string) {
		state := t.TempDir()
		keep(t, state, nameOf("shop"), text)
		k := Open(state, "shop")
		if p := k.Chance(word); !(p > 0 && p <= most) {
			t.Errorf("%q has %g", word, p)
		}
		before := k.Prompts()
		learn(t, state, Prompt{Session: "s", Project: "shop", Units: units(word, "ledger")})
		k = Open(state, "shop")
		if p := k.Chance(word); k.Prompts() != before+1 || !(p > 0 && p <= most) {
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
