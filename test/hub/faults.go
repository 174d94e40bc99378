package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/storage/mvcc"
)

// faultAnswer is the line printed once a fault is done.
type faultAnswer struct {
	Fault string `json:"fault"`
	// Error is absent on success.
	Error string `json:"error,omitempty"`
}

// cause causes the requested faults, one after another, and answers each with a line.
func (h *hub) cause(ctx context.Context, faults <-chan string, out io.Writer) {
	for {
		select {
		case <-ctx.Done():
			return
		case fault := <-faults:
			answer := faultAnswer{Fault: fault}
			if err := h.fault(ctx, fault); err != nil {
				answer.Error = err.Error()
			}
			if err := json.NewEncoder(out).Encode(answer); err != nil {
				return
			}
		}
	}
}

func (h *hub) fault(ctx context.Context, fault string) error {
	if words := strings.Fields(fault); len(words) == 3 && words[0] == "copy-cluster" {
		return h.copyCluster(ctx, words[1], strings.Split(words[2], ","))
	}
	switch fault {
	case "compact":
		return h.compact(ctx)
	case "kill-api-server":
		h.server.kill()
		return nil
	case "start-api-server":
		return h.server.startAgain(ctx, h.failed)
	case "restart-ocm-controllers":
		h.ocm.stopAll()
		h.ocm.start(ctx)
		return nil
	case "stop-ocm-controllers":
		h.ocm.stopAll()
		return nil
	case "start-ocm-controllers":
		h.ocm.startOthers(ctx)
		return nil
	case "stop-add-on-manager":
		h.ocm.stopAddOnManager()
		return nil
	case "start-add-on-manager":
		h.ocm.startAddOnManager(ctx)
		return nil
	case "stop-managed-cluster", "start-managed-cluster":
		if h.managed == nil {
			return errors.New("there is no managed cluster")
		}
		if fault == "stop-managed-cluster" {
			h.managed.stop()
			return nil
		}
		return h.startManagedCluster(ctx)
	default:
		return fmt.Errorf("no such fault: %q", fault)
	}
}

// compact has etcd forget every version but the present one.
func (h *hub) compact(ctx context.Context) error {
	request := &etcdserverpb.CompactionRequest{Revision: h.etcd.Server.KV().Rev(), Physical: true}
	if _, err := h.etcd.Server.Compact(ctx, request); !errors.Is(err, mvcc.ErrCompacted) {
		return err
	}
	// Nothing was written since the last time.
	return nil
}
