package main

import (
	"net"
	"sync"
)

// severableListener is a listener whose connections can all be cut at once, as when the process of a server is killed.
type severableListener struct {
	net.Listener
	mutex   sync.Mutex
	severed bool
	open    map[net.Conn]struct{}
}

// Accept never returns an error when severed: kube-apiserver panics if its listener ends before it does. Until then,
// clients are rejected.
func (l *severableListener) Accept() (net.Conn, error) {
	for {
		connection, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.keep(connection) {
			return &severableConnection{connection, l}, nil
		}
		_ = connection.Close()
	}
}

func (l *severableListener) keep(connection net.Conn) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.severed {
		return false
	}
	l.open[connection] = struct{}{}
	return true
}

// sever closes every connection that was accepted, without a word to the other side, and lets in no more.
func (l *severableListener) sever() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.severed = true
	for connection := range l.open {
		_ = connection.Close()
	}
}

type severableConnection struct {
	net.Conn
	listener *severableListener
}

func (c *severableConnection) Close() error {
	c.listener.mutex.Lock()
	delete(c.listener.open, c.Conn)
	c.listener.mutex.Unlock()
	return c.Conn.Close()
}
