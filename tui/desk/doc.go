// Package desk is what the screens of the review desk share: what the desk is opened on
// (see [Config]), the jobs that read and change lessons, what they answer with, and the
// names of the keys that a person may choose.
package desk
