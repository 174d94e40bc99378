package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	stateFolderPattern = "fleetwright-hub-"
	lockName           = "lock"
)

// stateFolder holds everything that one run of the hub writes: etcd's files, certificates, kubeconfigs, the log.
// While the hub runs it holds a lock in the folder; a hub that was killed with SIGKILL leaves the folder but not the
// lock, and the next hub removes it.
type stateFolder struct {
	path string
	lock *os.File
}

func newStateFolder() (*stateFolder, error) {
	if err := removeAbandonedFolders(os.TempDir()); err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp("", stateFolderPattern)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(filepath.Join(path, lockName))
	if err != nil {
		return nil, err
	}
	return &stateFolder{path: path, lock: lock}, nil
}

func (f *stateFolder) file(elements ...string) string {
	return filepath.Join(append([]string{f.path}, elements...)...)
}

func (f *stateFolder) write(name string, content []byte) (string, error) {
	path := f.file(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, content, 0o600)
}

// remove deletes the folder. Tests that end together with the hub may still write to theirs, which lie in it.
func (f *stateFolder) remove() {
	var err error
	for range 20 {
		if err = os.RemoveAll(f.path); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hub: cannot remove", f.path, err)
	}
	_ = f.lock.Close()
}

// removeAbandonedFolders removes the state folders of hubs that no longer run. A folder without a lock file may be one
// that another hub is creating at this moment, and stays.
func removeAbandonedFolders(parent string) error {
	folders, err := filepath.Glob(filepath.Join(parent, stateFolderPattern+"*"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		path := filepath.Join(folder, lockName)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		lock, err := lockFile(path)
		if err != nil {
			continue
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
		_ = lock.Close()
	}
	return nil
}

// lockFile takes an exclusive lock on a file, which the kernel releases when the process ends in whatever way.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}
