package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
)

// protobuf begins every object that the API server does not store as JSON.
var protobuf = []byte("k8s\x00")

// storedObject is an object as etcd has it.
type storedObject struct{ key, value []byte }

// copyCluster writes what etcd has of one cluster for others, with their names and with uids of their own. So a fleet
// has in minutes what all controllers would write for it in an hour. The names have the same length, because protobuf
// has the length of a text before it. Certificate requests are not copied: a hub keeps them for an hour only. Managed
// fields are left out where nobody applies on the side of the server: the API server needs more memory for them than for
// the rest of an object.
func (h *hub) copyCluster(ctx context.Context, model string, names []string) error {
	objects, err := h.objectsOf(ctx, model)
	if err != nil {
		return err
	}
	if len(objects) == 0 {
		return fmt.Errorf("the hub has nothing of %s", model)
	}
	for i, object := range objects {
		if objects[i].value, err = withoutManagedFields(object.value); err != nil {
			return fmt.Errorf("%s: %w", object.key, err)
		}
	}
	uids, err := uidsOf(objects)
	if err != nil {
		return err
	}
	copies, ctx := errgroup.WithContext(ctx)
	copies.SetLimit(16)
	for _, name := range names {
		if len(name) != len(model) {
			return fmt.Errorf("%s and %s have names of different length", model, name)
		}
		replaced := []string{model, name}
		for _, uid := range uids {
			replaced = append(replaced, uid, string(uuid.NewUUID()))
		}
		copies.Go(func() error { return h.put(ctx, objects, replaced) })
	}
	return copies.Wait()
}

// objectsOf returns the objects whose keys have the name of a cluster.
func (h *hub) objectsOf(ctx context.Context, cluster string) ([]storedObject, error) {
	prefix := "/" + h.server.name
	// The last character of the end follows the slash after the prefix.
	request := &etcdserverpb.RangeRequest{Key: []byte(prefix + "/"), RangeEnd: []byte(prefix + "0"), KeysOnly: true}
	all, err := h.etcd.Server.Range(ctx, request)
	if err != nil {
		return nil, err
	}
	var objects []storedObject
	for _, each := range all.Kvs {
		isRequest := bytes.HasPrefix(each.Key, []byte(prefix+"/certificatesigningrequests/"))
		if isRequest || !bytes.Contains(each.Key, []byte(cluster)) {
			continue
		}
		object, err := h.etcd.Server.Range(ctx, &etcdserverpb.RangeRequest{Key: each.Key})
		if err != nil {
			return nil, err
		}
		for _, found := range object.Kvs {
			objects = append(objects, storedObject{found.Key, found.Value})
		}
	}
	return objects, nil
}

// withoutManagedFields removes the managed fields of an object that is stored as JSON, and that nobody has applied.
func withoutManagedFields(value []byte) ([]byte, error) {
	if bytes.HasPrefix(value, protobuf) || bytes.Contains(value, []byte(`"operation":"Apply"`)) {
		return value, nil
	}
	var object unstructured.Unstructured
	if err := object.UnmarshalJSON(value); err != nil {
		return nil, err
	}
	object.SetManagedFields(nil)
	return object.MarshalJSON()
}

// uidsOf returns the uids of objects. Objects that refer to them have them too.
func uidsOf(objects []storedObject) ([]string, error) {
	var uids []string
	for _, object := range objects {
		var partial metav1.PartialObjectMetadata
		if rest, isProtobuf := bytes.CutPrefix(object.value, protobuf); isProtobuf {
			var unknown runtime.Unknown
			if err := unknown.Unmarshal(rest); err != nil {
				return nil, fmt.Errorf("%s: %w", object.key, err)
			}
			if err := partial.Unmarshal(unknown.Raw); err != nil {
				return nil, fmt.Errorf("%s: %w", object.key, err)
			}
		} else if err := json.Unmarshal(object.value, &partial); err != nil {
			return nil, fmt.Errorf("%s: %w", object.key, err)
		}
		if partial.UID != "" {
			uids = append(uids, string(partial.UID))
		}
	}
	return uids, nil
}

// put writes objects with replaced texts: each one is followed by its replacement. Each write is a revision of its own,
// because a watch that continues after a revision assumes that it had all of it. The objects are in the order of their
// keys, so owners come before what they own.
func (h *hub) put(ctx context.Context, objects []storedObject, replaced []string) error {
	replace := func(text []byte) []byte {
		for i := 0; i < len(replaced); i += 2 {
			text = bytes.ReplaceAll(text, []byte(replaced[i]), []byte(replaced[i+1]))
		}
		return text
	}
	for _, object := range objects {
		put := &etcdserverpb.PutRequest{Key: replace(object.key), Value: replace(object.value)}
		if _, err := h.etcd.Server.Put(ctx, put); err != nil {
			return err
		}
	}
	return nil
}
