package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// formerStyle takes --style amplihack: the command files that earlier versions wrote for
// agents give it.
type formerStyle struct{}

func (formerStyle) String() string { return "" }
func (formerStyle) Type() string   { return "name" }
func (formerStyle) Set(s string) error {
	if s == "amplihack" {
		return nil
	}
	return errors.New("there are no styles of other programs any more; leave --style out")
}

func takeStyle(cmd *cobra.Command) {
	cmd.Flags().Var(formerStyle{}, "style", "")
	cmd.Flags().Lookup("style").Hidden = true
}
