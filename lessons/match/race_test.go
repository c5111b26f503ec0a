//go:build race

package match

// RaceEnabled says whether the race detector is on, which makes some tests take
// ten times as long. Those that run in one goroutine do less then.
const RaceEnabled = true
