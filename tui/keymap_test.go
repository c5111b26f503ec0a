package tui

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"learnings/tui/desk"
)

// Every key that is not fixed has a name, so that people's [keys] survive changes of the
// panes.
func TestEveryKeyHasAName(t *testing.T) {
	for s := range desk.Screens + 1 {
		for _, b := range bound(s) {
			for i, k := range b.Keys {
				if b.Action(i) == "" && !desk.Fixed(k) {
					t.Errorf("%q (%s) has no name: add it to its kit.Keyed", k, b.Desc)
				}
			}
		}
	}
}

func choices(pairs ...string) map[string]desk.KeyChoice {
	m := map[string]desk.KeyChoice{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = desk.KeyChoice{Keys: strings.Fields(pairs[i+1]), Place: fmt.Sprintf("config.toml:%d", i/2+1)}
	}
	return m
}

func TestKeysThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		name string
		keys map[string]desk.KeyChoice
		want []string // part of the message
	}{
		{"right", choices("approve", "ctrl+y", "reject", "ctrl+n f5", "undo", "U", "down", "n", "up", "ctrl+k", "next-hit", "ü", "pin", "ctrl+p", "palette", "ctrl+e"), nil},
		{"swapped", choices("approve", "x", "reject", "a"), nil},
		{"no action", choices("aprove", "A"), []string{"config.toml:1: keys.aprove is no action"}},
		{"no key", choices("approve", "bigkey"), []string{`keys.approve: "bigkey" is no key`}},
		{"empty", choices("approve", ""), []string{"keys.approve has no key"}},
		{"fixed", choices("approve", "enter", "reject", "7", "undo", "esc"), []string{`"enter" is fixed`, `"7" is fixed`, `"esc" is fixed`}},
		{"tab", choices("approve", "ctrl+i"), []string{"is tab to a terminal"}},
		{"large", choices("approve", "shift+a", "reject", "ctrl+X"), []string{"such as A", "write it small"}},
		{"taken", choices("approve", "x"), []string{`"x" is reject in Review; give that another key too`}},
		{"taken everywhere", choices("approve", "u"), []string{`"u" is undo in Review`}},
		{"twice", choices("approve", "F2", "approve", "f2", "reject", "f2"), []string{`config.toml:3: keys.reject: "f2" is given to approve too`}},
		{"a chain", choices("approve", "x", "reject", "enter"), []string{`"enter" is fixed`, `"x" is reject in Review`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, errs := desk.NewKeymap(c.keys, bound)
			if len(errs) != len(c.want) && c.name != "no action" {
				t.Errorf("%d are wrong: %v", len(errs), errs)
			}
			all := fmt.Sprint(errs)
			for _, w := range c.want {
				if !strings.Contains(all, w) {
					t.Errorf("%v lacks %q", errs, w)
				}
			}
		})
	}
}

// The person's keys work, the replaced ones do nothing, and footer, help and palette show
// them.
func TestKeysOfTheirOwn(t *testing.T) {
	p := at(t, 120, 44, proposals(), func(c *desk.Config) {
		c.Keys = choices("approve", "ctrl+y", "undo", "U", "mark", "insert", "palette", "f2", "help", "f5", "less-sure", "ctrl+o", "no-such", "x")
	})
	p.wait("Review 5", "config.toml:7: keys.no-such is no action", "esc", "ctrl+y approve")
	p.press("esc", "a").see("Review 5", "a does nothing here; f5 shows what does")
	p.press("ctrl+y").see("Review 4", "✓ approved")
	p.press("u").see("u does nothing here")
	p.press("U").see("Review 5", "✓ undone")
	p.press("ctrl+o").see("✓ confidence")
	p.press("insert", "space").see("● 2")
	p.press("esc", "f2").write("approve").see("ctrl+y", "approve in [keys]")
	p.press("esc", "f5").see("keys of Review", "ctrl+y    approve", "f5        keys")
	p.press("esc", "f2").press("esc", "/")
	p.write("aU?") // typed text is not translated
	p.wait("/ aU?")
	p.press("esc")
	p.quit()
}

// The pages list every action with its keys, and the fixed keys.
func TestKeyNamesLook(t *testing.T) {
	type row struct {
		name, keys, about string
		where             []string
	}
	var rows []row
	at := map[string]int{}
	for s := range desk.Screens + 1 {
		for _, b := range bound(s) {
			for i, name := range b.Actions {
				own := b.Keys[i : i+1]
				if i == len(b.Actions)-1 {
					own = b.Keys[i:]
				}
				r := row{name: name, keys: strings.Join(desk.ShownKeys(own), " "), about: b.Desc}
				j, known := at[r.name+r.keys+r.about]
				if !known {
					j = len(rows)
					at[r.name+r.keys+r.about] = j
					rows = append(rows, r)
				}
				if s < desk.Screens {
					rows[j].where = append(rows[j].where, s.String())
				}
			}
		}
	}
	var b strings.Builder
	b.WriteString("\nThe actions of the desk that [keys] may give other keys, which then replace their letters:\n\n")
	for _, r := range rows {
		if strings.ContainsAny(r.name, " _.") || r.name != strings.ToLower(r.name) {
			t.Errorf("%q is no name", r.name)
		}
		where := strings.Join(r.where, ", ")
		fmt.Fprintf(&b, "  %-17s %-12s %s\n      %s\n", r.name, r.keys, cmp.Or(where, "every screen"), r.about)
	}
	b.WriteString("\nenter, esc, space, tab, arrows, home, end, pgup, pgdown, digits, alt with a digit, f1, ctrl+c and\nctrl+z are fixed: they keep doing what they do, and no action can be given one. So are the keys of\ndialogs. A letter in capitals is written as such; the others as in ctrl+e, alt+x, f5, insert, delete.\n")
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile("desk/actions.txt", []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if b.String() != desk.KeysHelp {
		t.Errorf("desk/actions.txt is not what the keys are: go test -run TestKeyNamesLook ./tui -update")
	}
}
