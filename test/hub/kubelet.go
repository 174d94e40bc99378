package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
)

// placementNode is the node on which the pod of the placement controller seems to run.
const placementNode = "hub-node"

// placementLabel marks the pods of the placement controller, as OCM's operator does.
const placementLabel = "clustermanager-placement-controller"

// loopbackForwarder forwards the ports of pods to the same ports of this machine.
type loopbackForwarder struct{}

func (loopbackForwarder) PortForward(ctx context.Context, _ string, _ types.UID, port int32, stream io.ReadWriteCloser) error {
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer connection.Close()
	ended := make(chan error, 2)
	go func() {
		_, err := io.Copy(connection, stream)
		ended <- err
	}()
	go func() {
		_, err := io.Copy(stream, connection)
		ended <- err
	}()
	return <-ended
}

// startKubelet serves port forwarding with the kubelet's own code, for a pod of the placement controller whose server
// listens on a port of this machine.
func startKubelet(ctx context.Context, folder *stateFolder, hub *apiServer, serverPort int, container string) error {
	pair, err := hub.authority.server()
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"tls.crt": pair.certPEM, "tls.key": pair.keyPEM} {
		if _, err := folder.write("kubelet/"+name, content); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/portForward/{namespace}/{pod}", func(w http.ResponseWriter, r *http.Request) {
		options, err := portforward.NewV4Options(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, r, loopbackForwarder{}, r.PathValue("pod"), "", options,
			time.Hour, 30*time.Second, portforward.SupportedProtocols)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 30 * time.Second}
	go func() {
		_ = server.ServeTLS(listener, folder.file("kubelet", "tls.crt"), folder.file("kubelet", "tls.key"))
	}()
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return createPlacementPod(ctx, hub.config, listener.Addr().(*net.TCPAddr).Port, serverPort, container)
}

func createPlacementPod(ctx context.Context, config *rest.Config, kubeletPort, serverPort int, container string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	node, err := client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: placementNode}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}}
	node.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(kubeletPort)
	if _, err := client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{}); err != nil {
		return err
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "cluster-manager-placement-controller", Namespace: hubNamespace, Labels: map[string]string{"app": placementLabel},
		},
		Spec: corev1.PodSpec{
			NodeName: placementNode,
			Containers: []corev1.Container{{
				Name: container, Image: "quay.io/open-cluster-management/placement:" + moduleVersions()["open-cluster-management.io/ocm"],
				ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
					Path: "/healthz", Scheme: corev1.URISchemeHTTPS, Port: intstr.FromInt(serverPort),
				}}},
			}},
		},
	}
	// The pod needs the ServiceAccount of its namespace, which a controller creates.
	var created *corev1.Pod
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		created, err = client.CoreV1().Pods(hubNamespace).Create(ctx, pod, metav1.CreateOptions{})
		return err == nil, nil
	})
	if err != nil {
		return fmt.Errorf("pod of the placement controller: %w", err)
	}
	created.Status.Phase = corev1.PodRunning
	created.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	_, err = client.CoreV1().Pods(hubNamespace).UpdateStatus(ctx, created, metav1.UpdateOptions{})
	return err
}
