// Package decide has the questions that the desk asks before something is done to lessons:
// about several at once, why one is rejected, whether a flagged one is meant, what comes of
// a merge, and which of two that contradict each other holds.
package decide
