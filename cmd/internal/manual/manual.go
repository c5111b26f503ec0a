// Package manual writes the manual pages of a program, for man(1), from what its verbs
// say of themselves.
package manual

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Manual is what the pages have beside the verbs.
type Manual struct {
	Version string
	Parts   []string // of the root's page, behind the verbs: each a line for its title, and text
}

// Write writes the page of a verb and those of the verbs below it into a folder.
func (m Manual) Write(cmd *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("writing the manual: %w", err)
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	if err := os.WriteFile(filepath.Join(folder, name), []byte(m.Page(cmd)), 0o644); err != nil {
		return fmt.Errorf("writing the manual: %w", err)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			if err := m.Write(sub, folder); err != nil {
				return err
			}
		}
	}
	return nil
}

// Page is the manual page of a verb. The page of the root has all verbs in it. There
// is no date on it: the same program makes the same page.
func (m Manual) Page(cmd *cobra.Command) string {
	var r roff
	root, name := cmd.Root(), strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	r.macro("TH", strings.ToUpper(name), "1", "", root.Name()+" "+m.Version, strings.ToUpper(root.Name()[:1])+root.Name()[1:])
	r.macro("SH", "NAME")
	r.line(name + " - " + cmd.Short)
	r.macro("SH", "SYNOPSIS")
	r.macro("B", synopsis(cmd))
	if cmd.HasSubCommands() {
		r.macro("br")
		r.macro("B", cmd.CommandPath()+" VERB")
	}
	r.macro("SH", "DESCRIPTION")
	r.text(cmp.Or(cmd.Long, cmd.Short))
	if cmd.HasParent() {
		r.options("OPTIONS", cmd.LocalFlags())
		r.examples(cmd)
		for _, sub := range cmd.Commands() {
			r.macro("SH", strings.ToUpper(sub.Name()))
			r.verb(sub)
		}
		r.options("OPTIONS OF EVERY VERB", root.PersistentFlags())
		r.macro("SH", "SEE ALSO")
		r.macro("BR", root.Name(), "(1)")
		return r.String()
	}
	r.options("OPTIONS OF EVERY VERB", root.PersistentFlags())
	for _, g := range root.Groups() {
		r.macro("SH", strings.ToUpper(strings.TrimSuffix(g.Title, ":")))
		for _, sub := range root.Commands() {
			if sub.GroupID == g.ID && sub.IsAvailableCommand() {
				r.verb(sub)
			}
		}
	}
	for _, part := range m.Parts {
		title, text, _ := strings.Cut(strings.TrimSpace(part), "\n")
		r.macro("SH", strings.ToUpper(strings.TrimSuffix(title, ":")))
		r.text(text)
	}
	return r.String()
}

// A roff is a page in the making, with the macros of man(7).
type roff struct{ strings.Builder }

// verb adds a verb in full, with those below it.
func (r *roff) verb(cmd *cobra.Command) {
	r.macro("SS", synopsis(cmd))
	r.line(cmd.Short + ".")
	if cmd.Long != "" {
		r.macro("PP")
		r.text(cmd.Long)
	}
	r.options("", cmd.LocalFlags())
	r.examples(cmd)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			r.verb(sub)
		}
	}
}

// synopsis is how a verb is called; its flags are listed below it.
func synopsis(cmd *cobra.Command) string { return strings.TrimSuffix(cmd.UseLine(), " [flags]") }

func (r *roff) options(title string, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if title != "" {
			r.macro("SH", title)
			title = ""
		}
		value, usage := pflag.UnquoteUsage(f)
		names := "--" + f.Name
		if f.Shorthand != "" {
			names = "-" + f.Shorthand + ", " + names
		}
		if value != "" {
			names += " " + value
		}
		if d := f.DefValue; d != "" && d != "false" && d != "[]" && d != "0" && d != "0s" && d != "-1" {
			usage += " (default " + d + ")"
		}
		r.macro("TP")
		r.macro("B", names)
		r.line(usage)
	})
}

func (r *roff) examples(cmd *cobra.Command) {
	if cmd.Example == "" {
		return
	}
	r.macro("PP")
	r.line("Examples:")
	r.macro("PP")
	r.text(cmd.Example)
}

// macro adds a line that tells the formatter something, and its words.
func (r *roff) macro(name string, words ...string) {
	r.WriteString("." + name)
	for _, w := range words {
		r.WriteString(` "` + escapeRoff(w) + `"`)
	}
	r.WriteByte('\n')
}

// text adds text with the line breaks that it has.
func (r *roff) text(s string) {
	r.macro("nf")
	for line := range strings.Lines(strings.TrimRight(s, "\n")) {
		r.line(strings.TrimRight(line, "\n"))
	}
	r.macro("fi")
}

// line adds a line of text, which is no macro whatever it begins with.
func (r *roff) line(s string) {
	if strings.HasPrefix(s, ".") {
		r.WriteString(`\&`)
	}
	r.WriteString(escapeRoff(s) + "\n")
}

// escapeRoff makes text mean itself: a bare hyphen, quote or tilde would come out as
// one of typography, which nobody can paste into a shell.
func escapeRoff(s string) string {
	var b strings.Builder
	for _, c := range roffEscapes.Replace(s) {
		if c < utf8.RuneSelf {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, c)
		}
	}
	return b.String()
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, `"`, `\(dq`, "~", `\(ti`, "^", `\(ha`)
