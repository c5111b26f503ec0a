// Package model proposes lessons from a session by asking a language model.
//
// What is sent is a [Digest] of the session and not its file: the person's
// words, what the agent was about to do or conceded around them, and errors
// with what cured them, under a budget of tokens and after redaction. What
// comes back is believed only as far as it quotes: a proposal whose quote is
// not word for word in a turn of the session is dropped and counted, and who
// said it is read from the turn and not from the answer.
//
// It can also be asked for one wording of several lessons ([Proposer.MergeText]),
// and is believed as far as each number, path, flag and name of the wording
// stands in one of them.
//
// Which model answers, and over which wire, is for package llm below. The
// package stores nothing but, for batches, what it takes to collect them
// later.
package model
