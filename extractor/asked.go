package extractor

import (
	"cmp"

	"learnings/extractor/redact"
	"learnings/extractor/rules"
	"learnings/lessons"
)

// Asked makes the proposal of what a prompt asks to have remembered, as [rules.Asked] reads
// it, without secrets. at says where and when it was typed; a hook knows no line. The same
// words give one id in a project. ok is false if the prompt asks for nothing of the kind.
func Asked(prompt string, at lessons.Evidence, scope lessons.Scope) (l lessons.Lesson, ok bool) {
	w, quote, ok := rules.Asked(prompt)
	if !ok {
		return l, false
	}
	at.Quote, at.From, at.By = quote, lessons.FromAsked, lessons.ByPerson
	scope.Role = cmp.Or(scope.Role, DefaultRole)
	l = redact.New().Lesson(lessons.Lesson{
		Status: lessons.Pending, Category: "preference", Wording: w, Confidence: rules.SureOfAsked, Created: at.At, Scope: scope,
		Origin:   lessons.Origin{Source: at.Session, Extractor: rules.Name, Rule: rules.AskedRule, Score: rules.SureOfAsked},
		Evidence: []lessons.Evidence{at},
	})
	l.ID = lessons.IDFrom("asked", l.Scope.Project, l.Content)
	return l, l.Validate() == nil
}
