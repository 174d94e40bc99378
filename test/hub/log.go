package main

import (
	"os"

	"golang.org/x/sys/unix"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// logTo sends the log of every component to one file, and with it whatever else the process writes to standard error:
// some libraries have loggers of their own, and a crash should be found there too.
func logTo(path string, folder *stateFolder) (string, func(), error) {
	if path == "" {
		path = folder.file("hub.log")
	}
	file, err := os.Create(path)
	if err != nil {
		return "", nil, err
	}
	if err := unix.Dup2(int(file.Fd()), unix.Stderr); err != nil {
		return "", nil, err
	}
	ctrl.SetLogger(klog.Background())
	return path, func() {
		klog.Flush()
		_ = file.Close()
	}, nil
}

// keptLog names a place where the log is still to be read after the state folder is gone.
func keptLog(wanted, path string) string {
	if wanted != "" {
		return wanted
	}
	klog.Flush()
	kept, err := os.CreateTemp("", "fleetwright-hub-failed-*.log")
	if err != nil {
		return err.Error()
	}
	defer kept.Close()
	content, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if _, err := kept.Write(content); err != nil {
		return err.Error()
	}
	return kept.Name()
}
