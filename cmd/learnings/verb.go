package main

import (
	"cmp"
	"embed"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/cli"
)

// helpTexts hold the help of each verb, in a file of its name.
//
//go:embed help
var helpTexts embed.FS

// A verb is a command in the making, with its flags.
type verb struct{ cli.Verb }

// A need opens what a verb requires before it runs.
type need func(*app) error

// The needs, each including those above. They create no folder before the first write.
var (
	needsNothing  need = func(*app) error { return nil }
	needsPlaces        = (*app).locate
	needsSettings      = (*app).configure
	needsReading       = (*app).open // also where the settings are broken
	needsCorpus   need = func(a *app) error { return cmp.Or(a.open(), a.broken) }
)

// needsPerson is the need of verbs that only a person may run. The deed completes the
// error, as in "approve lessons".
func needsPerson(deed string) need { return func(a *app) error { return a.person(deed) } }

// needsSeat is needsPerson for deeds that cannot wait to be confirmed.
func needsSeat(deed string) need { return func(a *app) error { return a.seated(deed) } }

// verb makes a verb. The pairs in fill replace words in braces in its help.
func (a *app) verb(name string, n need, args cobra.PositionalArgs, fill ...string) verb {
	help, err := helpTexts.ReadFile("help/" + strings.ReplaceAll(name, " ", "-") + ".txt")
	if err != nil {
		panic(err) // a bug in this program
	}
	return verb{cli.New(string(help), args, func() error { return n(a) }, fill...)}
}

// json adds --json.
func (v verb) json(a *app, usage string) { v.BoolVar(&a.JSON, "json", false, usage) }

func (v verb) project() *string { return v.String("project", "", "of this project only") }

// from adds --from, which names transcripts.
func (v verb) from() *[]string {
	return v.StringArray("from", nil, "look in this file or folder instead; repeat it for more")
}

// limit adds --limit; its value is negative when not given.
func (v verb) limit(usage string) *int { return v.IntP("limit", "n", -1, usage) }

// formerStyle accepts --style amplihack, which command files of earlier versions pass.
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
