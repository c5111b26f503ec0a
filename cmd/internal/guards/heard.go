package guards

import (
	"fmt"
	"slices"

	"learnings/cmd/internal/agents"
)

// Unheard says in lines in which agents of a machine no guard holds in a folder, and why,
// and names those for which setup would change that. Of agents that do not call us at all
// it says so only when no agent asks.
func Unheard(w agents.World, dir string) (lines, names []string) {
	asks, idle := false, []string(nil)
	for _, a := range agents.Find(w) {
		why, wire := a.Asks(dir)
		switch {
		case why == "":
			asks = true
		case !a.CanAsk():
		case len(a.Calls()) == 0:
			idle = append(idle, a.Name)
		case wire:
			lines, names = append(lines, fmt.Sprintf("%s: no guard holds in it, %s; %s wires that", a.Title, why, Setup(a.Name))), append(names, a.Name)
		default:
			lines = append(lines, fmt.Sprintf("%s: no guard holds in it, %s", a.Title, why))
		}
	}
	switch {
	case asks || len(lines) > 0:
	case len(idle) == 0:
		lines = []string{"no guard holds yet: none of the agents here asks before it calls a tool; `learnings setup AGENT` wires one in"}
	default:
		lines, names = []string{"no guard holds yet: none of the agents here asks before it calls a tool; " + Setup(idle...) + " wires that"}, idle
	}
	return lines, names
}

// Setup is what has agents ask before they call a tool. Copilot CLI alone is asked for
// by name.
func Setup(names ...string) string {
	text := "`learnings setup"
	for _, name := range names {
		text += " " + name
	}
	if slices.Contains(names, "copilot") {
		text += " --guard"
	}
	return text + "`"
}
