package main

import (
	"bufio"
	"context"
	"os"
)

// untilStdinCloses returns a context that ends when standard input reaches its end, and the lines that come before. A
// parent that is killed cannot send a signal, but the kernel closes its end of the pipe.
func untilStdinCloses(ctx context.Context) (context.Context, <-chan string) {
	ctx, cancel := context.WithCancel(ctx)
	// Room for lines that nobody takes yet, so that the end is noticed also while the hub starts.
	lines := make(chan string, 16)
	go func() {
		defer cancel()
		for input := bufio.NewScanner(os.Stdin); input.Scan(); {
			select {
			case lines <- input.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, lines
}
