package tui

import (
	"testing"

	"learnings/lessons"
	"learnings/tui/desk"
)

// A person goes back to before any decision, sees what that changes, and undoes it by one
// key; decisions of another day count too.
func TestGoBackToAnyPoint(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.see("Review 5", "idle")
	p.press("a").see("Review 4", "✓ approved")
	p.press("x").see("Review 3", "✗ 1")
	p.press("s").see("Review 2", "snoozed until")
	p.press("ctrl+t").see("what you decided", "snooze “", "1 decision undone, 1 lesson changed", "r go back to before it")
	p.press("j", "j").see("3 decisions undone, 3 lessons changed", "approved → pending", "rejected → pending")
	p.press("r").see("Review 5", "3 decisions on 3 lessons; ctrl+r does them again")
	p.press("ctrl+t").see("you have decided nothing yet")
	p.press("esc").press("ctrl+r").see("Review 2", "✓ redone")
	p.quit()
	p.status("p2r7e4fx", lessons.Approved)
}

// One key turns the scope of all lists; the header says it, and the tabs count what is in it.
func TestScope(t *testing.T) {
	ls := proposals()
	ls[0].Scope.Project = "ledger"
	p := at(t, 140, 30, ls, func(c *desk.Config) { c.Next.Project = "ledger" })
	p.see("Review 5", "Use pnpm", "idle")
	p.press("Z").see("ledger Z", "Review 1 ", "likely 1")
	p.press("4").see("ledger  ", "4 Insights")                                                              // not seen before Z
	p.press("1").press("/").write("nothing like it").press("enter").see("No proposal matches", "Review 1 ") // the tab counts the scope
	p.press("2").see("No lesson is like that in ledger. Z turns")
	p.press("Z").see("Run `buf breaking`")
	p.press("1").see("Review 5", "No proposal matches").press("esc").see("likely 4", "Use pnpm")
	p.quit()

	ls[0].Scope.Project = "a-project-with-a-long-name"
	p = at(t, 80, 24, ls, func(c *desk.Config) { c.Next.Project = ls[0].Scope.Project })
	p.press("/").write("pnpm").press("enter").see("Use pnpm").press("Z").see("Review 1 ", "a-projec… Z", "No proposal matches")
	p.press("esc").see("1 left")
	p.quit()
}
