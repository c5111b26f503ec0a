//go:build !linux

package process

func unmapProgram() {}
