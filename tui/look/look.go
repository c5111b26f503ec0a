// Package look defines the appearance of the screens: thirteen colour roles in several
// themes, signs, bars, and the fitting of text.
//
// A role names the meaning of a text, such as its speaker, its quality or the focus. A
// word or a sign tells each state as well, so that the theme without colours loses
// nothing. Other packages never name a colour.
package look

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// An Ink is a text style. The zero Ink is the terminal's default.
type Ink struct{ set string } // parameters of an SGR sequence

// Render joins texts with spaces and styles them.
func (i Ink) Render(texts ...string) string {
	text := strings.Join(texts, " ")
	if i.set == "" || text == "" {
		return text
	}
	return "\x1b[" + i.set + "m" + text + "\x1b[m"
}

// Bold returns the ink in bold.
func (i Ink) Bold() Ink { return i.with("1") }

// Underline returns the ink underlined.
func (i Ink) Underline() Ink { return i.with("4") }

func (i Ink) with(set string) Ink {
	if i.set != "" {
		set = i.set + ";" + set
	}
	return Ink{set}
}

// A Style has an ink for each role.
type Style struct {
	Name string // of the theme

	Text   Ink // the terminal's own colour
	Strong Ink // bold: also without colour

	Accent Ink // focus, keys, the active tab, the cursor bar
	Dim    Ink // labels, what is secondary
	Rule   Ink // hairlines, the empty part of a bar, a page beneath a dialog
	OK     Ink // approved, 0.8 and more, helped
	Warn   Ink // flags, limits, reasons for "out"
	Bad    Ink // rejected, against, errors
	Person Ink // who spoke, evidence
	Agent  Ink // who spoke
	Tool   Ink // who spoke, alike, tags
	Code   Ink // commands, paths, names of a program
	Place  Ink // names of projects

	Added, Removed Ink // in a diff

	selection string // background of the row under the cursor; "" where bold must do
	dialog    string // background of a dialog

	link, code string // colours of a palette, for Markdown
}

// Marks puts signs around a text that no colour distinguishes.
func (s *Style) Marks(before, text, after string) string {
	if s.Name != None {
		return text
	}
	return before + text + after
}

// Select draws the background of the current row under a line.
func (s *Style) Select(line string) string { return ground(line, s.selection) }

// Dialog draws the background of a dialog under a line.
func (s *Style) Dialog(line string) string { return ground(line, s.dialog) }

// ground draws a background under a line, which may be styled.
func ground(line, set string) string {
	if set == "" || line == "" {
		return line
	}
	on := "\x1b[" + set + "m"
	return on + strings.NewReplacer("\x1b[m", "\x1b[m"+on, "\x1b[0m", "\x1b[m"+on).Replace(line) + "\x1b[m"
}

// Fade returns a line as it looks beneath a dialog, in the colour of hairlines.
func (s *Style) Fade(line string) string { return s.Rule.Render(ansi.Strip(line)) }

// The themes. Auto chooses Dark or Light by the terminal's background.
const (
	Auto     = "auto"
	Dark     = "dark"
	Light    = "light"
	Contrast = "contrast"
	None     = "none"     // no colour
	Terminal = "terminal" // the sixteen colours of the terminal
)

// Themes are the themes to choose from, the default first.
var Themes = []string{Auto, Dark, Light, Contrast, None, Terminal}

// Depth is how many colours a terminal has.
type Depth int

// The depths, the usual one first.
const (
	TrueColour Depth = iota
	Colours256
	Colours16
)

// New returns the style of a theme for a terminal. An unknown name means [Auto]. With
// sixteen colours every theme with colours is [Terminal].
func New(theme string, dark bool, depth Depth) *Style {
	shade := Light
	if dark {
		shade = Dark
	}
	switch {
	case theme == None:
		return palette{}.style(None)
	case theme == Terminal || depth == Colours16:
		return sixteen[shade].style(Terminal)
	case palettes[theme] == [2]palette{}:
		theme = shade
	}
	return palettes[theme][depth].style(theme)
}

// Ground returns whether the background of a terminal is light, and whether its variable
// COLORFGBG says so.
func Ground(getenv func(string) string) (light, known bool) {
	ground := getenv("COLORFGBG")
	ground = ground[strings.LastIndexByte(ground, ';')+1:]
	return ground == "7" || ground == "15", ground != ""
}

