package tui

import "charm.land/lipgloss/v2"

// A style is how the words of the screen look. No state is told by colour alone, but
// by a word or a sign too, and no background is set.
type style struct {
	dark   bool
	text   lipgloss.Style
	faint  lipgloss.Style
	strong lipgloss.Style // bold: also without colour
	accent lipgloss.Style // what has the focus
	good   lipgloss.Style
	warn   lipgloss.Style
	bad    lipgloss.Style
	frame  lipgloss.Style // lines around a pane
	lit    lipgloss.Style // lines around the pane with the focus
}

func newStyle(dark bool) style {
	ld := lipgloss.LightDark(dark)
	fg := func(light, dark string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(ld(lipgloss.Color(light), lipgloss.Color(dark)))
	}
	return style{
		dark:   dark,
		text:   lipgloss.NewStyle(),
		faint:  fg("#6e7781", "#7d8590"),
		strong: lipgloss.NewStyle().Bold(true),
		accent: fg("#0a58ca", "#7aa2f7").Bold(true),
		good:   fg("#1a7f37", "#8fc77f"),
		warn:   fg("#9a6700", "#e0af68"),
		bad:    fg("#b3261e", "#f07c82"),
		frame:  fg("#c4cad1", "#3d444d"),
		lit:    fg("#5b86c9", "#5673b0"),
	}
}
