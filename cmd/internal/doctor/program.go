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
	Moved   bool     // hooks that a team shares go by other places
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

func (p Program) program(_ context.Context, r *Reply) {
	r.Fine("%s", p.Version)
	if p.Small == "" {
		r.Also("hooks", Note, "`go install ./cmd/...` installs both", "learnings-hook, which answers them, is neither beside learnings nor in the PATH")
		return
	}
	r.Also("hooks", OK, "", "answered by %s", p.Short(p.Small))
}

func (p Program) settings(_ context.Context, r *Reply) {
	if p.Invalid != nil {
		for line := range strings.Lines(p.Invalid.Error()) {
			r.Bad("`learnings config --edit` opens the file", "%s", strings.TrimSpace(line))
		}
	}
	for _, f := range p.Former {
		r.Note("take it out: `learnings config --edit`", "%s", f)
	}
	switch {
	case p.Trusts != "" && p.Trusted:
		r.Also("trusted", OK, "", "%s", p.Trusts)
	case p.Trusts != "":
		r.Also("trusted", Note, "open the desk, which asks whether it is yours", "no person has confirmed it, so it has no effect: %s", p.Trusts)
	}
	if p.Moved {
		r.Also("places", Note, "`learnings setup` notes those of today", "hooks that a team shares still go by the folders of when setup or your first decision noted them")
	}
	if p.Invalid != nil || len(p.Former) > 0 {
		return
	}
	if _, err := os.Stat(p.Config); err != nil {
		r.Fine("no file, so the defaults hold")
		return
	}
	r.Fine("%s", p.Short(p.Config))
}

// listening checks that nothing keeps hooks from giving lessons and noting sessions.
func (p Program) listening(_ context.Context, r *Reply) {
	pauses, err := live.LoadPauses(p.State)
	if err != nil {
		r.Bad("remove the file when you do not remember a pause: what was said in one is then read", "nothing is given or noted: %v", err)
	}
	if now, ok := pauses.At(p.Now); ok {
		until := "until you end it"
		if !now.Until.IsZero() {
			until = "until " + term.Moment(now.Until)
		}
		r.Note("`learnings pause --end`", "paused since %s, %s: nothing is given or noted", term.Moment(now.From), until)
	}
	if p.Off {
		r.Note("unset "+llm.DisableVariable, "%s is set: hooks that are started from here do nothing", llm.DisableVariable)
	}
	if !p.Learn {
		r.Note("`learnings config --edit`", "learning.enabled is false: sessions are not noted as they end")
	}
	if p.Given < 1 {
		r.Note("`learnings config --edit`", "learning.max_inject is 0: no session is given a lesson")
	}
	if len(r.checks) == 0 {
		r.Fine("not paused")
	}
}

// unhandled is how old a notice may get before it shows that no worker starts.
const unhandled = time.Hour

// worker checks for notices of hooks that no worker has handled.
func (p Program) worker(_ context.Context, r *Reply) {
	const now = "`learnings hook worker` takes them up now"
	q, err := live.Spool{State: p.State}.Look()
	if err != nil {
		r.Bad("", "what waits for it cannot be read: %v", err)
		return
	}
	waits := fmt.Sprintf("%s to read", term.Plural(q.Notices, "notice"))
	switch runs := live.Running(p.State); {
	case q.Full:
		r.Bad(now, "the list of sessions to read is full (%s): hooks can note no more", waits)
	case runs:
		r.Fine("runs now, %s", waits)
	case q.Notices > 0 && p.Now.Sub(q.Oldest) > unhandled:
		r.Note(now, "%s, the oldest since %s, and no worker runs", waits, term.Moment(q.Oldest))
	case q.Notices == 0:
		r.Fine("nothing waits")
	default:
		r.Fine("%s", waits)
	}
	if q.Failed > 0 {
		r.Note("`learnings extract` reads what has not been read", "%s over which workers ended were put aside", term.Plural(q.Failed, "notice"))
	}
	crash := filepath.Join(p.State, "worker.err")
	if info, err := os.Stat(crash); err == nil && info.Size() > 0 {
		r.Note("read it, and remove it", "one crashed; what it said is in %s", p.Short(crash))
	}
}

// model checks the chosen model and the spending limits.
func (p Program) model(ctx context.Context, r *Reply) {
	const hint = "set the key, install the program, or choose another: `learnings stats models`"
	switch {
	case p.NoModel != nil:
		r.Bad(hint, "%v", p.NoModel)
		return
	case p.Model == nil:
		r.Fine("none is chosen: the built-in rules propose")
		return
	}
	if err := p.Model.Ready(p.LookPath); err != nil {
		r.Bad(hint, "%v", err)
		return
	}
	text := p.Model.Model.String() + " is set up"
	if p.Online {
		if err := p.Model.Reach(ctx); err != nil {
			r.Bad("see that the network, the address and the key are right", "%v", err)
			return
		}
		text += ", and its server answers"
	}
	if p.Ceiling > 0 {
		_, month, err := (&llm.Spend{Dir: p.State, Now: func() time.Time { return p.Now }}).Totals()
		if err != nil {
			r.Bad("", "%v", err)
			return
		}
		text += fmt.Sprintf("; $%.2f of $%.2f spent this month", month.Cost.USD, p.Ceiling)
		if month.Cost.USD >= p.Ceiling {
			r.Note("raise learning.max_usd_per_month, or wait for the next month", "%s", text)
			return
		}
	}
	r.Fine("%s", text)
}
