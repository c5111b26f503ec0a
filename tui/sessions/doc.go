// Package sessions is the screen that lists the transcripts of this machine and extracts
// lessons from them.
package sessions
