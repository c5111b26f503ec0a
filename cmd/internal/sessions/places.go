package sessions

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"learnings/extractor/transcript"
)

// Places says in words where sessions are looked for: when there are many places, those
// that exist. Paths are told as people know them, by short.
func Places(where transcript.Places, short func(path string) string) string {
	const few = 3
	there := where
	if len(where) > few {
		there = slices.DeleteFunc(slices.Clone(where), func(p transcript.Place) bool {
			_, err := os.Stat(p.Path)
			return err != nil
		})
	}
	var out []string
	for _, p := range there {
		out = append(out, short(p.Path))
	}
	if n := len(where) - len(there); n > 0 {
		out = append(out, fmt.Sprintf("%d places of agents that are not there (`learnings version --places` names them)", n))
	}
	return strings.Join(out, " and ")
}
