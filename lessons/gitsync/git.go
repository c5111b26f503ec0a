package gitsync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"learnings/lessons"
	"learnings/lessons/lazy"
)

// A repo is the git repository of a corpus, worked on by the git program. The
// rules are:
//
//   - No shell stands between us and git. An argument that is not ours follows an
//     option that takes it, or is checked not to look like an option itself.
//   - Only the repository in the corpus itself is touched: its place is given with
//     every call, so that git does not look for another further up.
//   - Hooks that judge commits do not run: commits are made by fast-import, which
//     has none, because a rule about the messages of commits to code would stop
//     every sync. The pre-push hook runs, because it guards what leaves the machine.
//   - The settings of the user count (identity, credentials, proxies, ssh), but no
//     remote may name a program to run (protocol.ext), and git asks no questions
//     where there is no terminal.
type repo struct {
	dir      string // the corpus
	program  string // git; "" when there is none
	env      []string
	terminal bool // whether git may ask questions
	now      func() time.Time

	branch   string // set by open
	sha256   bool   // whether objects are named by SHA-256; set by open
	batchSSH bool   // whether ssh must be kept from asking; set by open
}

// An Error says what is wrong with a repository or a remote, and what a person
// can type about it.
type Error struct {
	Err  error
	Hint string // "" for none
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

func problem(hint, format string, args ...any) error {
	return &Error{fmt.Errorf(format, args...), hint}
}

const (
	localTime   = 2 * time.Minute  // for what git does on this machine
	networkTime = 10 * time.Minute // for talking to a remote: a first push may be large
	stopTime    = 3 * time.Second  // between asking git to stop and killing it
)

// A failure is a call of git that ended with an error.
type failure struct {
	verb   string
	code   int
	stderr string
}

func (f *failure) Error() string {
	said := lessons.Line(masked(lastWords(f.stderr)))
	if said == "" {
		said = "exit code " + strconv.Itoa(f.code)
	}
	return "git " + f.verb + ": " + said
}

// lastWords are the lines in which git says what is wrong.
func lastWords(stderr string) string {
	var said []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "hint:") || line == "" {
			continue
		}
		said = append(said, line)
	}
	return strings.Join(said[max(0, len(said)-4):], "; ")
}

// masked takes passwords out of addresses.
func masked(s string) string { return password().ReplaceAllString(s, "$1***@") }

var (
	quotedName = lazy.Regexp(`'[^'\n]*'`)
	password   = lazy.Regexp(`([a-zA-Z][a-zA-Z0-9+.-]*://[^\s/@:]*:)[^\s/@]+@`)
)

// git runs git on the repository of the corpus and gives what it prints.
func (r *repo) git(ctx context.Context, args ...string) (string, error) {
	return r.feed(ctx, localTime, nil, args...)
}

// network is git with a remote at the other end.
func (r *repo) network(ctx context.Context, args ...string) (string, error) {
	return r.feed(ctx, networkTime, nil, args...)
}

// feed is git with a standard input and a time limit.
func (r *repo) feed(ctx context.Context, limit time.Duration, in io.Reader, args ...string) (string, error) {
	var out bytes.Buffer
	err := r.stream(ctx, limit, in, &out, args...)
	return out.String(), err
}

// stream is feed with the output going to a writer.
func (r *repo) stream(ctx context.Context, limit time.Duration, in io.Reader, out io.Writer, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	all := append([]string{
		"-c", "core.quotePath=false", "-c", "protocol.ext.allow=never", "-c", "core.fsmonitor=false", "-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false",
		"-c", "color.ui=false", "--literal-pathspecs", "--no-pager",
		"--git-dir=" + filepath.Join(r.dir, ".git"), "--work-tree=" + r.dir,
	}, args...)
	cmd := exec.CommandContext(ctx, r.program, all...)
	cmd.Dir = r.dir
	cmd.Env = slices.Concat(r.env, []string{"LC_ALL=C", "LANGUAGE=C", "GIT_OPTIONAL_LOCKS=0"})
	if !r.terminal {
		cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0", "GCM_INTERACTIVE=never")
		if r.batchSSH {
			cmd.Env = append(cmd.Env, "GIT_SSH_COMMAND=ssh -oBatchMode=yes")
		}
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopTime
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &limited{w: &stderr, left: 64 << 10}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return problem("try again; if it is the network, `git -C "+r.dir+" fetch` shows more", "git %s took longer than %v and was stopped", args[0], limit)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return &failure{args[0], exit.ExitCode(), stderr.String()}
	}
	return problem("", "running git %s: %v", args[0], err)
}

// limited keeps the beginning of what is written.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// line gives git's answer of one line, "" when git exits with code 1: it has none.
func (r *repo) line(ctx context.Context, args ...string) (string, error) {
	out, err := r.git(ctx, args...)
	if failed := (*failure)(nil); errors.As(err, &failed) && failed.code == 1 {
		return "", nil
	}
	return strings.TrimSpace(out), err
}

const leastGit = "2.20"

// checkGit checks that there is a git and that it is new enough.
func (r *repo) checkGit(ctx context.Context) error {
	if r.program == "" {
		return problem("install git (https://git-scm.com), or copy the folder by other means", "there is no git program on this machine")
	}
	out, err := r.git(ctx, "version")
	if err != nil {
		return err
	}
	m := regexp.MustCompile(`(\d+)\.(\d+)`).FindStringSubmatch(out)
	if m == nil {
		return problem("", "%s does not say which version of git it is: %s", r.program, lessons.Line(out))
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	if major < 2 || major == 2 && minor < 20 {
		return problem("install a newer git", "git is %s, and sync needs %s or newer", m[0], leastGit)
	}
	return nil
}

// blame explains why talking to a remote failed, and adds a hint.
func (r *repo) blame(err error, remote string) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	say := strings.ToLower(quotedName().ReplaceAllString(f.stderr, "")) // an address can hold any word
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(say, w) {
				return true
			}
		}
		return false
	}
	again := "; what you decided is committed here and goes out with the next `learnings sync`"
	switch {
	case has("authentication failed", "could not read username", "could not read password", "terminal prompts disabled", "permission denied", "access denied", "returned error: 403", "returned error: 401"):
		return problem(fmt.Sprintf("check with `git -C %s fetch %s` that git can log in%s", r.dir, remote, again), "the remote %s refuses us: %v", remote, err)
	case has("host key verification failed"):
		return problem("connect once with ssh to accept the host's key"+again, "the remote %s is on a host that ssh does not know: %v", remote, err)
	case has("could not resolve", "unable to access", "connection refused", "connection timed out", "network is unreachable", "could not connect"):
		return problem("try again when there is a network"+again, "the remote %s cannot be reached: %v", remote, err)
	case has("does not appear to be a git repository", "not found", "does not exist", "no such file"):
		return problem("make the repository there, or name another with `learnings sync remote URL`", "the remote %s is no repository: %v", remote, err)
	case has("transport 'ext' not allowed", "not allowed"):
		return problem("name another with `learnings sync remote URL`", "the remote %s is of a kind that is not allowed: %v", remote, err)
	}
	return &Error{fmt.Errorf("the remote %s: %w", remote, err), "see what `git -C " + r.dir + " fetch " + remote + "` says" + again}
}
