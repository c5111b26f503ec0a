package main

import (
	"cmp"
	"embed"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/cli"
)

// helpTexts hold the help of each verb in a file of its name.
//
//go:embed help
var helpTexts embed.FS

// A verb is a command in the making, with its flags.
type verb struct{ cli.Verb }

// A need is what a verb has opened before it runs.
type need func(*app) error

// The needs, each with those above it. They make no folder before something is written.
var (
	needsNothing  need = func(*app) error { return nil }
	needsPlaces        = (*app).locate
	needsSettings      = (*app).configure
	needsReading       = (*app).open // also where the settings are broken
	needsCorpus   need = func(a *app) error { return cmp.Or(a.open(), a.broken) }
)

// needsPerson is the need of a verb by which only a person decides. The deed completes the
// error, as in "approve lessons".
func needsPerson(deed string) need { return func(a *app) error { return a.person(deed) } }

// verb makes the verb of a name. The texts of fill replace words in braces in its help.
func (a *app) verb(name string, n need, args cobra.PositionalArgs, fill ...string) verb {
	help, err := helpTexts.ReadFile("help/" + strings.ReplaceAll(name, " ", "-") + ".txt")
	if err != nil {
		panic(err) // of this program
	}
	return verb{cli.New(string(help), args, func() error { return n(a) }, fill...)}
}

// json is the flag that has answers printed as JSON.
func (v verb) json(a *app, usage string) { v.BoolVar(&a.JSON, "json", false, usage) }

func (v verb) project() *string { return v.String("project", "", "of this project only") }

// from is the flag that names transcripts.
func (v verb) from() *[]string {
	return v.StringArray("from", nil, "look in this file or folder instead; repeat it for more")
}

// limit is the flag that bounds a list; less than 0 when it is not given.
func (v verb) limit(usage string) *int { return v.IntP("limit", "n", -1, usage) }

// formerStyle takes --style amplihack: the command files that earlier versions wrote for
// agents give it.
func (v verb) formerStyle() {
	v.Func("style", "", func(s string) error {
		if s == "amplihack" {
			return nil
		}
		return errors.New("there are no styles of other programs any more; leave --style out")
	})
	v.Hide("style")
}

const idsWanted = "ids, or - to read them from standard input"
