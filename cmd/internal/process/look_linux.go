package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// look reads /proc.
func look(pid int) (process, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	// 4711 (name) S 4710 …; the name may contain any character.
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	rest := strings.Fields(string(stat[end+1:]))
	if len(rest) < 2 {
		return process{}, false
	}
	parent, err := strconv.Atoi(rest[1])
	if err != nil {
		return process{}, false
	}
	p := process{parent: parent, names: []string{string(stat[open+1 : end])}}
	if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil {
		p.names = append(p.names, strings.TrimSuffix(exe, " (deleted)"))
	}
	if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil {
		p.names = append(p.names, scripts(strings.Split(string(line), "\x00"))...)
	}
	return p, true
}
