package transcript

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// Names for working directories that belong to no project.
const (
	HomeProject = "home"    // somebody's home directory
	RootProject = "root"    // the root of a file system
	NoProject   = "unknown" // a session that names no directory
)

// Projects tells the project of a working directory. The project is the
// repository: the name of the git root's folder, which worktrees and
// subfolders share; a submodule is its own. A directory that is not on this
// machine, or in no repository, is told by the shape of its path: folders in
// which tools keep worktrees map to the repository where the path says which,
// anything else is the last part of the path. Then aliases apply.
//
// Answers are kept for as long as the Projects lives. It may be used by
// several goroutines.
type Projects struct {
	home    string
	aliases map[string]string
	mu      sync.Mutex
	known   map[string]string
}

// NewProjects returns the projects of the user whose home directory is home.
// A repository at home itself, which keeps dot-files, is no project of what
// lies below it. aliases maps the name of a project to the one it goes by.
func NewProjects(home string, aliases map[string]string) *Projects {
	if home != "" {
		home = filepath.Clean(home)
	}
	return &Projects{home: home, aliases: aliases, known: make(map[string]string)}
}

// Project returns the name of the project of the working directory dir, which
// may be of any system. It is never empty and has no path separators.
func (p *Projects) Project(dir string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	name, ok := p.known[dir]
	if !ok {
		name = p.alias(p.find(dir))
		p.known[dir] = name
	}
	return name
}

// alias follows aliases, of aliases too. In a ring of them each name is its
// own.
func (p *Projects) alias(name string) string {
	at := name
	for range len(p.aliases) + 1 {
		next := p.aliases[at]
		if next == "" {
			return at
		}
		at = next
	}
	return name
}

func (p *Projects) find(dir string) string {
	if strings.TrimSpace(dir) == "" {
		return NoProject
	}
	if filepath.IsAbs(dir) {
		if root := p.gitRoot(filepath.Clean(dir)); root != "" {
			return fromParts([]string{filepath.Base(root)})
		}
		if filepath.Clean(dir) == p.home {
			return HomeProject
		}
	}
	return fromPath(dir)
}

// gitRoot walks up from dir to a folder with a .git and returns the main repository's
// folder; "" if there is none below the home directory.
func (p *Projects) gitRoot(dir string) string {
	for ; dir != p.home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		dot := filepath.Join(dir, ".git")
		info, err := os.Stat(dot)
		switch {
		case err != nil:
			continue
		case info.IsDir():
			return dir
		}
		common := commonDir(dir, dot)
		switch {
		case common == "":
			return dir
		case filepath.Base(common) == ".git":
			return filepath.Dir(common)
		}
		return strings.TrimSuffix(common, ".git") // a bare repository
	}
	return ""
}

// commonDir returns the git directory that the worktree at dir shares with its main
// repository; "" if dir is no worktree. A submodule also has a .git file, but shares
// nothing.
func commonDir(dir, dot string) string {
	gitDir, ok := strings.CutPrefix(firstLine(dot), "gitdir: ")
	if !ok {
		return ""
	}
	if !filepath.IsAbs(gitDir) {
		gitDir = filepath.Join(dir, gitDir)
	}
	switch common := firstLine(filepath.Join(gitDir, "commondir")); {
	case filepath.IsAbs(common):
		return filepath.Clean(common)
	case common != "":
		return filepath.Join(gitDir, common)
	}
	// The main repository may be gone, or on another machine.
	if main, _, ok := strings.Cut(filepath.ToSlash(gitDir), "/.git/worktrees/"); ok {
		return filepath.Join(filepath.FromSlash(main), ".git")
	}
	return ""
}

// firstLine reads the first line of a small file; "" where there is none.
func firstLine(name string) string {
	line, _, _ := strings.Cut(string(small(name, 4<<10)), "\n")
	return strings.TrimSpace(line)
}

var windowsPath = lazyRegexp(`^(?:[A-Za-z]:[\\/]|\\\\)`)

// fromPath tells a project from nothing but the path of a directory.
func fromPath(dir string) string {
	if windowsPath().MatchString(dir) || !strings.Contains(dir, "/") && strings.Contains(dir, `\`) {
		dir = strings.ReplaceAll(dir, `\`, "/")
		if strings.HasPrefix(dir, "//") { // a share of a server: //server/share/…
			dir = dir[1:]
		} else if len(dir) >= 2 && dir[1] == ':' {
			dir = "/" + dir[2:]
		}
	}
	return fromParts(strings.FieldsFunc(path.Clean(dir), func(r rune) bool { return r == '/' }))
}

// homes are the folders that homes lie in.
var homes = map[string]bool{"home": true, "Users": true}

func fromParts(parts []string) string {
	for i, part := range parts {
		if name := worktree(parts, i, part); name != "" {
			return clean(name)
		}
	}
	switch n := len(parts); {
	case n == 0:
		return RootProject
	case n == 2 && homes[parts[0]], n == 1 && parts[0] == "root":
		return HomeProject
	default:
		return clean(parts[n-1])
	}
}

// worktree returns the repository if part, which is parts[i], is a folder of worktrees;
// "" if it is not, or the path does not name the repository.
func worktree(parts []string, i int, part string) string {
	before, behind := "", parts[i+1:]
	if i > 0 {
		before = parts[i-1]
	}
	if len(behind) == 0 {
		return ""
	}
	switch part {
	case ".worktrees", ".git", ".bare":
		return before
	case "worktrees":
		switch {
		case before == ".claude" && i > 1: // repo/.claude/worktrees/name
			return parts[i-2]
		case before == ".codex" && len(behind) > 1: // .codex/worktrees/id/repo
			return behind[1]
		case len(behind) > 1 || i > 1 && homes[parts[i-2]] || before == "": // worktrees/repo/name, ~/worktrees/repo
			return behind[0]
		case !strings.HasPrefix(before, "."): // repo/worktrees/name
			return before
		}
		return ""
	}
	for _, suffix := range []string{".worktrees", "__worktrees", "-worktrees", "_worktrees"} {
		if name, ok := strings.CutSuffix(part, suffix); ok {
			return name
		}
	}
	return ""
}

// clean makes a name of a part of a path: without control characters and separators of
// any system, not empty, and not only dots.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f:
			return -1
		case r == '/' || r == '\\':
			return '-'
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.TrimSpace(name)
	if strings.Trim(name, ".") == "" {
		return NoProject
	}
	return name
}
