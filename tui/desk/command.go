package desk

import (
	"fmt"
	"os/exec"
	"regexp"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/kit"
)

// placeholder matches what a command may ask of the lesson.
var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// filled returns a line for the shell with the placeholders replaced by words of the
// lesson, each quoted, so that no text of a lesson is read as a command.
func filled(line string, l lessons.Lesson) (string, error) {
	first := append(l.Evidence[:len(l.Evidence):len(l.Evidence)], lessons.Evidence{})[0]
	values := map[string]string{
		"id": string(l.ID), "handle": l.ID.Handle(), "sentence": l.Content, "why": l.Insight, "example": l.Example, "category": string(l.Category),
		"project": l.Scope.Project, "role": l.Scope.Role, "status": string(l.Status), "confidence": l.Confidence.String(), "tags": strings.Join(l.Tags, ","),
		"quote": first.Quote, "session": first.Session, "file": first.Path, "line": fmt.Sprint(first.Line),
	}
	var err error
	out := placeholder.ReplaceAllStringFunc(line, func(name string) string {
		value, ok := values[name[1:len(name)-1]]
		if !ok {
			err = fmt.Errorf("there is no placeholder %s", name)
		}
		return "'" + strings.ReplaceAll(lessons.Block(value), "'", `'\''`) + "'"
	})
	return out, err
}

// Command runs the person's command on a lesson in the terminal, waits for enter, and
// looks for changes.
func (fx Desk) Command(line string, l lessons.Lesson) kit.Out {
	text, err := filled(line, l)
	sh, missing := exec.LookPath("sh")
	switch {
	case err != nil:
		return kit.Warn("the command was not run: %v", err)
	case missing != nil || runtime.GOOS == "windows":
		return kit.Warn("the command was not run: commands need a shell named sh")
	}
	const wait = "\nstatus=$?; printf '\\n(%s) enter goes back to the desk ' \"$status\"; read -r _; exit $status"
	return kit.Out{Cmd: Exec([]string{sh, "-c", text + wait}, func(err error) tea.Msg {
		o := kit.Say("✓ %s", lessons.Line(line))
		if err != nil {
			o = kit.Warn("%s ended with %v", lessons.Line(line), err)
		}
		return kit.OutMsg{Out: o.And(kit.Run(fx.Sync()))}
	})}
}
