package process

import (
	"bytes"
	"encoding/binary"
	"strings"

	"golang.org/x/sys/unix"
)

// look asks the kernel through sysctl.
func look(pid int) (process, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, false
	}
	name, _, _ := bytes.Cut(info.Proc.P_comm[:], []byte{0})
	p := process{parent: int(info.Eproc.Ppid), names: []string{string(name)}}
	// The argument count, the program's path, zeros, the arguments.
	if raw, err := unix.SysctlRaw("kern.procargs2", pid); err == nil && len(raw) > 4 {
		n := int(binary.LittleEndian.Uint32(raw))
		program, rest, _ := strings.Cut(string(raw[4:]), "\x00")
		args := strings.Split(strings.TrimLeft(rest, "\x00"), "\x00")
		p.names = append(append(p.names, program), scripts(args[:max(min(n, len(args)), 0)])...)
	}
	return p, true
}
