package term

import (
	"strconv"
	"strings"
	"time"
)

// Since parses the value of --since: a day, a time, or how long ago. "" is the zero time.
func Since(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if t, ok := moment(s, now, -1); ok {
		return t, nil
	}
	return time.Time{}, Hint(Usagef("--since: %q is neither a time nor how long ago", s), "2026-11-20, 2026-11-20T15:04, 36h, 7d and 2w are understood")
}

// Until parses an end: a day, a time, or how long from now.
func Until(s string, now time.Time) (time.Time, error) {
	if t, ok := moment(s, now, 1); ok && t.After(now) {
		return t, nil
	}
	return time.Time{}, Hint(Usagef("%q is neither a time to come nor how long", s), "45m, 2h, 3d, 1w, 2026-11-20 and \"2026-11-20 15:04\" are understood")
}

// moment parses a day, a time, or a duration before now, or after now if sign is 1.
func moment(s string, now time.Time, sign int) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, true
		}
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		if count, ok := strings.CutSuffix(s, unit); ok {
			if n, err := strconv.Atoi(count); err == nil && n >= 0 && n < 100_000 {
				return now.AddDate(0, 0, sign*days*n), true
			}
		}
	}
	d, err := time.ParseDuration(s)
	return now.Add(time.Duration(sign) * d), err == nil && d >= 0
}