// A palette has a colour for each role: RRGGBB, or the number of one of 256. The first
// sixteen are the terminal's own. An empty one is the terminal's default.
type palette struct {
	accent, dim, rule, ok, warn, bad, person, agent, tool, code, place string

	selection, dialog, page string // backgrounds; page is the terminal's own and only used in tests
}

// palettes are chosen by hand for both depths: the nearest of 256 colours to a dark blue
// ground is navy, and to a grey letter violet.
var palettes = map[string][2]palette{
	Dark: {{accent: "8ab4f8", dim: "8b93a1", rule: "3d444f", ok: "8fce84", warn: "e6c15c", bad: "f2777a", person: "f3b27a",
		agent: "6fc7b4", tool: "b09be0", code: "b09be0", place: "e29cc4", selection: "232936", dialog: "1a1d24", page: "14161b"},
		{accent: "111", dim: "247", rule: "239", ok: "114", warn: "185", bad: "210", person: "215",
			agent: "79", tool: "141", code: "141", place: "175", selection: "236", dialog: "234", page: "233"}},
	Light: {{accent: "1f5bd0", dim: "646b76", rule: "c7ccd4", ok: "15702f", warn: "8a6100", bad: "b3261e", person: "a04800",
		agent: "0a6c60", tool: "6c43b8", code: "6c43b8", place: "a0266f", selection: "e6eefc", dialog: "f6f8fa", page: "ffffff"},
		{accent: "26", dim: "241", rule: "251", ok: "22", warn: "58", bad: "124", person: "94",
			agent: "23", tool: "55", code: "55", place: "125", selection: "254", dialog: "255", page: "231"}},
	Contrast: {{accent: "66d9ff", dim: "d0d0d0", rule: "9a9a9a", ok: "7dff7d", warn: "ffff66", bad: "ff9a9a", person: "ffcf6b",
		agent: "66fff0", tool: "dcb8ff", code: "dcb8ff", place: "ffb0e4", selection: "003a75", dialog: "000000", page: "000000"},
		{accent: "81", dim: "252", rule: "247", ok: "120", warn: "227", bad: "217", person: "221",
			agent: "123", tool: "183", code: "183", place: "218", selection: "18", dialog: "16", page: "16"}},
}

// sixteen are the terminal's own colours: the bright ones on a dark ground. There is no
// background, since nobody knows what is legible on it.
var sixteen = map[string]palette{
	Dark:  {accent: "14", rule: "8", ok: "10", warn: "3", bad: "9", person: "11", agent: "6", tool: "13", code: "13", place: "6"},
	Light: {accent: "4", rule: "7", ok: "2", warn: "3", bad: "1", person: "3", agent: "6", tool: "5", code: "5", place: "5"},
}

func (p palette) style(name string) *Style {
	faint := func(c string) Ink {
		if c == "" {
			return Ink{"2"}
		}
		return Ink{colour(3, c)}
	}
	fg := func(c string) Ink { return Ink{colour(3, c)} }
	return &Style{
		Name: name, Strong: Ink{"1"},
		Accent: fg(p.accent).Bold(), Dim: faint(p.dim), Rule: faint(p.rule), OK: fg(p.ok), Warn: fg(p.warn), Bad: fg(p.bad),
		Person: fg(p.person).Bold(), Agent: fg(p.agent), Tool: fg(p.tool), Code: fg(p.code), Place: fg(p.place),
		Added: fg(p.ok).Underline(), Removed: fg(p.bad).with("9"),
		selection: colour(4, p.selection), dialog: colour(4, p.dialog), link: p.accent, code: p.code,
	}
}

// colour returns a colour as parameters of an SGR sequence, for letters (3) or the ground
// (4).
func colour(of int, c string) string {
	if len(c) == 6 {
		var r, g, b int
		_, _ = fmt.Sscanf(c, "%02x%02x%02x", &r, &g, &b)
		return fmt.Sprintf("%d8;2;%d;%d;%d", of, r, g, b)
	}
	switch n, err := strconv.Atoi(c); {
	case err != nil:
		return ""
	case n < 8:
		return fmt.Sprint(of*10 + n)
	case n < 16:
		return fmt.Sprint(of*10 + 60 + n - 8)
	}
	return fmt.Sprintf("%d8;5;%s", of, c)
}
