package recall

import (
	"fmt"
	"strings"
	"unicode"

	"learnings/lessons"
)

// Holds reports whether a lesson is for a situation, by its project and its limits.
func (s Situation) Holds(l lessons.Lesson) bool {
	return (l.Scope.Global || l.Scope.Project == s.Project) && s.beyond(l.Limit) == ""
}

// beyond returns why a lesson with a limit does not hold in a situation; "" if it does.
func (s Situation) beyond(m lessons.Limit) string {
	switch {
	case m.Over(s.Now):
		return "its time is over: it held " + lessons.Limit{Until: m.Until}.String()
	case m.Agent != "" && s.Agent == "":
		return fmt.Sprintf("it is for %s only, and which agent asks is not known", lessons.Line(m.Agent))
	case m.Agent != "" && !strings.EqualFold(m.Agent, s.Agent) && !strings.HasPrefix(s.Agent, strings.ToLower(m.Agent)+"-"): // people say claude for claude-code
		return fmt.Sprintf("it is for %s only", lessons.Line(m.Agent))
	case len(m.Paths) > 0 && !s.touches(m.Paths):
		return fmt.Sprintf("it holds for %s, and the task names no such file", lessons.Line(strings.Join(m.Paths, ", ")))
	}
	return ""
}

// touches reports whether a pattern matches a file of the situation.
func (s Situation) touches(patterns []string) bool {
	for _, f := range s.files() {
		for _, p := range patterns {
			if lessons.MeansFile(p, f) {
				return true
			}
		}
	}
	return false
}

// files returns the files of a situation and those that its prompt or error names.
func (s Situation) files() []string {
	files := s.Files
	for _, text := range []string{cut(s.Prompt), cut(s.Error)} {
		files = append(files[:len(files):len(files)], filesIn(text)...)
	}
	return files
}

// filesIn returns the words of a text that can be files.
func filesIn(text string) (files []string) {
	for w := range strings.FieldsSeq(text) {
		w = strings.TrimFunc(w, func(r rune) bool { return unicode.IsPunct(r) && !strings.ContainsRune("/_*.", r) })
		if w = strings.TrimRight(w, "."); strings.ContainsAny(w, `/\.`) {
			files = append(files, w)
		}
	}
	return files
}
