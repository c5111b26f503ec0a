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
	"learnings/lessons/gitsync"
)

type syncOptions struct {
	wish gitsync.Wish
	json bool
}

func newSync(a *app) *cobra.Command {
	var o syncOptions
	cmd := &cobra.Command{
		Use: "sync", Short: "Make this corpus and its git remote the same",
		Long: "Sync commits what was decided here, takes in what was decided on other\n" +
			"machines, and pushes. It runs your own git, on a repository in the corpus\n" +
			"itself; begin with `learnings sync init REMOTE` on each machine.\n\n" +
			"What you approved on another machine counts here. What somebody else approved\n" +
			"comes in as a proposal that says who did, unless their name is in sync.trust\n" +
			"of config.toml; it stays approved for them. So does whatever is flagged for\n" +
			"what it says, whoever approved it. What others rejected, archived or merged is\n" +
			"taken in. A name proves nothing: whoever may push can write yours.\n\n" +
			"Lessons that two machines have changed are settled by themselves: counters\n" +
			"add, evidence and tags are merged, the newer decision holds, and of two texts the\n" +
			"other one comes back as a proposal. A lesson that was forgotten anywhere is\n" +
			"forgotten on every machine. What came in is one step for `learnings undo`, and the\n" +
			"next sync then undoes it on the other machines too. More than 10 lessons,\n" +
			"or 5 % of them, are not removed unasked.\n\n" +
			"Before anything is sent, every file and commit that the remote has not yet is\n" +
			"searched for secrets; a finding stops it. Only lessons are committed. Hooks of\n" +
			"the repository do not run. A remote that says nothing is given up on.\n\n" +
			"What was once pushed stays in git's history, also when its lesson is\n" +
			"forgotten. To purge it, in the corpus: git checkout --orphan clean; git add -A;\n" +
			"git commit -m clean; git branch -M clean main; git push --force origin main.\n" +
			"Then, on every machine: learnings sync --rejoin.",
		Example: "  learnings sync init git@host:me/lessons.git\n  learnings sync",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return syncCorpus(cmd.Context(), a, o) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.wish.DryRun, "dry-run", false, "fetch, say what would be done, and change nothing")
	f.BoolVar(&o.wish.Redact, "redact", false, "put marks in the place of secrets, and send one commit of what was not sent yet")
	f.BoolVar(&o.wish.Rejoin, "rejoin", false, "accept that the history of the remote was written anew")
	f.BoolVar(&o.wish.Removal, "removed", false, "many lessons are gone, here or at the remote, and that is meant")
	f.BoolVar(&o.json, "json", false, "one JSON object")
	cmd.AddCommand(newSyncInit(a), newSyncRemote(a), newSyncStatus(a))
	return cmd
}

func newSyncInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "init [REMOTE]", Short: "Make the corpus a git repository",
		Long: "Init makes the corpus a git repository of its own, commits the lessons that are\n" +
			"in it, and names the remote. Nothing is sent before `learnings sync`.",
		Args: nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withCopy(cmd.Context(), a, func(ctx context.Context, c *gitsync.Copy) error {
				rep, err := c.Init(ctx, remoteArg(a, args))
				if err != nil {
					return err
				}
				a.Say("the corpus %s is a git repository, on the branch %s", a.short(a.places.Corpus), rep.Branch)
				if s := rep.Committed.String(); s != "" {
					a.Say("committed: %s", s)
				}
				render.WarnHeld(a.Console, rep.Held, rep.Left)
				if rep.Remote == "" {
					a.Say("next: `learnings sync remote URL`, and then `learnings sync`")
				} else {
					a.Say("next: `learnings sync`")
				}
				return nil
			})
		},
	}
}

func newSyncRemote(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "remote URL", Short: "Name the repository to sync with",
		Args: nargs(1, 1, "the address of a repository"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withCopy(cmd.Context(), a, func(ctx context.Context, c *gitsync.Copy) error {
				if err := c.Remote(ctx, remoteArg(a, args)); err != nil {
					return err
				}
				a.Say("next: `learnings sync`")
				return nil
			})
		},
	}
}

func newSyncStatus(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "status", Short: "What a sync would find here",
		Long: "Status tells what was decided here since the last sync, and how this copy\n" +
			"stands to the remote as it was when it was last asked. It changes nothing.",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := openCopy(a)
			if err != nil {
				return err
			}
			s, err := c.Status(cmd.Context())
			if err != nil {
				return render.SyncHint(err)
			}
			return a.Give(render.Copy{Status: s}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

// remoteArg is an address as typed. A folder is told from where we are, but git
// runs in the corpus.
func remoteArg(a *app, args []string) string {
	if len(args) == 0 {
		return ""
	}
	s := args[0]
	if strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || s == "." || s == ".." {
		return filepath.Join(a.cwd, s)
	}
	return s
}

// withCopy does what a person asks of the copy: it can bring approved lessons in,
// and send them to where they say, so it is not for agents.
func withCopy(ctx context.Context, a *app, do func(context.Context, *gitsync.Copy) error) error {
	if _, err := a.decider("sync them"); err != nil {
		return err
	}
	c, err := openCopy(a)
	if err != nil {
		return err
	}
	return render.SyncHint(do(ctx, c))
}

// openCopy returns the corpus as one of the copies that git keeps the same.
func openCopy(a *app) (*gitsync.Copy, error) {
	s, err := a.corpus()
	if err != nil {
		return nil, err
	}
	who, err := a.me()
	if err != nil {
		return nil, err
	}
	config, err := a.configuration()
	if err != nil {
		return nil, err
	}
	o := gitsync.Options{
		Dir: settings.RealPath(a.places.Corpus), State: a.places.State, Store: s, By: who, Trust: config.Trust.Value, TrustEdits: config.TrustEdits.Value, Now: a.now,
		Git: process.Find("git", a.getenv("PATH"), a.goos), Env: gitsync.Environment(a.getenv), Terminal: a.Interactive(), Patience: a.patience,
		Redactor: redact.New(),
	}
	if a.Terminals.Err {
		o.Waiting = func(remote string) { a.Warn("waiting for the remote %s (Ctrl-C gives up)", remote) }
	}
	return gitsync.At(o), nil
}

func syncCorpus(ctx context.Context, a *app, o syncOptions) error {
	process.Frugal()
	return withCopy(ctx, a, func(ctx context.Context, c *gitsync.Copy) error {
		rep, err := c.Sync(ctx, o.wish)
		if p := (*gitsync.Error)(nil); errors.As(err, &p) && p.Removal && a.Interactive() {
			meant, askErr := a.Confirm(ctx, p.Error()+". Is that meant?")
			if askErr != nil {
				return askErr
			}
			if meant {
				o.wish.Removal = true
				rep, err = c.Sync(ctx, o.wish)
			}
		}
		if rep != nil && len(rep.Received) > 0 && !o.wish.DryRun {
			a.follow(ctx)
		}
		if err != nil {
			if rep != nil && !o.json && len(rep.Committed) > 0 {
				a.Say("committed: %s", rep.Committed)
			}
			return err
		}
		if o.json {
			return term.WriteJSON(a.Out, rep)
		}
		render.Synced(a.Console, rep)
		return nil
	})
}
