package claims

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"
)

// ignorePatience is how long git may take to say whether it ignores a path.
const ignorePatience = 500 * time.Millisecond

// ignored reports that git would not track a path, which then may come and go. Where git
// cannot tell, it counts as ignored: a lesson is not withheld for it.
func (t *Tree) ignored(name string) bool {
	if t.git.dir == "" {
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

// command is a call of git that runs no other program.
func (t *Tree) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager"}, args...)...)
	cmd.Dir, cmd.Env = t.place, append(cmd.Environ(), "LC_ALL=C")
	return cmd
}
