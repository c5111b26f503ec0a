package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor/redact"
	"learnings/lessons"
	"learnings/lessons/gitsync"
)

// needsSync is the need of the sync verbs. Syncing can bring in approved lessons and send
// lessons out, so agents may not do it.
var needsSync = needsPerson("sync them")

func newSync(a *app) *cobra.Command {
	v := a.verb("sync", needsSync, countArgs(0, 0, ""))
	var wish gitsync.Wish
	v.BoolVar(&wish.DryRun, "dry-run", false, "fetch, say what would be done, and change nothing")
	v.BoolVar(&wish.Redact, "redact", false, "put marks in the place of secrets, and send one commit of what was not sent yet")
	v.BoolVar(&wish.Rejoin, "rejoin", false, "accept that the history of the remote was rewritten")
	v.BoolVar(&wish.Removal, "removed", false, "many lessons are gone, here or at the remote, and that is meant")
	v.BoolVar(&a.sure, "yes", false, "send also what looks like a secret, without asking")
	v.json(a, "one JSON object")
	v.Cmd.AddCommand(newSyncInit(a), newSyncRemote(a), newSyncStatus(a))
	return v.Run(func(ctx context.Context, _ []string) error {
		process.Frugal()
		return withCopy(a, func(c *gitsync.Copy) error { return syncCorpus(ctx, a, c, wish) })
	})
}

func syncCorpus(ctx context.Context, a *app, c *gitsync.Copy, wish gitsync.Wish) error {
	rep, err := c.Sync(ctx, wish)
	for p := (*gitsync.Error)(nil); errors.As(err, &p) && (p.Removal || p.Programs) && a.Interactive(); {
		meant, askErr := a.Confirm(ctx, p.Error()+". Is that meant?")
		if askErr != nil {
			return askErr
		}
		if !meant {
			break
		}
		wish.Removal, wish.Programs = wish.Removal || p.Removal, wish.Programs || p.Programs
		rep, err = c.Sync(ctx, wish)
	}
	if rep != nil && len(rep.Received) > 0 && !wish.DryRun {
		a.follow(ctx)
	}
	switch {
	case err == nil && a.JSON:
		return term.WriteJSON(a.Out, rep)
	case err == nil:
		render.Synced(a.Console, rep)
	case rep != nil && !a.JSON && len(rep.Committed) > 0:
		a.Say("committed: %s", rep.Committed)
	}
	return err
}

func newSyncInit(a *app) *cobra.Command {
	v := a.verb("sync init", needsSeat("sync them"), countArgs(0, 1, ""))
	return v.Run(func(ctx context.Context, args []string) error {
		if _, err := a.places.DB().MakeKey(); err != nil {
			return err
		}
		return withCopy(a, func(c *gitsync.Copy) error {
			rep, err := c.Init(ctx, remoteArg(a, args))
			if err != nil {
				return err
			}
			a.Say("the corpus %s is a git repository, on the branch %s", a.short(a.places.Corpus), rep.Branch)
			if s := rep.Committed.String(); s != "" {
				a.Say("committed: %s", s)
			}
			render.WarnHeld(a.Console, rep.Held, rep.Left)
			if key, err := a.places.DB().Key(); err == nil {
				a.Say("the key of this machine: %s; put it into sync.trust on your other machines", lessons.PublicKey(key))
			}
			if rep.Remote == "" {
				a.Say("next: `learnings sync remote URL`, and then `learnings sync`")
			} else {
				a.Say("next: `learnings sync`")
			}
			return nil
		})
	})
}

func newSyncRemote(a *app) *cobra.Command {
	v := a.verb("sync remote", needsSeat("sync them"), countArgs(1, 1, "the address of a repository"))
	return v.Run(func(ctx context.Context, args []string) error {
		return withCopy(a, func(c *gitsync.Copy) error {
			err := c.Remote(ctx, remoteArg(a, args))
			if err == nil {
				a.Say("next: `learnings sync`")
			}
			return err
		})
	})
}

func newSyncStatus(a *app) *cobra.Command {
	v := a.verb("sync status", needsCorpus, countArgs(0, 0, ""))
	v.json(a, "one JSON object")
	return v.Run(func(ctx context.Context, _ []string) error {
		return withCopy(a, func(c *gitsync.Copy) error {
			s, err := c.Status(ctx)
			if err != nil {
				return err
			}
			return a.Give(render.Copy{Status: s})
		})
	})
}

// keys returns the keys whose approvals count here: that of this machine and those of
// sync.trust. It warns of what is no key there.
func (a *app) keys() []string {
	if names := a.conf.NoKeys(); len(names) > 0 {
		a.Warn("sync.trust names %s, and a name proves nothing: put the key there that `learnings sync` shows", strings.Join(names, ", "))
	}
	keys := a.conf.TrustedKeys()
	if key, err := a.places.DB().Key(); err == nil && key != nil {
		keys = append(keys, lessons.PublicKey(key))
	}
	return keys
}

// remoteArg returns the remote's address as typed. A relative folder becomes absolute,
// because git runs in the corpus.
func remoteArg(a *app, args []string) string {
	s := strings.Join(args, "")
	if strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || s == "." || s == ".." {
		return filepath.Join(a.cwd, s)
	}
	return s
}

// withCopy calls do with the corpus as a git copy.
func withCopy(a *app, do func(*gitsync.Copy) error) error {
	who, err := a.me()
	if err != nil {
		return err
	}
	key, err := a.places.DB().Key()
	if err != nil {
		return err
	}
	o := gitsync.Options{
		Key: key,
		Dir: settings.RealPath(a.places.Corpus), State: a.places.State, Store: a.corpus.Store, By: who, Trust: a.keys(), TrustEdits: a.conf.TrustEdits.Value, Now: a.now,
		Git: process.Find("git", a.getenv("PATH"), a.goos), Env: gitsync.Environment(a.getenv), Terminal: a.Interactive(), Patience: a.patience,
		Redactor: redact.New(), MayLeave: a.mayLeave,
	}
	if a.Terminals.Err {
		o.Waiting = func(remote string) { a.Warn("waiting for the remote %s (Ctrl-C gives up)", remote) }
	}
	return render.SyncHint(do(gitsync.At(o)))
}
