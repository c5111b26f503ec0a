package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// orphansKeepParents is whether a process may name a parent that has ended.
const orphansKeepParents = false

// honest reports whether /proc shows the processes of the machine or of a container that
// the system's administrator made: in a user namespace anybody is root, and may show any
// program under any name.
func honest(pid int) bool {
	self, err := os.Readlink("/proc/self")
	users, bad := proc("self/uid_map")
	return err == nil && bad == nil && self == strconv.Itoa(pid) && slices.Equal(strings.Fields(string(users)), []string{"0", "0", "4294967295"})
}

// proc reads a file of /proc, unless another file system is mounted over it.
func proc(name string) ([]byte, error) {
	f, err := os.Open("/proc/" + name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &st); err != nil {
		return nil, err
	}
	if st.Type != unix.PROC_SUPER_MAGIC {
		return nil, errors.New("/proc is not the kernel's")
	}
	return io.ReadAll(f)
}

// A stat is what /proc/PID/stat says.
type stat struct {
	name   string
	parent int
	tty    int // the device of the terminal; 0 for none
}

func readStat(pid int) (s stat, ok bool) {
	text, err := proc(fmt.Sprintf("%d/stat", pid))
	if err != nil {
		return s, false
	}
	// 4711 (name) S 4710 4711 4711 34816 …; the name may contain any character.
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return s, false
	}
	rest := strings.Fields(string(text[end+1:]))
	if len(rest) < 5 {
		return s, false
	}
	s.name = string(text[open+1 : end])
	var bad error
	s.parent, err = strconv.Atoi(rest[1])
	s.tty, bad = strconv.Atoi(rest[4])
	return s, err == nil && bad == nil
}

// look reads /proc.
func look(pid int) (process, bool) {
	s, ok := readStat(pid)
	if !ok {
		return process{}, false
	}
	p := process{parent: s.parent, names: []string{s.name}}
	exe := fmt.Sprintf("/proc/%d/exe", pid)
	if file, err := os.Readlink(exe); err == nil {
		p.file = strings.TrimSuffix(file, " (deleted)")
		p.names = append(p.names, p.file)
		p.sure = ofSystem(p.file, exe)
		p.server = p.sure && slices.Contains([]string{"tmux", "screen"}, path.Base(p.file))
	} else { // login, or sshd and what it has made for a user: a process of root's may say its name
		above, _ := readStat(s.parent)
		p.file, p.sure = s.name, ofRoot(pid) || above.name == s.name && ofRoot(s.parent)
	}
	if line, err := proc(fmt.Sprintf("%d/cmdline", pid)); err == nil {
		p.names = append(p.names, scripts(strings.Split(string(line), "\x00"))...)
	}
	return p, true
}

// ofRoot reports whether root started a process. Programs such as su have root's rights for
// whoever starts them, under any name.
func ofRoot(pid int) bool {
	text, _ := proc(fmt.Sprintf("%d/status", pid))
	return bytes.Contains(text, []byte("\nUid:\t0\t0\t"))
}

// systemFolders are where packages put programs.
var systemFolders = []string{"/usr/", "/bin/", "/sbin/", "/opt/", "/snap/", "/app/", "/nix/store/", "/gnu/store/"}

// ofSystem reports whether exe, which a process runs, is a file of the system's that only
// root can write. In a namespace of its own a process may run another under that path, so
// it is the file there, or one that an upgrade has removed.
func ofSystem(file, exe string) bool {
	var runs, there unix.Stat_t
	return slices.ContainsFunc(systemFolders, func(dir string) bool { return strings.HasPrefix(file, dir) }) &&
		unix.Stat(exe, &runs) == nil && runs.Uid == 0 && runs.Mode&0o022 == 0 &&
		(runs.Nlink == 0 || unix.Stat(file, &there) == nil && runs.Dev == there.Dev && runs.Ino == there.Ino)
}

// attached returns a process that is attached to the server of a multiplexer, or 0: the
// server has its terminal open.
func attached(server int) int {
	terminals := map[int]bool{}
	fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", server))
	for _, fd := range fds {
		name := fmt.Sprintf("/proc/%d/fd/%s", server, fd.Name())
		var st unix.Stat_t
		if to, err := os.Readlink(name); err == nil && strings.HasPrefix(to, "/dev/") && unix.Stat(name, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFCHR {
			terminals[int(st.Rdev)] = true
		}
	}
	all, _ := os.ReadDir("/proc")
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == server {
			continue
		}
		if s, ok := readStat(pid); ok && s.tty != 0 && terminals[s.tty] && (strings.HasPrefix(s.name, "tmux") || s.name == "screen") {
			return pid
		}
	}
	return 0
}
