// Measure runs commands one after the other and prints what each cost. It is a small
// program of its own because Linux counts the parent's peak memory into that of a child.
//
// It reads one JSON object a line from standard input and answers each with one.
package main

import (
	"encoding/json"
	"os"
	"syscall"
	"time"
)

type job struct {
	Args, Env   []string
	Dir         string
	Stdin       string // these three are files
	Stdout      string
	Stderr      string
	WaitSeconds int
}

type cost struct {
	Wall, CPU time.Duration
	MaxRSS    int64 // as the system counts it
	Code      int
	Error     string
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var j job
		if in.Decode(&j) != nil {
			return
		}
		c, err := run(j)
		if err != nil {
			c.Error = err.Error()
		}
		if out.Encode(c) != nil {
			return
		}
	}
}

func run(j job) (c cost, err error) {
	var files [3]*os.File
	for i, name := range []string{j.Stdin, j.Stdout, j.Stderr} {
		flags := os.O_RDWR | os.O_CREATE | os.O_TRUNC
		if i == 0 {
			flags = os.O_RDONLY
		}
		if files[i], err = os.OpenFile(name, flags, 0o600); err != nil {
			return c, err
		}
		defer files[i].Close()
	}
	start := time.Now()
	p, err := os.StartProcess(j.Args[0], j.Args, &os.ProcAttr{Dir: j.Dir, Env: j.Env, Files: files[:]})
	if err != nil {
		return c, err
	}
	bound := time.AfterFunc(time.Duration(j.WaitSeconds)*time.Second, func() { _ = p.Kill() })
	defer bound.Stop()
	st, err := p.Wait()
	if err != nil {
		return c, err
	}
	c.Wall, c.CPU, c.Code = time.Since(start), st.UserTime()+st.SystemTime(), st.ExitCode()
	c.MaxRSS = st.SysUsage().(*syscall.Rusage).Maxrss
	return c, nil
}
