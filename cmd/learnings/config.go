package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/tui"
	"learnings/tui/desk"
)

type settingsOptions struct {
	path, edit, json bool
}

func newConfig(a *app) *cobra.Command {
	var o settingsOptions
	cmd := &cobra.Command{
		Use: "config [KEY]", Short: "Print the settings, and where each comes from",
		Long:    settings.Help() + desk.KeysHelp,
		Example: "  learnings config\n  learnings config model\n  learnings config --edit\n  learnings config rename octo octofs\n  learnings config alias octofs-fork octofs",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.path && o.edit, len(args) > 0 && (o.path || o.edit):
				return term.Usagef("a key, --path and --edit are three different questions")
			case o.edit:
				return editConfig(cmd.Context(), a)
			}
			return printConfig(a, o, args)
		},
	}
	cmd.AddCommand(newProjectNames(a)...)
	cmd.Flags().BoolVar(&o.path, "path", false, "print only where the file is")
	cmd.Flags().BoolVar(&o.edit, "edit", false, "open the file in your editor, and check it afterwards")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func printConfig(a *app, o settingsOptions, args []string) error {
	p, err := a.located()
	if err != nil {
		return err
	}
	if o.path {
		a.Say("%s", p.Config)
		return nil
	}
	c, broken := settings.Load(p.Config)
	a.formerly(c)
	c.Heed(a.getenv)
	if c.Name.Value == "" {
		c.Name.Value = a.username()
	}
	rows := settings.Rows(&c, a.short)
	if len(args) > 0 {
		i := slices.IndexFunc(rows, func(r settings.Row) bool { return r.Key == args[0] || r.Key == "learning."+args[0] })
		if i < 0 {
			return term.Hint(term.Usagef("unknown key %q; did you mean %s?", args[0], settings.NearestKey(args[0])), "`learnings config` lists the keys")
		}
		rows = rows[i : i+1]
		if !o.json {
			a.Say("%s", settings.Plain(rows[0].Value))
			return broken
		}
	}
	return errors.Join(a.Give(settings.Answer(rows), o.json), broken, settings.Misfits(tui.CheckKeys(c.Keys)))
}

// editConfig opens the file in the person's editor, again and again while it is
// wrong and they want to. What they wrote stays there, right or wrong.
//
// The settings decide what runs by itself, what it may cost and which model is
// asked, so only a person may change them.
func editConfig(ctx context.Context, a *app) error {
	if err := (&curate.Corpus{Agent: a.agent()}).MayDecide("change the settings"); err != nil {
		return err
	}
	p, err := a.located()
	if err != nil {
		return err
	}
	editor, err := a.EditorCommand(a.getenv, a.goos)
	if err != nil {
		return err
	}
	var made []byte
	if _, err := os.Stat(p.Config); errors.Is(err, fs.ErrNotExist) {
		made = settings.Template()
		if err := settings.ReplaceFile(p.Config, made); err != nil {
			return fmt.Errorf("making %s: %w", a.short(p.Config), err)
		}
	}
	for {
		runErr := a.RunEditor(editor, p.Config)
		text, err := os.ReadFile(p.Config)
		if made != nil && err == nil && bytes.Equal(text, made) {
			// A file that says nothing need not stay; nor its folder, if it is empty.
			_ = os.Remove(p.Config)
			_ = os.Remove(filepath.Dir(p.Config))
			if runErr == nil {
				a.Say("nothing was changed")
			}
			return runErr
		}
		if runErr != nil {
			return runErr
		}
		c, err := settings.Load(p.Config)
		if err = errors.Join(err, settings.Misfits(tui.CheckKeys(c.Keys))); err == nil {
			a.Say("%s is right; `learnings config` prints what holds", a.short(p.Config))
			return nil
		}
		if !a.Interactive() {
			return err
		}
		a.Warn("%v", err)
		answer, askErr := a.Ask(ctx, "Edit again? [Y/n] ")
		if askErr != nil || strings.HasPrefix(strings.ToLower(answer), "n") {
			return err
		}
	}
}
