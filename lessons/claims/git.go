package claims

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	ignorePatience = 500 * time.Millisecond // for git to check whether it ignores a path
	mostChanged    = 30                     // changed files that are named
)

// findGit finds the repository of a folder, in it or above: its root and where git keeps
// its index. git is "" for an unreadable repository.
func findGit(dir string) (root, git string) {
	for ; ; dir = filepath.Dir(dir) {
		at := filepath.Join(dir, ".git")
		info, err := os.Lstat(at)
		switch {
		case err == nil && info.IsDir():
			return dir, at
		case err == nil: // of a linked worktree
			to, ok := strings.CutPrefix(firstLine(at), "gitdir: ")
			if ok && !filepath.IsAbs(to) {
				to = filepath.Join(dir, to)
			}
			return dir, to
		case dir == filepath.Dir(dir):
			return "", ""
		}
	}
}

// firstLine reads the first line of a small regular file.
func firstLine(name string) string {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	b, _ := readAll(f, 64<<10)
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line)
}

// command returns a git command for this tree that runs no other program.
func (t *Tree) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false", "--no-pager"}, args...)...)
	cmd.Dir = t.place
	cmd.Env = append(slices.DeleteFunc(cmd.Environ(), func(s string) bool { return strings.HasPrefix(s, "GIT_") }), "LC_ALL=C")
	return cmd
}

// within returns a context with the time left for searches.
func (t *Tree) within() (context.Context, context.CancelFunc) {
	if t.opts.Limit == 0 {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), t.opts.Limit-t.spent)
}

// tracked returns the files that git tracks.
func (t *Tree) tracked() (out []entry, err error) {
	ctx, cancel := t.within()
	defer cancel()
	text, err := t.command(ctx, "ls-files", "-z", "--stage").Output()
	for rec := range strings.SplitSeq(string(text), "\x00") {
		if head, path, ok := strings.Cut(rec, "\t"); ok && filepath.IsLocal(path) {
			out = append(out, entry{path, strings.HasPrefix(head, "100"), strings.HasPrefix(head, "160")})
		}
	}
	return out, err
}

// ignored reports whether git ignores a path, which then may come and go. If git cannot
// tell, it counts as ignored, so that no lesson is withheld for it.
func (t *Tree) ignored(name string) bool {
	if t.git == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), ignorePatience)
	defer cancel()
	said, err := t.command(ctx, "check-ignore", "--quiet", "--no-index", "--", name).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return true
	}
	return exit.ExitCode() != 1 && !strings.Contains(string(said), "beyond a symbolic link")
}

// grep searches the tracked files. It returns false if git could not search all of them
// in time.
func (t *Tree) grep(needs []*need) bool {
	ctx, cancel := t.within()
	defer cancel()
	args := []string{"grep", "--null", "-I", "--fixed-strings", "--no-color", "--no-line-number", "--no-column", "--no-recurse-submodules"}
	for _, n := range needs {
		args = append(args, "-e", n.text)
	}
	cmd := t.command(ctx, args...)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return false
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, mostFile)
	for !allFound(needs) && lines.Scan() {
		file, line, _ := bytes.Cut(lines.Bytes(), []byte{0})
		for _, n := range needs {
			n.look(string(file), line)
		}
	}
	if allFound(needs) {
		cancel() // the rest of the output is not needed
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	nothing := errors.As(err, &exit) && exit.ExitCode() == 1
	return allFound(needs) || lines.Err() == nil && (err == nil || nothing)
}

// Around describes the current work in a tree, one item per line: the branch and the
// changed files. It returns "" for a nil Tree.
func (t *Tree) Around() string {
	if t == nil || t.git == "" {
		return ""
	}
	var lines []string
	branch, ok := strings.CutPrefix(firstLine(filepath.Join(t.git, "HEAD")), "ref: refs/heads/")
	if ok && !in(branch, "main master develop") {
		lines = append(lines, strings.NewReplacer("/", " ", "-", " ").Replace(branch))
	}
	ctx, cancel := context.WithTimeout(context.Background(), ignorePatience)
	defer cancel()
	changed, _ := t.command(ctx, "diff-files", "--name-only", "-z").Output()
	names := strings.FieldsFunc(string(changed), func(r rune) bool { return r == 0 })
	return strings.Join(append(lines, names[:min(len(names), mostChanged)]...), "\n")
}

// Since returns the commit that removed what is missing: "1a2b3c4 (2026-05-01)"; "" if
// git cannot tell in time.
func (t *Tree) Since(ctx context.Context, c Claim) string {
	if t == nil || t.git == "" {
		return ""
	}
	args := []string{"log", "-1", "--no-ext-diff", "--no-textconv", "--format=%h (%cs)"}
	switch c.Kind {
	case Path:
		args = append(args, "--diff-filter=D", "--no-renames", "--", ":(glob,icase)**/"+c.Name, ":(glob,icase)**/"+c.Name+"/**")
	case Symbol:
		args = append(args, "-S"+c.Name[strings.LastIndexByte(c.Name, '.')+1:])
	default:
		args = append(args, "-S"+c.Name)
	}
	out, err := t.command(ctx, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Doubt describes what is missing for a person: "may be out of date: `x` is gone since
// 1a2b3c4 (2026-05-01)".
func (t *Tree) Doubt(ctx context.Context, missing []Claim) string {
	var says []string
	for _, c := range missing {
		one := "`" + c.String() + "` is gone"
		if since := t.Since(ctx, c); since != "" {
			one += " since " + since
		}
		says = append(says, one)
	}
	if len(says) == 0 {
		return ""
	}
	return "may be out of date: " + strings.Join(says, ", ")
}
