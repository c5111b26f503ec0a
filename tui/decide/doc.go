// Package decide provides the dialogs for decisions: on several lessons at once, the
// reason of a rejection, the confirmation of a flagged lesson, merging, settling a
// contradiction, editing a lesson, and its history. Text is never lost: it is kept as a
// draft, and the next edit of the lesson resumes it.
package decide
