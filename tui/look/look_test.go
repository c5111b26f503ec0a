package look

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// cube returns a colour of a palette as red, green and blue. The sixteen are those of
// xterm.
func cube(t *testing.T, c string) (rgb [3]int) {
	t.Helper()
	xterm := strings.Fields("000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff")
	if n, err := strconv.Atoi(c); err == nil && len(c) < 6 {
		switch level := func(n int) int { return []int{0, 95, 135, 175, 215, 255}[n%6] }; {
		case n < 16:
			c = xterm[n]
		case n < 232:
			return [3]int{level((n - 16) / 36), level((n - 16) / 6), level(n - 16)}
		default:
			return [3]int{8 + (n-232)*10, 8 + (n-232)*10, 8 + (n-232)*10}
		}
	}
	if n, err := fmt.Sscanf(c, "%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); n != 3 {
		t.Fatalf("%q is no colour: %v", c, err)
	}
	return rgb
}

// luminance returns the brightness of a colour as defined by WCAG 2.
func luminance(c [3]int) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(c[i]) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func contrast(a, b [3]int) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Every role is legible on each background it may have, in true colour, in 256 colours and
// in the sixteen of xterm on black. Hairlines are exempt, and so are the sixteen on white,
// where green has 2:1 and no better one exists: signs and words say the same.
func TestContrast(t *testing.T) {
	all := map[string]palette{"16 dark": sixteen[Dark]}
	for theme, ps := range palettes {
		all[theme], all[theme+" 256"] = ps[0], ps[1]
	}
	for name, p := range all {
		for role, ink := range map[string]string{"accent": p.accent, "dim": p.dim, "ok": p.ok, "warn": p.warn, "bad": p.bad, "person": p.person, "agent": p.agent, "tool": p.tool, "code": p.code, "place": p.place} {
			for where, on := range map[string]string{"the page": cmp.Or(p.page, "0"), "the selection": p.selection, "a dialog": p.dialog} {
				if ink == "" || on == "" {
					continue // the terminal's own
				}
				if got := contrast(cube(t, ink), cube(t, on)); got < 4.5 {
					t.Errorf("%s: %s on %s has %.2f:1, want 4.5:1", name, role, where, got)
				}
			}
		}
		if p.selection != "" && contrast(cube(t, p.selection), cube(t, p.page)) < 1.1 {
			t.Errorf("%s: the selection cannot be told from the page", name)
		}
	}
}

// No ground in 256 colours has a hue that the theme does not have: a dark grey-blue must not
// become navy. The contrast theme is dark blue by choice.
func TestGroundsKeepTheirHue(t *testing.T) {
	for _, theme := range []string{Dark, Light} {
		for _, on := range []string{palettes[theme][1].selection, palettes[theme][1].dialog} {
			if c := cube(t, on); slices.Max(c[:])-slices.Min(c[:]) > 24 {
				t.Errorf("%s: the ground %s is %v", theme, on, c)
			}
		}
	}
}

// A terminal with 256 colours gets none in true colour, and one with sixteen only its own.
func TestDepths(t *testing.T) {
	for _, theme := range Themes {
		for depth, not := range map[Depth]string{Colours256: "8;2;", Colours16: "8;"} {
			s := New(theme, true, depth)
			for _, ink := range []Ink{s.Accent, s.Dim, s.Rule, s.OK, s.Warn, s.Bad, s.Person, s.Agent, s.Tool, s.Code, s.Place, s.Added, s.Removed} {
				if got := s.Select(s.Dialog(ink.Render("x"))); strings.Contains(got, not) {
					t.Errorf("%s with depth %d: %q", theme, depth, got)
				}
			}
		}
	}
}

func TestThemes(t *testing.T) {
	for _, name := range Themes {
		s := New(name, false, TrueColour)
		if name == Auto {
			name = Light
		}
		if s.Name != name {
			t.Errorf("theme %q gives %q", name, s.Name)
		}
	}
	if got := New("sepia", true, TrueColour).Name; got != Dark {
		t.Errorf("an unknown theme on a dark terminal gives %q", got)
	}
	none := New(None, true, TrueColour)
	for _, ink := range []Ink{none.Accent, none.Dim, none.Rule, none.OK, none.Warn, none.Bad, none.Person, none.Agent, none.Tool, none.Code, none.Place, none.Added, none.Removed} {
		if strings.Contains(ink.Render("x"), "38;") {
			t.Errorf("no colour has one: %q", ink.Render("x"))
		}
	}
	if got := none.Select("x"); got != "x" {
		t.Errorf("the selection without colour is %q", got)
	}
}

