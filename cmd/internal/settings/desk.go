package settings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"learnings/cmd/internal/term"
)

// A KeyChoice is the keys chosen for an action of the desk, and where they are set.
type KeyChoice = struct {
	Keys  []string
	Place string
}

// takeKey reads one entry of [keys]. Only the desk knows which actions and keys exist.
func (c *Config) takeKey(e entry) error {
	list, ok := e.value.([]any)
	if one, text := e.value.(string); text {
		list, ok = []any{one}, true
	}
	choice := KeyChoice{Place: fmt.Sprintf("%s:%d", c.Path, e.line)}
	for _, v := range list {
		k, text := v.(string)
		ok = ok && text
		choice.Keys = append(choice.Keys, k)
	}
	if !ok {
		return fmt.Errorf(`keys.%s must be a key in quotes, or an array of such: ["U", "ctrl+y"]`, e.path[1])
	}
	c.Keys[e.path[1]] = choice
	return nil
}

// Misfits joins errors in the desk's keys and adds a hint.
func Misfits(errs []error) error {
	return term.Hint(errors.Join(errs...), "`learnings help config` lists the actions and their keys; what is wrong has its own key meanwhile")
}

// A DeskAction is a verb in the palette of the desk.
type DeskAction struct {
	Name, About string
	Off         string
	Do          func(context.Context) (string, error)
}

// DeskActions returns the verbs that need no screen. Each runs as its own process and
// returns its output.
func DeskActions(p Places, sample bool) []DeskAction {
	verb := func(about, off string, args ...string) DeskAction {
		if sample {
			off = "the sample keeps to itself"
		}
		return DeskAction{Name: strings.Join(args, " "), About: about, Off: off, Do: func(ctx context.Context) (string, error) {
			exe, err := os.Executable()
			if err != nil {
				return "", err
			}
			text, err := exec.CommandContext(ctx, exe, args...).CombinedOutput()
			said := strings.TrimSpace(string(text))
			if failed := new(exec.ExitError); errors.As(err, &failed) {
				first, _, _ := strings.Cut(said, "\n")
				return said, errors.New(cmp.Or(first, failed.String()))
			}
			return said, err
		}}
	}
	remote := ""
	if _, err := os.Lstat(filepath.Join(p.Corpus, ".git")); err != nil {
		remote = "no remote is set: `learnings sync init REMOTE`"
	}
	return []DeskAction{
		verb("Makes this corpus and its git remote the same. What others approved comes in as proposals.", remote, "sync"),
		verb("Looks at agents, hooks, index, journal and settings, and says what to type where something is wrong.", "", "doctor"),
		verb("Whether hooks and the worker propose lessons now, and what waits.", "", "status"),
		verb("Every setting with its value, and where that comes from.", "", "config"),
	}
}
