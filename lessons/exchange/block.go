package exchange

import "strings"

// What this program writes into a file that is somebody else's stands between two
// markers, on lines of their own. They are found by what they begin with, so that a
// later version may word them otherwise.
const (
	BlockBegin = "<!-- learnings:begin"
	BlockEnd   = "<!-- learnings:end -->"
)

// WithoutBlocks gives the text of a file without what stands between such markers, for
// who reads what others wrote in it. Line numbers stay: the lines left out become empty.
func WithoutBlocks(text string) string {
	if !strings.Contains(text, BlockBegin) {
		return text
	}
	var out, block strings.Builder // block: from a marker on, as it is
	within, n := false, 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if !within && !strings.HasPrefix(trimmed, BlockBegin) {
			out.WriteString(line)
			continue
		}
		within = true
		block.WriteString(line)
		if n++; trimmed == BlockEnd {
			out.WriteString(strings.Repeat("\n", n))
			block.Reset()
			within, n = false, 0
		}
	}
	return out.String() + block.String()
}
