// Package early keeps the collector still while the packages of a program are
// initialized: it would run three times, for 4 ms, to find that what they made stays.
// The import is all that this takes. It lasts until the program chooses for itself.
package early

import "runtime/debug"

func init() { debug.SetGCPercent(-1) }
