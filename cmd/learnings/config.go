package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/tui"
	"learnings/tui/desk"
)

func newConfig(a *app) *cobra.Command {
	v := a.verb("config", needsPlaces, countArgs(0, 1, ""), "{settings}", settings.Help(), "{keys}", desk.KeysHelp)
	path := v.Bool("path", false, "print only where the file is")
	edit := v.Bool("edit", false, "open the file in your editor, and check it afterwards")
	v.json(a, "one JSON object a line")
	rename := a.verb("config rename", needsSeat("rename projects"), countArgs(2, 2, "the old name and the new one"))
	alias := a.verb("config alias", needsSeat("name projects"), countArgs(2, 2, "a name and the one that it stands for"))
	v.Cmd.AddCommand(
		rename.Run(func(ctx context.Context, args []string) error { return renameProject(ctx, a, args[0], args[1]) }),
		alias.Run(func(_ context.Context, args []string) error { return aliasProject(a, args[0], args[1]) }))
	return v.Run(func(ctx context.Context, args []string) error {
		switch {
		case *path && *edit, len(args) > 0 && (*path || *edit):
			return term.Usagef("a key, --path and --edit are three different questions")
		case *edit:
			return editConfig(ctx, a)
		case *path:
			a.Say("%s", a.places.Config)
			return nil
		}
		return printConfig(a, args)
	})
}

func printConfig(a *app, args []string) error {
	c, broken := settings.Load(a.places.Config)
	a.formerly(c)
	if now, _ := a.places.Peek(); !now.Unconfirmed.IsZero() {
		a.Warn("%s", unconfirmed(now.Unconfirmed))
	}
	c.Heed(a.getenv)
	c.Name.Value = cmp.Or(c.Name.Value, a.username())
	rows := settings.Rows(&c, a.short)
	if len(args) > 0 {
		i := slices.IndexFunc(rows, func(r settings.Row) bool { return r.Key == args[0] || r.Key == "learning."+args[0] })
		if err := settings.Unknown(args[0]); i < 0 && err != nil {
			return term.Hint(term.Usagef("%v", err), "`learnings config` lists the keys")
		}
		if i >= 0 && !a.JSON {
			a.Say("%s", settings.Plain(rows[i].Value))
			return broken
		}
		if i >= 0 {
			rows = rows[i : i+1]
		}
		rows = slices.DeleteFunc(rows, func(r settings.Row) bool { return i < 0 && !strings.HasPrefix(r.Key, args[0]+".") })
	}
	return errors.Join(a.Give(settings.Answer(rows)), broken, settings.Misfits(tui.CheckKeys(c.Keys)))
}

// editConfig opens the file in the person's editor until it is valid or they give up.
// Their text is kept either way.
//
// Only a person may change settings: they decide what runs by itself, what it may cost
// and which model is asked.
func editConfig(ctx context.Context, a *app) error {
	above, whole := a.programs()
	alone := !curate.Seated(above, whole, nil)
	if err := (&curate.Corpus{Agent: a.agent(), Alone: alone, Manner: curate.Manner(alone, a.tty.In, above)}).MustSit("change the settings"); err != nil {
		return err
	}
	path := a.places.Config
	editor, err := a.EditorCommand(a.getenv, a.goos)
	if err != nil {
		return err
	}
	var made []byte
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		made = settings.Template()
		if err := settings.ReplaceFile(path, made); err != nil {
			return fmt.Errorf("making %s: %w", a.short(path), err)
		}
	}
	was, _ := settings.Load(path)
	for {
		runErr := a.RunEditor(editor, path)
		text, err := os.ReadFile(path)
		if made != nil && err == nil && bytes.Equal(text, made) {
			// Leave no empty file or folder behind.
			_ = os.Remove(path)
			_ = os.Remove(filepath.Dir(path))
			if runErr == nil {
				a.Say("nothing was changed")
			}
			return runErr
		}
		if runErr != nil {
			return runErr
		}
		c, err := settings.Load(path)
		if err = errors.Join(err, settings.Misfits(tui.CheckKeys(c.Keys))); err == nil {
			if t := c.Trusts(); !reflect.DeepEqual(t, was.Trusts()) {
				if err := a.places.ConfirmTrusts(t); err != nil {
					return err
				}
			}
			a.Say("%s is right; `learnings config` prints what holds", a.short(path))
			return nil
		}
		if !a.again(ctx, err) {
			return err
		}
	}
}

// unconfirmed says that trusts have no effect yet.
func unconfirmed(t settings.Trusts) string {
	return "no person has confirmed what is trusted, so it has no effect: " + t.String() + "; the desk asks you"
}

// renameProject moves the lessons first, so that repeating the command finishes the work
// if the alias cannot be written.
func renameProject(ctx context.Context, a *app, from, to string) error {
	if err := curate.CheckProject(to); err != nil {
		return term.Usagef("%v", err)
	}
	if from == to {
		return term.Usagef("the old name and the new one are the same")
	}
	moved, err := a.corpus.RenameProject(from, to)
	if err != nil {
		return err
	}
	if moved == 0 && a.conf.Canonical(from) != to {
		return term.Hint(term.Missingf("there are no lessons of a project %q", from),
			"`learnings stats projects` lists them; `learnings config alias %s %s` joins names without lessons", from, to)
	}
	if moved > 0 {
		a.follow(ctx)
	}
	a.Say("moved %s from %s to %s", term.Plural(moved, "lesson"), from, to)
	return aliasProject(a, from, to)
}

func aliasProject(a *app, name, canonical string) error {
	for _, s := range []string{name, canonical} {
		if err := curate.CheckProject(s); err != nil {
			return term.Usagef("%v", err)
		}
	}
	if name == canonical {
		return term.Usagef("%q cannot stand for itself", name)
	}
	if err := settings.Set(a.places.Config, "aliases", name, canonical); err != nil {
		return err
	}
	a.Say("%s now goes by %s (%s)", name, canonical, a.short(a.places.Config))
	return nil
}
