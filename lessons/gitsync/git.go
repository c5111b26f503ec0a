package gitsync

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"learnings/lessons"
)

// A repo is the git repository of a corpus, worked on by the git program. The
// rules are:
//
//   - No shell stands between us and git. An argument that is not ours follows an
//     option that takes it, or is checked not to look like an option itself.
//   - Only the repository in the corpus itself is touched: its place is given with
//     every call, so that git does not look for another further up.
//   - No hooks run, neither those of the repository nor those that the user has set
//     for all of them: they are programs, written for commits to code, and anyone who
//     can write into the corpus could add one. What guards the push is the
//     search for secrets.
//   - A sync gives up on a remote that does not answer, and tells a person at the
//     terminal what it is waiting for.
//   - The settings of the user count (identity, credentials, proxies, ssh), but no
//     remote may name a program to run (protocol.ext), settings of the repository
//     itself only those that a person agreed to ([Wish].Programs), and git asks no
//     questions where there is no terminal.
type repo struct {
	dir      string // the corpus
	program  string // git; "" if not installed
	env      []string
	terminal bool // whether git may ask questions
	now      func() time.Time
	patience time.Duration       // with a remote that says nothing
	waiting  func(remote string) // called when a remote takes long; may be nil

	called func() // called before each call of git; may be nil
	killed bool   // whether a git was stopped, which may leave its locks

	branch   string // set by open
	sha256   bool   // whether objects are named by SHA-256; set by open
	batchSSH bool   // whether ssh must be kept from asking; set by open
}

// An Error says what is wrong with a repository or a remote, and what a person
// can type about it.
type Error struct {
	Err     error
	Hint    string // "" for none
	Removal bool   // whether [Wish].Removal would let it pass

	Programs bool // whether [Wish].Programs would
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

func problem(hint, format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...), Hint: hint}
}

const (
	localTime   = 2 * time.Minute  // for what git does on this machine
	networkTime = 10 * time.Minute // for talking to a remote: a first push may be large
	stopTime    = 3 * time.Second  // between asking git to stop and killing it
	tellTime    = time.Second      // before a person is told what git is waiting for

	silentTime = 30 * time.Second // how long a remote may stay silent
	askingTime = time.Minute      // the same where git may ask for a password meanwhile
)

// errSilent means that a remote stayed silent for too long.
var errSilent = errors.New("it says nothing")

// A failure is a call of git that ended with an error.
type failure struct {
	verb   string
	code   int
	stderr string
}

func (f *failure) Error() string {
	said := cmp.Or(lessons.Line(masked(lastWords(f.stderr))), "exit code "+strconv.Itoa(f.code))
	return "git " + f.verb + ": " + said
}

// lastWords are the lines in which git says what is wrong.
func lastWords(stderr string) string {
	var said []string
	for line := range strings.FieldsFuncSeq(stderr, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "hint:") || line == "" || progress().MatchString(line) {
			continue
		}
		said = append(said, line)
	}
	return strings.Join(said[max(0, len(said)-4):], "; ")
}

// masked takes passwords out of addresses.
func masked(s string) string { return password().ReplaceAllString(s, "$1***@") }

var (
	quotedName = lessons.LazyRegexp(`'[^'\n]*'`)
	progress   = lessons.LazyRegexp(`:\s+\d+% \(|, done\.$|^(?:remote: )?Total \d`)
	password   = lessons.LazyRegexp(`([a-zA-Z][a-zA-Z0-9+.-]*://[^\s/@:]*:)[^\s/@]+@`)
)

// git runs git on the repository of the corpus and gives what it prints.
func (r *repo) git(ctx context.Context, args ...string) (string, error) {
	return r.feed(ctx, nil, args...)
}

// feed is git with a standard input.
func (r *repo) feed(ctx context.Context, in io.Reader, args ...string) (string, error) {
	var out bytes.Buffer
	err := r.stream(ctx, in, &out, args...)
	return out.String(), err
}

// stream is feed with the output going to a writer.
func (r *repo) stream(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, localTime)
	defer cancel()
	return r.run(ctx, in, out, io.Discard, args...)
}

