package main

import (
	"flag"
	"os"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// logTo sends the log of every component to one file, and whatever a library writes to standard error as well.
func logTo(path string, folder *stateFolder) (string, func(), error) {
	if path == "" {
		path = folder.file("hub.log")
	}
	file, err := os.Create(path)
	if err != nil {
		return "", nil, err
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "alsologtostderr": "false", "one_output": "true", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			return "", nil, err
		}
	}
	klog.SetOutput(file)
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
