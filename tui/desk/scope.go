package desk

import (
	"slices"

	"learnings/index"
)

// A Scope limits the lists of all screens. The zero Scope is everything.
type Scope struct {
	Name     string   // as the header says it
	Projects []string // whose lessons are listed, with those that hold in every project
}

// ScopeMsg tells the screens the scope that the person has chosen.
type ScopeMsg Scope

// On limits a query to the scope.
func (s Scope) On(q index.Query) index.Query {
	q.Filters = slices.Clip(q.Filters)
	for _, name := range s.Projects {
		q = q.Where(index.For, name)
	}
	return q
}

// Holds reports whether what was done in a project is in the scope.
func (s Scope) Holds(project string) bool {
	return s.Projects == nil || slices.Contains(s.Projects, project)
}

// Scopes are the scopes to choose from: everything, then the project that the person is in,
// then all projects of which this machine has sessions.
func Scopes(here string, known []string) []Scope {
	out := []Scope{{}}
	if here != "" {
		out = append(out, Scope{here, []string{here}})
	}
	if len(known) > 0 {
		out = append(out, Scope{"this machine", known})
	}
	return out
}
