package transcript

import "testing"

// Some agents write down a command as it was typed.
func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"/mode": false, "/model opus": false, "/init": false, "": false, "Fix the login": true,
		"/plan the new login page": true, "/src/login.go is broken": true,
	} {
		turn := Turn{Speaker: Person, Kind: Message, Text: text}
		if got := turn.Asks(); got != want {
			t.Errorf("%q asks: %v", text, got)
		}
	}
}
