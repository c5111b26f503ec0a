package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
)

type settingsOptions struct {
	path, edit, json bool
}

func newConfig(a *app) *cobra.Command {
	var o settingsOptions
	cmd := &cobra.Command{
		Use: "config [KEY]", Short: "Print the settings, and where each comes from",
		Long:    configLong(),
		Example: "  learnings config\n  learnings config model\n  learnings config --edit",
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
	cmd.Flags().BoolVar(&o.path, "path", false, "print only where the file is")
	cmd.Flags().BoolVar(&o.edit, "edit", false, "open the file in your editor, and check it afterwards")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

// configLong is the help, with all keys.
func configLong() string {
	var b strings.Builder
	b.WriteString("Config prints each setting, what it is, and where that comes from: the default,\n" +
		"the system, a line of config.toml or a variable of the environment. With a KEY it\n" +
		"prints that value alone. An error in the file is said behind what holds in spite\n" +
		"of it; hooks go on with the defaults for what is wrong.\n\nThe keys:\n\n")
	c := settings.Defaults("")
	for _, k := range settings.Keys {
		v, _ := k.Get(&c)
		fmt.Fprintf(&b, "  %s = %s\n      %s\n", k.Name, settings.TOML(v), k.Doc)
	}
	b.WriteString("  [aliases]\n      other names of projects: \"old name\" = \"name\"\n")
	return b.String()
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
	c.Heed(a.getenv)
	if c.Name.Value == "" {
		c.Name.Value = a.username()
	}
	rows := make(settingRows, 0, len(settings.Keys)+len(c.Aliases))
	for _, k := range settings.Keys {
		v, source := k.Get(&c)
		rows = append(rows, settingRow{k.Name, v, a.short(source)})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Aliases)) {
		rows = append(rows, settingRow{"aliases." + name, c.Aliases[name], a.short(p.Config)})
	}
	if len(args) > 0 {
		i := slices.IndexFunc(rows, func(r settingRow) bool { return r.key == args[0] || r.key == "learning."+args[0] })
		if i < 0 {
			return term.Hint(term.Usagef("unknown key %q; did you mean %s?", args[0], settings.NearestKey(args[0])), "`learnings config` lists the keys")
		}
		rows = rows[i : i+1]
		if !o.json {
			a.Say("%s", settings.Plain(rows[0].value))
			return broken
		}
	}
	return errors.Join(a.Give(term.List[settingRow]{Items: rows, Page: rows.show, Cells: settingRow.cells, Object: settingRow.object}, o.json), broken)
}

type settingRow struct {
	key    string
	value  any
	source string
}

type settingRows []settingRow

func (rs settingRows) show(p *term.Page) {
	rows := make([][]string, len(rs))
	for i, r := range rs {
		// The folder is the same on all lines, and the line is what counts.
		rows[i] = []string{r.key, settings.Plain(r.value), filepath.Base(r.source)}
	}
	p.Table([]string{"Key", "Value", "From"}, rows, 1)
}

func (r settingRow) cells() []string { return []string{r.key, settings.Plain(r.value), r.source} }

func (r settingRow) object() any {
	return struct {
		Key    string `json:"key"`
		Value  any    `json:"value"`
		Source string `json:"source"`
	}{r.key, r.value, r.source}
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
		_, err = settings.Load(p.Config)
		if err == nil {
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
