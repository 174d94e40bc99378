package main

import (
	"context"
	"io"
	"os"
)

// untilStdinCloses returns a context that ends when standard input reaches its end. A parent that is killed cannot
// send a signal, but the kernel closes its end of the pipe.
func untilStdinCloses(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	return ctx
}
