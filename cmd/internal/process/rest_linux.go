package process

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// unmapProgram gives back the pages of the program itself that were read so far. Most were
// needed to start, or once; those that are needed again come back from the cache of the
// system. What was written to is left alone.
func unmapProgram() {
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer f.Close()
	var from, to uintptr
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if strings.HasSuffix(line, " "+exe) {
			from, to = readOnly(line)
			continue
		}
		name, size, _ := strings.Cut(line, ":")
		switch {
		case strings.Contains(name, "-"): // of another file
			from, to = 0, 0
		case name == "Anonymous" && strings.TrimSpace(size) == "0 kB" && to > from:
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
		}
	}
}

// readOnly is the place of a mapping, as a line of smaps has it, or nothing when it can be
// written to or is shared.
func readOnly(line string) (from, to uintptr) {
	place, rest, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(rest, "r-xp ") && !strings.HasPrefix(rest, "r--p ") {
		return 0, 0
	}
	begin, end, _ := strings.Cut(place, "-")
	a, err := strconv.ParseUint(begin, 16, 64)
	if err != nil {
		return 0, 0
	}
	b, err := strconv.ParseUint(end, 16, 64)
	if err != nil {
		return 0, 0
	}
	return uintptr(a), uintptr(b)
}
