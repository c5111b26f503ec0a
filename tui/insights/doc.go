// Package insights is the screen of figures about the queue, what sessions are given,
// mistakes that come back, and outdated lessons.
package insights
