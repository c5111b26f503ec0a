// Package decide has the dialogs in which a person decides on lessons: about several at once,
// why one is rejected, whether a flagged one is meant, what comes of a merge, and which of two
// that contradict each other holds; the editor of a lesson, and its history. What is typed is
// never lost: it is kept as a draft, with which the next edit of the lesson goes on.
package decide
