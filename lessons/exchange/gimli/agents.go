package gimli

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// mainAgent is the agent whose name may be left out.
const mainAgent = "main"

// defaultRole is that of sessions which name none: no agent in particular.
const defaultRole = "developer"

var (
	agentName = lessons.LazyRegexp(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$`)
	noName    = lessons.LazyRegexp(`[^a-z0-9_-]+`)
)

// AgentID is the name of an agent's folder, by Gimli's rule.
func AgentID(name string) string {
	name = strings.TrimSpace(name)
	low := strings.ToLower(name)
	if agentName().MatchString(name) {
		return low
	}
	low = strings.Trim(noName().ReplaceAllString(low, "-"), "-")
	low = low[:min(len(low), 64)]
	if low == "" {
		return mainAgent
	}
	return low
}

// A lesson for one agent has the agent as its role. The next two functions are all
// that knows of it.

// scopeOf is for whom a lesson of an agent holds: in every project.
func scopeOf(agent string) lessons.Scope {
	if agent == mainAgent {
		agent = ""
	}
	return lessons.Scope{Role: agent, Global: true}
}

// agentFor is the agent, of those that there are, for whom a lesson is written.
func agentFor(s lessons.Scope, agents []string) string {
	if s.Role != "" && slices.Contains(agents, AgentID(s.Role)) {
		return AgentID(s.Role)
	}
	return mainAgent
}
