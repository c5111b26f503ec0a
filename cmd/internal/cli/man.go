package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// A Manual writes manual pages, for man(1), from the help of verbs.
type Manual struct {
	Version string
	Parts   []string // of the root's page, behind the verbs: each a line for its title, and text
}

// Write writes the page of a verb and those of the verbs below it into a folder.
func (m Manual) Write(cmd *cobra.Command, folder string) error {
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"), []byte(m.Page(cmd)), 0o644)
	}
	if err != nil {
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
	r.part("NAME", name+" - "+cmd.Short)
	r.part("SYNOPSIS", synopsis(cmd))
	r.part("DESCRIPTION", cmp.Or(cmd.Long, cmd.Short))
	if cmd.HasParent() {
		r.part("OPTIONS", cmd.LocalFlags().FlagUsages())
		r.part("EXAMPLES", cmd.Example)
		for _, sub := range cmd.Commands() {
			r.verb(sub)
		}
	}
	r.part("OPTIONS OF EVERY VERB", root.PersistentFlags().FlagUsages())
	if cmd.HasParent() {
		r.part("SEE ALSO", root.Name()+"(1)")
		return r.String()
	}
	for _, g := range root.Groups() {
		r.macro("SH", strings.ToUpper(strings.TrimSuffix(g.Title, ":")))
		for _, sub := range root.Commands() {
			if sub.GroupID == g.ID {
				r.verb(sub)
			}
		}
	}
	for _, part := range m.Parts {
		title, text, _ := strings.Cut(strings.TrimSpace(part), "\n")
		r.part(strings.ToUpper(strings.TrimSuffix(title, ":")), text)
	}
	return r.String()
}

// synopsis is how a verb is called; its flags are listed below it.
func synopsis(cmd *cobra.Command) string { return strings.TrimSuffix(cmd.UseLine(), " [flags]") }

// A roff is a page in the making, with the macros of man(7).
type roff struct{ strings.Builder }

// verb adds a verb in full, with those below it.
func (r *roff) verb(cmd *cobra.Command) {
	if !cmd.IsAvailableCommand() {
		return
	}
	r.macro("SS", synopsis(cmd))
	r.text(cmd.Short + ".")
	examples := ""
	if cmd.HasExample() {
		examples = "Examples:\n" + cmd.Example
	}
	for _, part := range []string{cmd.Long, cmd.LocalFlags().FlagUsages(), examples} {
		if part != "" {
			r.macro("PP")
			r.text(part)
		}
	}
	for _, sub := range cmd.Commands() {
		r.verb(sub)
	}
}

// part adds a part with a title, unless it says nothing.
func (r *roff) part(title, text string) {
	if text != "" {
		r.macro("SH", title)
		r.text(text)
	}
}

// macro adds a line that tells the formatter something, and its words.
func (r *roff) macro(name string, words ...string) {
	r.WriteString("." + name)
	for _, w := range words {
		r.WriteString(` "` + escapeRoff(w) + `"`)
	}
	r.WriteByte('\n')
}

// text adds text with the line breaks that it has. No line is a macro, also one that begins
// with a dot.
func (r *roff) text(s string) {
	r.macro("nf")
	for line := range strings.Lines(strings.TrimRight(s, "\n")) {
		if strings.HasPrefix(line, ".") {
			r.WriteString(`\&`)
		}
		r.WriteString(escapeRoff(strings.TrimRight(line, "\n")) + "\n")
	}
	r.macro("fi")
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
