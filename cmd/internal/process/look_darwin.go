package process

import (
	"bytes"
	"encoding/binary"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// orphansKeepParents is whether a process may name a parent that has ended.
const orphansKeepParents = false

func honest(int) bool { return true }

// look asks the kernel through sysctl. Programs go by their names here: a person who
// installs one owns its file.
func look(pid int) (process, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, false
	}
	name, _, _ := bytes.Cut(info.Proc.P_comm[:], []byte{0})
	p := process{parent: int(info.Eproc.Ppid), names: []string{string(name)}, file: string(name), sure: true}
	// The argument count, the program's path, zeros, the arguments.
	if raw, err := unix.SysctlRaw("kern.procargs2", pid); err == nil && len(raw) > 4 {
		n := int(binary.LittleEndian.Uint32(raw))
		program, rest, _ := strings.Cut(string(raw[4:]), "\x00")
		args := strings.Split(strings.TrimLeft(rest, "\x00"), "\x00")
		p.file = program
		p.names = append(append(p.names, program), scripts(args[:max(min(n, len(args)), 0)])...)
	}
	p.server = path.Base(p.file) == "tmux" || path.Base(p.file) == "screen"
	return p, true
}

// attached returns a process of the same program that has a terminal, or 0. The system
// does not tell to which server it is attached.
func attached(server int) int {
	all, _ := unix.SysctlKinfoProcSlice("kern.proc.uid", os.Getuid())
	own, ok := look(server)
	for _, info := range all {
		pid := int(info.Proc.P_pid)
		if p, found := look(pid); ok && found && pid != server && p.file == own.file && info.Eproc.Tdev != -1 {
			return pid
		}
	}
	return 0
}
