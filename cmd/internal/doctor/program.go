package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/live"
	"learnings/extractor/model/llm"
)

// A Program holds the inputs of the checks of the program.
type Program struct {
	Version string
	Small   string   // the path of learnings-hook, or ""
	Config  string   // the path of config.toml
	Invalid error    // what is wrong with them
	Trusts  string   // what the settings trust
	Trusted bool     // a person has confirmed that
	Former  []string // settings that no longer have an effect
	Off     bool     // the environment switches hooks off
	Learn   bool     // learning.enabled
	Given   int      // learning.max_inject
	State   string

	Model    *llm.Config // how to ask the chosen model; nil for the rules
	NoModel  error       // why Model could not be determined
	Ceiling  float64     // US dollars in a month; 0 for none
	LookPath func(program string) (string, error)
	Online   bool // contact the model's server

	Now   time.Time
	Short func(path string) string // formats a path for people
}

// Questions returns the checks of the program.
func (p Program) Questions() []Question {
	return []Question{
		{Group: "Program", Name: "version", Ask: p.program},
		{Group: "Program", Name: "settings", Ask: p.settings},
		{Group: "Program", Name: "listening", Ask: p.listening},
		{Group: "Program", Name: "worker", Ask: p.worker},
		{Group: "Program", Name: "model", Ask: p.model},
	}
}

func (p Program) program(context.Context) []Check {
	if p.Small == "" {
		return []Check{Fine("version", "%s", p.Version), Notable("hooks", "`go install ./cmd/...` installs both",
			"learnings-hook, which answers them, is neither beside learnings nor in the PATH")}
	}
	return []Check{Fine("version", "%s", p.Version), Fine("hooks", "answered by %s", p.Short(p.Small))}
}

func (p Program) settings(context.Context) (out []Check) {
	if p.Invalid != nil {
		for line := range strings.Lines(p.Invalid.Error()) {
			out = append(out, Bad("settings", "`learnings config --edit` opens the file", "%s", strings.TrimSpace(line)))
		}
	}
	for _, f := range p.Former {
		out = append(out, Notable("settings", "take it out: `learnings config --edit`", "%s", f))
	}
	switch {
	case p.Trusts != "" && p.Trusted:
		out = append(out, Fine("trusted", "%s", p.Trusts))
	case p.Trusts != "":
		out = append(out, Notable("trusted", "open the desk, which asks whether it is yours", "no person has confirmed it, so it has no effect: %s", p.Trusts))
	}
	if p.Invalid != nil || len(p.Former) > 0 {
		return out
	}
	if _, err := os.Stat(p.Config); err != nil {
		return []Check{Fine("settings", "no file, so the defaults hold")}
	}
	return append(out, Fine("settings", "%s", p.Short(p.Config)))
}

// listening checks that nothing keeps hooks from giving lessons and noting sessions.
func (p Program) listening(context.Context) (out []Check) {
	const name = "listening"
	pauses, err := live.LoadPauses(p.State)
	if err != nil {
		out = append(out, Bad(name, "remove the file when you do not remember a pause: what was said in one is then read", "nothing is given or noted: %v", err))
	}
	if now, ok := pauses.At(p.Now); ok {
		until := "until you end it"
		if !now.Until.IsZero() {
			until = "until " + term.Moment(now.Until)
		}
		out = append(out, Notable(name, "`learnings pause --end`", "paused since %s, %s: nothing is given or noted", term.Moment(now.From), until))
	}
	if p.Off {
		out = append(out, Notable(name, "unset "+llm.DisableVariable, "%s is set: hooks that are started from here do nothing", llm.DisableVariable))
	}
	if !p.Learn {
		out = append(out, Notable(name, "`learnings config --edit`", "learning.enabled is false: sessions are not noted as they end"))
	}
	if p.Given < 1 {
		out = append(out, Notable(name, "`learnings config --edit`", "learning.max_inject is 0: no session is given a lesson"))
	}
	if len(out) == 0 {
		out = append(out, Fine(name, "not paused"))
	}
	return out
}

// unhandled is how old a notice may get before it shows that no worker starts.
const unhandled = time.Hour

// worker checks for notices of hooks that no worker has handled.
func (p Program) worker(context.Context) (out []Check) {
	const name, now = "worker", "`learnings hook worker` takes them up now"
	q, err := live.Spool{State: p.State}.Look()
	if err != nil {
		return []Check{Bad(name, "", "what waits for it cannot be read: %v", err)}
	}
	runs := live.Running(p.State)
	waits := fmt.Sprintf("%s to read", term.Plural(q.Notices, "notice"))
	switch {
	case q.Full:
		out = append(out, Bad(name, now, "the list of sessions to read is full (%s): hooks can note no more", waits))
	case runs:
		out = append(out, Fine(name, "runs now, %s", waits))
	case q.Notices > 0 && p.Now.Sub(q.Oldest) > unhandled:
		out = append(out, Notable(name, now, "%s, the oldest since %s, and no worker runs", waits, term.Moment(q.Oldest)))
	default:
		out = append(out, Fine(name, "%s", strings.Replace(waits, "0 notices to read", "nothing waits", 1)))
	}
	if q.Failed > 0 {
		out = append(out, Notable(name, "`learnings extract` reads what has not been read", "%s over which workers ended were put aside", term.Plural(q.Failed, "notice")))
	}
	crash := filepath.Join(p.State, "worker.err")
	if info, err := os.Stat(crash); err == nil && info.Size() > 0 {
		out = append(out, Notable(name, "read it, and remove it", "one crashed; what it said is in %s", p.Short(crash)))
	}
	return out
}

// model checks the chosen model and the spending limits.
func (p Program) model(ctx context.Context) []Check {
	const name = "model"
	hint := "set the key, install the program, or choose another: `learnings stats models`"
	switch {
	case p.NoModel != nil:
		return []Check{Bad(name, hint, "%v", p.NoModel)}
	case p.Model == nil:
		return []Check{Fine(name, "none is chosen: the built-in rules propose")}
	}
	if err := p.Model.Ready(p.LookPath); err != nil {
		return []Check{Bad(name, hint, "%v", err)}
	}
	text := p.Model.Model.String() + " is set up"
	if p.Online {
		if err := p.Model.Reach(ctx); err != nil {
			return []Check{Bad(name, "see that the network, the address and the key are right", "%v", err)}
		}
		text += ", and its server answers"
	}
	if p.Ceiling > 0 {
		spent, err := p.spent()
		if err != nil {
			return []Check{Bad(name, "", "%v", err)}
		}
		text += fmt.Sprintf("; $%.2f of $%.2f spent this month", spent, p.Ceiling)
		if spent >= p.Ceiling {
			return []Check{Notable(name, "raise learning.max_usd_per_month, or wait for the next month", "%s", text)}
		}
	}
	return []Check{Fine(name, "%s", text)}
}

// spent returns the cost of this month.
func (p Program) spent() (float64, error) {
	_, month, err := (&llm.Spend{Dir: p.State, Now: func() time.Time { return p.Now }}).Totals()
	return month.Cost.USD, err
}
