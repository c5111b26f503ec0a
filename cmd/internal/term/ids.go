package term

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Limits on ids read from standard input.
const (
	maxIDLine = 1 << 20 // a line may be a whole lesson as JSON
	maxIDs    = 100_000
)

// ReadIDs reads ids from this program's output: an id on a line, tab-separated cells that
// begin with one, or a JSON object with one.
func ReadIDs(r io.Reader) ([]string, error) {
	var out []string
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxIDLine)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		id, _, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(line, "{") {
			var l struct{ ID string }
			if err := json.Unmarshal([]byte(line), &l); err != nil || l.ID == "" {
				return nil, Usagef("standard input, line %d: a JSON object without an id", n)
			}
			id = l.ID
		}
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		if out = append(out, id); len(out) > maxIDs {
			return nil, Usagef("more than %d ids on standard input", maxIDs)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("reading ids from standard input: %w", err)
	}
	return out, nil
}
