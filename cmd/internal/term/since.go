package term

import (
	"strconv"
	"strings"
	"time"
)

// Since reads what people type for --since: a day, a time, or how long ago. An empty
// text is the zero time.
func Since(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		if count, ok := strings.CutSuffix(s, unit); ok {
			if n, err := strconv.Atoi(count); err == nil && n >= 0 && n < 100_000 {
				return now.AddDate(0, 0, -days*n), nil
			}
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, Hint(Usagef("--since: %q is neither a time nor how long ago", s), "2026-11-20, 2026-11-20T15:04, 36h, 7d and 2w are understood")
}
