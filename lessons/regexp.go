package lessons

import (
	"regexp"
	"sync"
)

// LazyRegexp returns a function that compiles expr on its first call. A hook runs for a
// few milliseconds and would spend two of them on expressions that it never uses.
func LazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
