package look

import (
	"fmt"
	"strconv"
)

// HeatLevels is how many levels there are above none.
const HeatLevels = 4

// heatSigns are the levels where colours do not tell them.
var heatSigns = [HeatLevels + 1]string{"·", "░", "▒", "▓", "█"}

// Heat is one cell of a map of how much was done when: level 0 for nothing, up to
// [HeatLevels].
func (s *Style) Heat(level int) string {
	level = max(0, min(level, HeatLevels))
	if level == 0 {
		return s.Rule.Render(heatSigns[0])
	}
	p, ok := palettes[s.Name]
	if !ok || s.Name == Contrast {
		return s.OK.Render(heatSigns[level])
	}
	return Ink{"38;2;" + rgb(blend(p.page, p.ok, 0.25+0.75*float64(level)/HeatLevels))}.Render("■")
}

// blend is a colour between two.
func blend(from, to string, share float64) string {
	var a, b [3]float64
	for i := range a {
		a[i], b[i] = channel(from, i), channel(to, i)
		a[i] += (b[i] - a[i]) * share
	}
	return fmt.Sprintf("%02x%02x%02x", int(a[0]+.5), int(a[1]+.5), int(a[2]+.5))
}

// channel is red, green or blue of a colour.
func channel(hex string, i int) float64 {
	n, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
	return float64(n)
}
