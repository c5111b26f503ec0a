package process

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A program that lasts works in short bursts, of which garbage and room for more are left
// over. While it rests they are given back.
const (
	restAfter  = 500 * time.Millisecond // without work
	atRest     = 256 << 10              // bytes allocated in that time are no work
	worthwhile = 4 << 20                // bytes allocated since the last rest
	leastRoom  = 44 << 20               // of memory, before garbage is collected more often than usual
	spareRoom  = 16 << 20               // beside half as much again as is in use
)

// resting gives back after each burst of work what it has left, and holds the room for
// garbage to what is in use, for as long as the program runs.
func resting() {
	read := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	var last, rested uint64
	for range time.Tick(restAfter) {
		metrics.Read(read)
		allocated, live := read[0].Value.Uint64(), read[1].Value.Uint64()
		debug.SetMemoryLimit(roomFor(live))
		if allocated-last < atRest && allocated-rested > worthwhile {
			debug.FreeOSMemory()
			unmapProgram()
			metrics.Read(read)
			allocated = read[0].Value.Uint64()
			rested = allocated
		}
		last = allocated
	}
}

// roomFor is how much memory may be held before garbage is collected more often, where so
// much is in use.
func roomFor(live uint64) int64 { return max(leastRoom, int64(live)*3/2+spareRoom) }
