package redact_test

import (
	"fmt"

	"learnings/extractor/redact"
)

// A secret becomes a mark that says what sort it was; the name in a home folder
// goes too, and what is needed to understand the sentence stays.
func ExampleRedactor_Redact() {
	r := redact.New()
	token := "gh" + "p_q7Xv2LmZ9RtK4wYb8NcD3fGhHt5Jp0SxWe6U"
	fmt.Println(r.Redact("push with " + token + " from /home/ada/src, not from commit 3f786850e387550fdab836ed7e6dc881de23001b"))
	// Output:
	// push with [REDACTED:github-pat] from /home/[REDACTED:user]/src, not from commit 3f786850e387550fdab836ed7e6dc881de23001b
}
