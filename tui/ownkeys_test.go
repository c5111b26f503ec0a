package tui

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
)

// another gives every action a key that none has by itself.
func another() map[string]KeyChoice {
	letters := []rune("αβγδεζηθικλμνξοπρστυφχψωАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяΓΔΘΛΞΠΣΦΨΩßþðøæåłđħŋœäöüéèñç")
	all := map[string]KeyChoice{}
	for _, x := range actions {
		if _, ok := all[x.name]; !ok {
			all[x.name] = KeyChoice{Keys: []string{string(letters[len(all)])}}
		}
	}
	return all
}

// keyWord is a letter, or a letter with ctrl, that stands by itself.
var keyWord = regexp.MustCompile(`(?:^|[\s(·;“│])([b-zB-HJ-Z@:]|ctrl\+[drup])(?:$|[\s,;:)│])`)

// notKeys takes out what looks like a key: a sign, a column, a span of time.
var notKeys = strings.NewReplacer("z snoozed", "", " z 1", "", "R:E", "", "3 s", "", "999 B", "")

// approving is the letter that is also an article, as a key.
var approving = regexp.MustCompile(`(?:^|[^+\w])a (?:approves?|compares|makes|in Review|or|→)\b`)

// namesDefault finds a key of an action as it is by itself on a screen. Dialogs have fixed
// keys of their own.
func namesDefault(p *play) string {
	own := map[string]bool{}
	if p.a.dialog != nil {
		for _, h := range p.a.dialog.hints() {
			for _, k := range strings.Fields(h.key) {
				own[k] = true
			}
		}
	}
	switch d := p.a.dialog.(type) {
	case why:
		for _, b := range d.of {
			own[b.key] = true
		}
	case chooser, fieldChoice:
		return ""
	}
	text := p.text()
	if d, ok := p.a.dialog.(floating); ok { // the page beneath is cut anywhere
		w, h := p.a.floor()
		all := strings.Split(text, "\n")
		text = ansi.Strip(d.view(w, h, p.a.st)) + "\n" + strings.Join(all[len(all)-2:], "\n")
	}
	for line := range strings.Lines(notKeys.Replace(text)) {
		for _, m := range keyWord.FindAllStringSubmatch(strings.ReplaceAll(line, " ", "  "), -1) {
			if k := m[1]; !own[k] {
				return fmt.Sprintf("%q in %q", k, strings.TrimSpace(line))
			}
		}
		if m := approving.FindString(line); m != "" && !own["a"] {
			return fmt.Sprintf("%q in %q", m, strings.TrimSpace(line))
		}
	}
	return ""
}

// Who gives every action another key is told of those alone: by screens, dialogs, notes,
// tour, help and palette.
func TestOnlyTheKeysOfThePersonAreNamed(t *testing.T) {
	mine := another()
	start := func(w, h int, ls ...lessons.Lesson) *play {
		c := newCorpus(t, ls...)
		fx := fxWith(c, transcripts(), nil)
		fx.look = c
		m, errs := newKeymap(mine)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		fx.keys = m
		return playing(t, fx, w, h)
	}
	some := library()
	for _, l := range slices.Concat(worded(), judged(t), opposites()) {
		if !slices.ContainsFunc(some, func(o lessons.Lesson) bool { return o.ID == l.ID }) {
			some = append(some, l)
		}
	}
	for name, ls := range map[string][]lessons.Lesson{"some": some, "none": nil} {
		for _, size := range [][2]int{{120, 40}, {80, 24}, {200, 60}}[:1+min(len(ls), 2)] {
			for s := range screens {
				fresh := func() *play { return start(size[0], size[1], ls...).press(fmt.Sprintf("alt+%d", s+1)) }
				check := func(p *play, keys ...string) {
					t.Helper()
					if found := namesDefault(p); found != "" {
						t.Errorf("%s at %d×%d, %s after %q: %s", name, size[0], size[1], slots[s].name, keys, found)
					}
				}
				p := fresh()
				check(p)
				for _, b := range slices.Concat(boundOn(s), boundOn(screens)) {
					x := cmp.Or(actionOf(s, b.keys[0]), actionOf(screens, b.keys[0]))
					if x == nil || slices.Contains([]string{"quit", "sample"}, x.name) || size[0] != 120 && x.on == nil {
						continue
					}
					check(p.press(mine[x.name].Keys[0]), x.name)
					switch x.name {
					case "help":
						check(p.press("tab"), x.name, "tab")
					case "palette":
						for range min(80*len(ls), 80) {
							check(p.press("down"), x.name, "down")
						}
					}
					if p.a.dialog != nil || p.a.typing() || p.a.on != s || len(p.a.tally.signs(unseenStyle)) > 0 {
						p = fresh()
					}
				}
			}
			p := start(size[0], size[1], ls...)
			p.send(doneMsg{msg: nil})
			p.a, _ = toured(p.a)
			for range stops {
				p.a.panes = newPanes(p.a.fx) // its text alone
				if found := namesDefault(p); found != "" {
					t.Errorf("the tour at %d×%d: %s", size[0], size[1], found)
				}
				p.press("space")
			}
		}
	}
}
