// Package sessions is the screen of the desk that shows the transcripts of every agent on this machine, and takes lessons from them.
package sessions
