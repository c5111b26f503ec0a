package process

import (
	"os"
	"strings"
	"testing"
)

// What was given back of the program comes again when it is needed, and what was written to
// stays.
func TestUnmapProgram(t *testing.T) {
	written := strings.Repeat("x", 1<<16)
	before := resident(t)
	unmapProgram()
	if after := resident(t); after >= before {
		t.Errorf("%d kB of the program are resident, %d before", after, before)
	}
	if strings.Count(written, "x") != 1<<16 || sparedRoom != roomFor(0) {
		t.Error("memory that was written to has changed")
	}
}

// sparedRoom is written to when the program starts.
var sparedRoom = roomFor(0)

func TestReadOnly(t *testing.T) {
	for line, want := range map[string]uintptr{
		"00400000-01ab7000 r-xp 00000000 fe:00 11 /bin/learnings": 0x400000,
		"01ab7000-0339d000 r--p 016b7000 fe:00 11 /bin/learnings": 0x1ab7000,
		"0339d000-0352d000 rw-p 02f9d000 fe:00 11 /bin/learnings": 0,
		"0339d000-0352d000 r--s 02f9d000 fe:00 11 /bin/learnings": 0,
		"x-y r-xp 00000000 fe:00 11 /bin/learnings":               0,
		"": 0,
	} {
		if from, to := readOnly(line); from != want || (want == 0) != (to == 0) {
			t.Errorf("%s: %x-%x", line, from, to)
		}
	}
}

// A program with more in use has more room.
func TestRoomFor(t *testing.T) {
	if roomFor(0) != leastRoom || roomFor(1<<30) < 3<<29 {
		t.Errorf("%d, %d", roomFor(0), roomFor(1<<30))
	}
}

// resident is how much of the file of this program is in memory, in kB.
func resident(t *testing.T) (kb int) {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skipf("the system does not say what is resident: %v", err)
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "RssFile:"); ok {
			for _, c := range rest {
				if c >= '0' && c <= '9' {
					kb = 10*kb + int(c-'0')
				}
			}
		}
	}
	return kb
}
