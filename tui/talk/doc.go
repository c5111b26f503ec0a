// Package talk reads what was said in a session around a line of its transcript, and draws
// it beside a card.
package talk