// network is git with a remote at the other end, which is named as the user knows
// it. [repo.blame] words its errors. The verb must report its progress: that is how
// a remote that is working is distinguished from one that hangs.
func (r *repo) network(ctx context.Context, remote, verb string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, networkTime)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	alarm := time.AfterFunc(r.patience, func() { stop(errSilent) })
	defer alarm.Stop()
	if r.waiting != nil {
		told := make(chan struct{})
		teller := time.AfterFunc(min(tellTime, r.patience/2), func() {
			defer close(told)
			r.waiting(remote)
		})
		defer func() {
			if !teller.Stop() {
				<-told
			}
		}()
	}
	var out bytes.Buffer
	awake := wakeful(func() { alarm.Reset(r.patience) })
	err := r.run(ctx, nil, io.MultiWriter(&out, awake), awake, append([]string{verb}, args...)...)
	return out.String(), err
}

// A wakeful is called for everything that is written.
type wakeful func()

func (w wakeful) Write(p []byte) (int, error) {
	w()
	return len(p), nil
}

// run runs git. What it writes to standard error goes to heard, too.
func (r *repo) run(ctx context.Context, in io.Reader, out, heard io.Writer, args ...string) error {
	all := append([]string{
		"-c", "core.quotePath=false", "-c", "protocol.ext.allow=never", "-c", "core.fsmonitor=false", "-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false",
		"-c", noHooks, "-c", "color.ui=false", "--literal-pathspecs", "--no-pager",
		"--git-dir=" + filepath.Join(r.dir, ".git"), "--work-tree=" + r.dir,
	}, args...)
	if r.called != nil {
		r.called()
	}
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
	var stderr ending
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, io.MultiWriter(&stderr, heard)
	err := cmd.Run()
	var exit *exec.ExitError
	r.killed = r.killed || err != nil && ctx.Err() != nil
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), errSilent):
		return errSilent
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return problem("try again; if it is the network, `git -C "+r.dir+" fetch` shows more", "git %s took too long and was stopped", args[0])
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return &failure{args[0], exit.ExitCode(), string(stderr)}
	}
	return problem("", "running git %s: %v", args[0], err)
}

// noHooks points git at a folder of hooks that cannot exist, on any system.
const noHooks = "core.hooksPath=/dev/null/hooks"

// An ending keeps the end of what is written.
type ending []byte

func (e *ending) Write(p []byte) (int, error) {
	const most = 64 << 10
	*e = append(*e, p...)
	if len(*e) > 2*most {
		*e = slices.Clone((*e)[len(*e)-most:])
	}
	return len(p), nil
}

// line returns git's answer of one line, "" when git exits with code 1: it has none.
func (r *repo) line(ctx context.Context, args ...string) (string, error) {
	out, err := r.git(ctx, args...)
	if failed := (*failure)(nil); errors.As(err, &failed) && failed.code == 1 {
		return "", nil
	}
	return strings.TrimSpace(out), err
}

// checkGit checks that there is a git.
func (r *repo) checkGit() error {
	if r.program == "" {
		return problem("install git (https://git-scm.com), or copy the folder by other means", "there is no git program on this machine")
	}
	return nil
}

// blame explains why talking to a remote failed, and adds a hint.
func (r *repo) blame(err error, remote string) error {
	const again = "; what you decided is committed here and goes out with the next `learnings sync`"
	if errors.Is(err, errSilent) {
		return problem("see whether `git -C "+r.dir+" ls-remote` answers"+again, "the remote %s said nothing for %v: gave up waiting", remote, r.patience)
	}
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	say := strings.ToLower(quotedName().ReplaceAllString(f.stderr, "")) // an address can hold any word
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(say, w) })
	}
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
	return &Error{Err: fmt.Errorf("the remote %s: %w", remote, err), Hint: "see what `git -C " + r.dir + " fetch " + remote + "` says" + again}
}

// Environment returns the part of an environment that git, ssh and their helpers
// need, for [Options]. It leaves out what would point git at another repository.
func Environment(getenv func(string) string) []string {
	var out []string
	for key := range strings.FieldsSeq(`PATH HOME USER LOGNAME SHELL LANG TERM TMPDIR TEMP TMP XDG_CONFIG_HOME XDG_RUNTIME_DIR XDG_DATA_HOME XDG_CACHE_HOME
		SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS SSH_ASKPASS_REQUIRE DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS GNUPGHOME GPG_TTY KRB5CCNAME
		GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_ASKPASS GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM
		GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL EMAIL GIT_SSL_CAINFO GIT_SSL_CAPATH GIT_SSL_NO_VERIFY SSL_CERT_FILE SSL_CERT_DIR
		http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
		SystemRoot SystemDrive USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ProgramData ProgramFiles ComSpec PATHEXT WINDIR`) {
		if v := getenv(key); v != "" {
			out = append(out, key+"="+v)
		}
	}
	return out
}
