// Package model proposes lessons from a session by asking a language model.
//
// It sends a digest of the session, not its file: the person's words, what the agent
// was about to do or conceded around them, and errors with their cures, within a budget
// of tokens and after redaction. Pasted logs and reviews are cut short. Several short
// sessions share a call ([Proposer.Extract]).
//
// An answer is believed only as far as it quotes. A proposal is dropped and counted
// unless its quote is in the session; the speaker comes from the session, not from the
// answer. Commands, addresses and names in a lesson that the person never used are
// listed in [lessons.Origin].Unsaid, and that proposal has to be decided on separately.
//
// The package can also ask for one wording of several lessons ([Proposer.MergeText]) or
// a better one of a proposal ([Proposer.Reword]). Each number, path, flag and name in
// it must have been said.
//
// Package llm reaches the models. This package stores no lessons, only hashes of the
// records that were sent.
package model