// A background covers a whole line, including its styles.
func TestGround(t *testing.T) {
	s := New(Dark, true, TrueColour)
	got := s.Select("a" + s.OK.Render("b") + "c")
	if n := strings.Count(got, "48;2;"); n != 2 || !strings.HasSuffix(got, "c\x1b[m") {
		t.Errorf("got %q", got)
	}
}

func TestBar(t *testing.T) {
	s := New(None, true, TrueColour)
	for share, want := range map[float64]string{0: "────", 1: "━━━━", 0.86: "━━━╸", 0.5: "━━──", 2: "━━━━", -1: "────", math.NaN(): "────"} {
		if got := ansi.Strip(s.Bar(share, 4, s.OK)); got != want {
			t.Errorf("a bar of %v is %q, want %q", share, got, want)
		}
	}
}

// An ASCII substitute is as wide as its sign.
func TestASCIIIsAsWide(t *testing.T) {
	signs := strings.Join(append([]string{Cursor, Approved, Rejected, Merged, Alike, Against, Flagged, Marked, Pinned, Again, Asleep, Archived, Edited, Said, "━╸─│┬┴╭╮╰╯▸▾…·×“”▁▂▃▄▅▆▇█░▒▓■▲▼≡−"}, Spinner...), "")
	got := ASCII(signs)
	if a, b := ansi.StringWidth(signs), ansi.StringWidth(got); a != b {
		t.Errorf("%d cells become %d: %q", a, b, got)
	}
	for _, r := range got {
		if r > 126 {
			t.Errorf("%q stays", r)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{strings.Join(Lines("For every test in redact use literal expectations", 18, 2), "|"), "For every test in|redact use…"},
		{strings.Join(Lines("short", 18, 2), "|"), "short"},
		{Sentence("日本語の学習メモ", 7), "日本語…"},
		{Sentence("unbreakablewordhere", 8), "unbreak…"},
		{Tag("error-fix"), "err"}, {Tag("security"), "secu"}, {Tag("日本語"), "日本"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	for w := range 12 {
		for _, text := range []string{"a bc def ghij klmno", "日本語 の 学習メモ", "/a/b/c/d.go"} {
			for _, l := range append(Lines(text, w, 2), Sentence(text, w)) {
				if ansi.StringWidth(l) > w {
					t.Errorf("%q is wider than %d", l, w)
				}
			}
		}
	}
}

// Right-to-left text ends at the end of its column.
func TestDirect(t *testing.T) {
	for line, want := range map[string]string{
		"plain │ text": "plain │ text",
		" שלום עולם │ עוד טקסט  2×":  " שלום עולם" + mark + " │ עוד טקסט" + mark + "  2×",
		"▎\x1b[1mשלום\x1b[m, make ▌": "▎\x1b[1mשלום\x1b[m, make ▌",
		"مرحبًا   0.86":              "مرحبًا" + mark + "   0.86",
		"日本語  │":                     "日本語  │",
	} {
		if got := Direct(line); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
		if ansi.StringWidth(Direct(line)) != ansi.StringWidth(line) || ansi.StringWidthWc(Direct(line)) != ansi.StringWidthWc(line) {
			t.Errorf("%q is wider", line)
		}
	}
}

// A cut error keeps its beginning and the cause at its end.
func TestFault(t *testing.T) {
	for _, test := range []struct {
		text string
		w    int
		want string
	}{
		{"not approved: no space left on device", 60, "not approved: no space left on device"},
		{"k7m2p9qx was not approved: writing octofs/developer/k7m2p9qx.md: no space left on device", 70, "k7m2p9qx was not approved: writing… no space left on device"},
		{"its text is stored, but it contradicts “Use npm”, which is active: c settles it, as it does all others", 60, "its text is stored, but it contradicts “Use npm”, which is…"},
		{"the edited text is no lesson: your text is kept: /home/sam/drafts/k7m2p9qx.md", 60, "the edited text is no lesson: your text is kept:…"},
	} {
		if got := Fault(test.text, test.w); got != test.want || ansi.StringWidth(got) > test.w {
			t.Errorf("%q\nwant %q", got, test.want)
		}
	}
}

// A sentence whose next word is an address shows the beginning of the address.
func TestLinesBeforeALongWord(t *testing.T) {
	for text, want := range map[string]string{
		"in https://github.com/vercel-labs/agent-eval also cloned": "in https://github.com/vercel-…",
		"create orphan dogfood branch in agentv-private":           "create orphan dogfood branch…",
		"read packages/docs/a/theme.md, then the rest":             "read packages/docs/a/theme.md…",
	} {
		if got := Sentence(text, 30); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
