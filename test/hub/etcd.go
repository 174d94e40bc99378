package main

import (
	"errors"
	"net/url"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// startEtcd runs etcd in this process. Its clients use a Unix socket in the state folder, so that nobody else reaches it.
func startEtcd(folder *stateFolder) (*embed.Etcd, string, error) {
	config := embed.NewConfig()
	config.Dir = folder.file("etcd")
	config.Logger = "zap"
	config.LogLevel = "error"
	config.LogOutputs = []string{folder.file("etcd.log")}
	// What the hub holds need not survive it.
	config.UnsafeNoFsync = true
	config.QuotaBackendBytes = 4 << 30
	config.AutoCompactionMode = "periodic"
	config.AutoCompactionRetention = "5m"

	client := url.URL{Scheme: "unix", Path: folder.file("etcd.sock")}
	config.ListenClientUrls = []url.URL{client}
	// Etcd insists on addresses with a port for the peers that a single member does not have, and for those that
	// clients learn from a cluster.
	unused := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.AdvertiseClientUrls, config.ListenPeerUrls, config.AdvertisePeerUrls = unused, unused, unused
	config.InitialCluster = config.InitialClusterFromName(config.Name)

	server, err := embed.StartEtcd(config)
	if err != nil {
		return nil, "", err
	}
	select {
	case <-server.Server.ReadyNotify():
		return server, client.String(), nil
	case err := <-server.Err():
		return nil, "", err
	case <-time.After(20 * time.Second):
		server.Close()
		return nil, "", errors.New("etcd is not ready after 20 s")
	}
}
