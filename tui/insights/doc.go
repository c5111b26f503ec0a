// Package insights is the screen of the desk that shows figures of what waits, what is given, which mistakes come back and what is out of date.
package insights
