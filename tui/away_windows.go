package tui

import "context"

func (*away) listen()              {}
func (*away) deaf()                {}
func (*away) stop(context.Context) {}

// hasShell is false: jobs are not stopped there.
func hasShell() bool { return false }
