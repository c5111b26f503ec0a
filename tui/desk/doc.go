// Package desk is what the screens of the review desk share: its configuration (see
// [Config]), the jobs that read and change lessons, their answers, and the person's keys.
package desk
