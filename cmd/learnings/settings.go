package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/extractor/model/llm"
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
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return configNames(), cobra.ShellCompDirectiveNoFileComp
		},
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
	c := defaults("")
	for _, k := range configKeys {
		v, _ := k.get(&c)
		fmt.Fprintf(&b, "  %s = %s\n      %s\n", k.name, tomlValue(v), k.doc)
	}
	b.WriteString("  [aliases]\n      other names of projects: \"old name\" = \"name\"\n")
	return b.String()
}

func configNames() []string {
	names := make([]string, len(configKeys))
	for i, k := range configKeys {
		names[i] = k.name
	}
	return names
}

func printConfig(a *app, o settingsOptions, args []string) error {
	p, err := a.located()
	if err != nil {
		return err
	}
	if o.path {
		a.Say("%s", p.config)
		return nil
	}
	c, broken := loadConfig(p.config)
	c.heed(a.getenv)
	if c.Name.Value == "" {
		c.Name.Value = a.username()
	}
	rows := make(settingRows, 0, len(configKeys)+len(c.Aliases))
	for _, k := range configKeys {
		v, source := k.get(&c)
		rows = append(rows, settingRow{k.name, v, a.short(source)})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Aliases)) {
		rows = append(rows, settingRow{"aliases." + name, c.Aliases[name], a.short(p.config)})
	}
	if len(args) > 0 {
		i := slices.IndexFunc(rows, func(r settingRow) bool { return r.key == args[0] || r.key == "learning."+args[0] })
		if i < 0 {
			return term.Hint(term.Usagef("unknown key %q; did you mean %s?", args[0], nearestKey(args[0])), "`learnings config` lists the keys")
		}
		rows = rows[i : i+1]
		if !o.json {
			a.Say("%s", plainValue(rows[0].value))
			return broken
		}
	}
	return errors.Join(a.Give(rows, o.json), broken)
}

// heed takes in what the environment says of a setting, and says so.
func (c *config) heed(getenv func(string) string) {
	m, err := llm.ParseModel(c.Learning.Model.Value)
	if err != nil {
		return
	}
	if name := baseVariables[m.Provider]; name != "" && getenv(name) != "" {
		c.Learning.BaseURL = setting[string]{getenv(name), name}
	}
}

type settingRow struct {
	key    string
	value  any
	source string
}

type settingRows []settingRow

func (rs settingRows) Terminal(p *term.Page) {
	rows := make([][]string, len(rs))
	for i, r := range rs {
		// The folder is the same on all lines, and the line is what counts.
		rows[i] = []string{r.key, plainValue(r.value), filepath.Base(r.source)}
	}
	p.Table([]string{"Key", "Value", "From"}, rows, 1)
}

func (rs settingRows) Plain(w io.Writer) {
	for _, r := range rs {
		term.TSV(w, r.key, plainValue(r.value), r.source)
	}
}

func (rs settingRows) Objects() []any {
	type object struct {
		Key    string `json:"key"`
		Value  any    `json:"value"`
		Source string `json:"source"`
	}
	out := make([]any, len(rs))
	for i, r := range rs {
		out[i] = object{r.key, r.value, r.source}
	}
	return out
}

// plainValue is a value as a script wants it: a text without quotes.
func plainValue(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return tomlValue(v)
}

// tomlValue is a value as config.toml has it.
func tomlValue(v any) string {
	switch v := v.(type) {
	case string:
		return tomlString(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []string:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = tomlString(w)
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// configTemplate is a file that says nothing and shows everything.
func configTemplate() []byte {
	var b bytes.Buffer
	b.WriteString("# Settings of learnings. Each line that is commented out shows the default;\n# `learnings config` prints what holds.\n\n")
	c := defaults("")
	table := ""
	for _, k := range configKeys {
		name := k.name
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			if name[:i] != table {
				table = name[:i]
				fmt.Fprintf(&b, "[%s]\n", table)
			}
			name = name[i+1:]
		}
		v, _ := k.get(&c)
		fmt.Fprintf(&b, "# %s\n# %s = %s\n\n", k.doc, name, tomlValue(v))
	}
	b.WriteString("# Other names of projects.\n[aliases]\n# \"old name\" = \"name\"\n")
	return b.Bytes()
}

// editConfig opens the file in the person's editor, again and again while it is
// wrong and they want to. What they wrote stays there, right or wrong.
//
// The settings say what runs by itself, what it may cost and who is asked, so
// they are for a person to change.
func editConfig(ctx context.Context, a *app) error {
	if err := a.noAgent("change the settings"); err != nil {
		return err
	}
	p, err := a.located()
	if err != nil {
		return err
	}
	editor, err := a.editorCommand()
	if err != nil {
		return err
	}
	var made []byte
	if _, err := os.Stat(p.config); errors.Is(err, fs.ErrNotExist) {
		made = configTemplate()
		if err := replaceFile(p.config, made); err != nil {
			return fmt.Errorf("making %s: %w", a.short(p.config), err)
		}
	}
	for {
		runErr := a.runEditor(editor, p.config)
		text, err := os.ReadFile(p.config)
		if made != nil && err == nil && bytes.Equal(text, made) {
			// A file that says nothing need not stay; nor its folder, if it is empty.
			_ = os.Remove(p.config)
			_ = os.Remove(filepath.Dir(p.config))
			if runErr == nil {
				a.Say("nothing was changed")
			}
			return runErr
		}
		if runErr != nil {
			return runErr
		}
		_, err = loadConfig(p.config)
		if err == nil {
			a.Say("%s is right; `learnings config` prints what holds", a.short(p.config))
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
