// Package model proposes lessons from a session by asking a language model.
//
// What is sent is a digest of the session and not its file: the person's
// words, what the agent was about to do or conceded around them, and errors
// with what cured them, under a budget of tokens and after redaction. Logs and
// reviews that somebody pasted are cut short. Several short sessions share a
// call ([Proposer.Extract]).
//
// What comes back is believed only as far as it quotes. A proposal is dropped and
// counted unless its quote is in the session; who said it is read from the
// session and not from the answer. Commands, addresses and names in a lesson that
// the person never used are listed in [lessons.Origin].Unsaid, and such a
// proposal has to be decided on by itself.
//
// It can also be asked for one wording of several lessons ([Proposer.MergeText]) or for
// a better one of a proposal ([Proposer.Reword]), and is believed as far as each number,
// path, flag and name of the wording was said.
//
// Package llm knows how to reach a model. This package stores no lessons, only
// sums of the records that were sent.
package model
