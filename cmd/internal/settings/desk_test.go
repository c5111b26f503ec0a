package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Setting a key of the desk changes nothing else in the file.
func TestSetDesk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	for _, before := range []string{"", "# mine\nname = \"Ada\"\n\n[desk]\ntheme = \"dark\" # at night\n\n[learning]\nenabled = false\n", "desk.theme = \"dark\"\n"} {
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := SetDesk(path, "desk.theme", "light")
		if strings.HasPrefix(before, "desk.") { // which a line editor does not know
			if text, _ := os.ReadFile(path); err == nil || string(text) != before {
				t.Errorf("%v, and the file is %q", err, text)
			}
			continue
		}
		if err == nil {
			err = SetDesk(path, "desk.motion", "false")
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := Load(path)
		if err != nil || c.Desk.Theme.Value != "light" || c.Desk.Motion.Value || !c.Desk.Mouse.Value {
			t.Errorf("%+v, %v", c.Desk, err)
		}
		if text, _ := os.ReadFile(path); before != "" && (!strings.Contains(string(text), "# at night") || c.Name.Value != "Ada" || c.Learning.Enabled.Value) {
			t.Errorf("the file became\n%s", text)
		}
	}
	for name, value := range map[string]string{"desk.theme": "pink", "desk.colour": "red", "learning.enabled": "true"} {
		if err := SetDesk(path, name, value); err == nil {
			t.Errorf("%s = %s is taken", name, value)
		}
	}
}
