package gimli

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// mainAgent is the agent whose name may be left out.
const mainAgent = "main"

// defaultRole is the role of sessions that name none: no particular agent.
const defaultRole = "developer"

var (
	agentName = lessons.LazyRegexp(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$`)
	noName    = lessons.LazyRegexp(`[^a-z0-9_-]+`)
)

// AgentID returns the name of an agent's folder, by Gimli's rule.
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

// A lesson for one agent has the agent as its role. Only the next two functions know that.

// scopeOf returns the scope of an agent's lessons: every project.
func scopeOf(agent string) lessons.Scope {
	if agent == mainAgent {
		agent = ""
	}
	return lessons.Scope{Role: agent, Global: true}
}

// agentFor returns the existing agent that a lesson is written for: that of its role, or the
// one that it is for alone.
func agentFor(l lessons.Lesson, agents []string) string {
	for _, name := range []string{l.Scope.Role, l.Limit.Agent} {
		if name != "" && slices.Contains(agents, AgentID(name)) {
			return AgentID(name)
		}
	}
	return mainAgent
}
