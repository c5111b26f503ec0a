// Package look defines the appearance of the screens: eleven colour roles in several
// themes, signs, bars, and the fitting of text.
//
// A role names the meaning of a text, such as its speaker, its quality or the focus. A
// word or a sign tells each state as well, so that the theme without colours loses
// nothing. Other packages never name a colour.
package look

import (
	"fmt"
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

	Added, Removed Ink // in a diff

	selection string // background of the row under the cursor; "" where bold must do
	dialog    string // background of a dialog
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

// New returns the style of a theme. An unknown name means [Auto].
func New(theme string, dark bool) *Style {
	switch theme {
	case Dark, Light, Contrast:
		return palettes[theme].style(theme)
	case None:
		return plain()
	case Terminal:
		return sixteen()
	}
	if dark {
		return palettes[Dark].style(Dark)
	}
	return palettes[Light].style(Light)
}

// A palette has the colours of the roles as RRGGBB.
type palette struct {
	accent, dim, rule, ok, warn, bad, person, agent, tool string

	selection, dialog, page string // backgrounds; page is the terminal's own and only used in tests
}

var palettes = map[string]palette{
	Dark: {accent: "8ab4f8", dim: "8b93a1", rule: "3d444f", ok: "8fce84", warn: "e6c15c", bad: "f2777a",
		person: "f3b27a", agent: "6fc7b4", tool: "b09be0", selection: "232936", dialog: "1a1d24", page: "14161b"},
	Light: {accent: "1f5bd0", dim: "646b76", rule: "c7ccd4", ok: "15702f", warn: "8a6100", bad: "b3261e",
		person: "a04800", agent: "0a6c60", tool: "6c43b8", selection: "e6eefc", dialog: "f6f8fa", page: "ffffff"},
	Contrast: {accent: "66d9ff", dim: "d0d0d0", rule: "9a9a9a", ok: "7dff7d", warn: "ffff66", bad: "ff9a9a",
		person: "ffcf6b", agent: "66fff0", tool: "dcb8ff", selection: "003a75", dialog: "000000", page: "000000"},
}

func (p palette) style(name string) *Style {
	fg := func(hex string) Ink { return Ink{"38;2;" + rgb(hex)} }
	return &Style{
		Name: name, Strong: Ink{"1"},
		Accent: fg(p.accent).Bold(), Dim: fg(p.dim), Rule: fg(p.rule), OK: fg(p.ok), Warn: fg(p.warn), Bad: fg(p.bad),
		Person: fg(p.person).Bold(), Agent: fg(p.agent), Tool: fg(p.tool),
		Added: fg(p.ok).Underline(), Removed: fg(p.bad).with("9"),
		selection: "48;2;" + rgb(p.selection), dialog: "48;2;" + rgb(p.dialog),
	}
}

// rgb returns a colour as parameters of an SGR sequence.
func rgb(hex string) string {
	var r, g, b int
	_, _ = fmt.Sscanf(hex, "%02x%02x%02x", &r, &g, &b)
	return fmt.Sprintf("%d;%d;%d", r, g, b)
}

// plain returns the style without colours.
func plain() *Style {
	faint, bold := Ink{"2"}, Ink{"1"}
	return &Style{
		Name: None, Strong: bold, Accent: bold, Dim: faint, Rule: faint, Person: bold,
		Added: Ink{"4"}, Removed: Ink{"9"},
	}
}

// sixteen returns the style in the terminal's own colours. It sets no background, since
// it cannot know what is legible on it.
func sixteen() *Style {
	return &Style{
		Name: Terminal, Strong: Ink{"1"}, Accent: Ink{"34;1"}, Dim: Ink{"2"}, Rule: Ink{"90"}, OK: Ink{"32"}, Warn: Ink{"33"}, Bad: Ink{"31"},
		Person: Ink{"33;1"}, Agent: Ink{"36"}, Tool: Ink{"35"}, Added: Ink{"32;4"}, Removed: Ink{"31;9"},
	}
}
