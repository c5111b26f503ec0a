package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// A Manual generates man pages from the help of verbs.
type Manual struct {
	Version string
	Parts   []string // sections of the root's page, after the verbs: a title line, then text
}

// Write writes the pages of a command and of all commands below it into a folder.
func (m Manual) Write(cmd *cobra.Command, folder string) error {
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, pageName(cmd)+".1"), []byte(m.Page(cmd)), 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the manual: %w", err)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && err == nil {
			err = m.Write(sub, folder)
		}
	}
	return err
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Page returns the man page of a command and all commands below it. It has no date, so
// that builds are reproducible.
func (m Manual) Page(cmd *cobra.Command) string {
	var b strings.Builder
	macro := func(name string, words ...string) {
		b.WriteString("." + name)
		for _, w := range words {
			b.WriteString(` "` + escapeRoff(w) + `"`)
		}
		b.WriteByte('\n')
	}
	text := func(s string) { // keeps line breaks; no line may be read as a macro
		macro("nf")
		for line := range strings.Lines(strings.TrimSpace(s) + "\n") {
			b.WriteString(`\&` + escapeRoff(line))
		}
		macro("fi")
	}
	var verb func(*cobra.Command)
	verb = func(c *cobra.Command) {
		macro("SS", strings.TrimSuffix(c.UseLine(), " [flags]"))
		says := []string{c.Short + ".", c.Long, c.LocalFlags().FlagUsages()}
		if c.HasExample() {
			says = append(says, "Examples:\n"+c.Example)
		}
		text(strings.Join(says, "\n\n"))
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				verb(sub)
			}
		}
	}
	root := cmd.Root().Name()
	macro("TH", strings.ToUpper(pageName(cmd)), "1", "", root+" "+m.Version, root)
	macro("SH", "NAME")
	text(pageName(cmd) + " - " + cmd.Short)
	macro("SH", "DESCRIPTION")
	verb(cmd)
	if cmd.HasParent() {
		macro("SH", "SEE ALSO")
		text(root + "(1)")
		return b.String()
	}
	for _, part := range m.Parts {
		title, says, _ := strings.Cut(strings.TrimSpace(part), "\n")
		macro("SH", strings.ToUpper(strings.TrimSuffix(title, ":")))
		text(says)
	}
	return b.String()
}

// escapeRoff escapes text for roff, which would turn a bare hyphen, quote or tilde into a
// typographic one that cannot be pasted into a shell.
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
