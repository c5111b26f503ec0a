package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unescaped undoes the escapes of a manual page.
var unescaped = strings.NewReplacer(`\-`, "-", `\[u2026]`, "…")

// TestManual checks that the manual has every verb with every flag.
func TestManual(t *testing.T) {
	root := newRoot(newApp(env{}, nil))
	page := unescaped.Replace(manual(root, ""))
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			if !sub.IsAvailableCommand() {
				continue
			}
			start := strings.Index(page, "\n.SS \""+strings.TrimSuffix(sub.UseLine(), " [flags]")+"\"")
			if start < 0 {
				t.Errorf("%s is not in the manual", sub.CommandPath())
				continue
			}
			part, _, _ := strings.Cut(page[start+1:], "\n.SS ")
			sub.LocalFlags().VisitAll(func(f *pflag.Flag) {
				if f.Name != "help" && !f.Hidden && !strings.Contains(part, "--"+f.Name) {
					t.Errorf("%s: --%s is not in the manual", sub.CommandPath(), f.Name)
				}
			})
			check(sub)
		}
	}
	check(root)
}
