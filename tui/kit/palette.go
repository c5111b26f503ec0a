package kit

import (
	"cmp"
	"slices"
	"strings"
)

// Everywhere is the group of keys that work on every screen.
const Everywhere = "every screen"

// Groups of the palette that are not groups of keys.
const (
	ScreensSection  = "screens"
	SettingsSection = "settings"
)

// PressMsg is the answer of a palette: handle it as a press of Key.
type PressMsg struct{ Key string }

// NewPalette returns a chooser of commands. Those that are off come last, with their
// reasons.
func NewPalette(all []Hint) Chooser {
	var options []Option
	for _, h := range all {
		o := Option{Name: h.Desc, Note: h.Key, Also: h.Group + " " + h.Name, Off: h.Off, About: h.About, Do: Out{Answer: h.Answer}}
		if h.Answer == nil {
			o.Do.Answer = PressMsg{Key: h.Press}
		}
		if o.About == "" && h.Key != "" {
			o.About = strings.ToUpper(h.Desc[:1]) + h.Desc[1:] + "."
		}
		if h.Name != "" {
			o.About += " To give it another key: " + strings.Join(strings.Fields(h.Name), ", ") + " in [keys]."
		}
		options = append(options, o)
	}
	slices.SortStableFunc(options, func(a, b Option) int { return cmp.Compare(min(len(a.Off), 1), min(len(b.Off), 1)) })
	d := NewChooser(": do", options)
	d.palette = true
	return d.sized(paletteH)
}

// paletteH is the largest number of visible commands.
const paletteH = 20
