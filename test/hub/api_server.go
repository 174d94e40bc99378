package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	apiserveroptions "k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// administrators is the group that RBAC lets do everything.
const administrators = "system:masters"

// apiServer is a kube-apiserver and the ways into it.
type apiServer struct {
	name, url string
	flags     []string
	authority *authority
	// Config of an administrator, for the controllers of this process.
	config *rest.Config
	// Files that kube-controller-manager reads too.
	caFile, caKeyFile, serviceAccountKeyFile string
	// Kubeconfig file of an administrator.
	kubeconfigFile string
	// Ends the server that runs now, and returns when it has ended.
	kill func()
}

// apiServerExtras are what only some servers have.
type apiServerExtras struct {
	// A file for the audit log, if any.
	auditLog string
	// Whether MutatingAdmissionPolicies are served, which are off by default in this version.
	mutatingPolicies bool
}

// startAPIServer runs kube-apiserver in this process and waits until it is ready. The name separates the files and the
// etcd keys of several servers.
func startAPIServer(ctx context.Context, folder *stateFolder, name, etcd string, extras apiServerExtras, failed chan<- error) (*apiServer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server, err := prepareAPIServer(folder, name, "https://"+listener.Addr().String(), etcd)
	if err != nil {
		return nil, err
	}
	if extras.auditLog != "" {
		if err := server.auditTo(folder, extras.auditLog); err != nil {
			return nil, err
		}
	}
	if extras.mutatingPolicies {
		server.flags = append(server.flags,
			"--feature-gates=MutatingAdmissionPolicy=true", "--runtime-config=admissionregistration.k8s.io/v1beta1=true")
	}
	return server, server.run(ctx, listener, failed)
}

// auditTo has the server log every write with its user, its query and its result.
func (s *apiServer) auditTo(folder *stateFolder, file string) error {
	policy, err := folder.write(s.name+"/audit.yaml", []byte(auditPolicy))
	if err != nil {
		return err
	}
	s.flags = append(s.flags, "--audit-policy-file="+policy, "--audit-log-path="+file, "--audit-log-mode=blocking-strict",
		// In megabytes: a log that continues in another file would be read in part.
		"--audit-log-maxsize=4096")
	return nil
}

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: None
    verbs: [get, list, watch]
  - level: Metadata
`

// startAgain runs the server once more after it was killed, at the same address and with the same files.
func (s *apiServer) startAgain(ctx context.Context, failed chan<- error) error {
	listener, err := net.Listen("tcp", strings.TrimPrefix(s.url, "https://"))
	if err != nil {
		return err
	}
	return s.run(ctx, listener, failed)
}

func (s *apiServer) run(ctx context.Context, listener net.Listener, failed chan<- error) error {
	options := apiserveroptions.NewServerRunOptions()
	flagSet := pflag.NewFlagSet(s.name, pflag.ContinueOnError)
	for _, set := range options.Flags().FlagSets {
		flagSet.AddFlagSet(set)
	}
	if err := flagSet.Parse(s.flags); err != nil {
		return err
	}
	// A listener that is already open instead of a port that may be taken by the time it is used.
	severable := &severableListener{Listener: listener, open: map[net.Conn]struct{}{}}
	options.SecureServing.Listener = severable
	options.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	if err := options.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	completed, err := options.Complete(serving)
	if err != nil {
		stop()
		return err
	}
	if errs := completed.Validate(); len(errs) > 0 {
		stop()
		return utilerrors.NewAggregate(errs)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := app.Run(serving, completed); err != nil && serving.Err() == nil {
			failed <- fmt.Errorf("kube-apiserver (%s): %w", s.name, err)
		}
	}()
	s.kill = func() {
		severable.sever()
		stop()
		<-ended
	}
	return s.waitReady(ctx)
}

// prepareAPIServer writes the certificates of a server and says how it is to be run.
func prepareAPIServer(folder *stateFolder, name, url, etcd string) (*apiServer, error) {
	ca, err := newAuthority(name + "-ca")
	if err != nil {
		return nil, err
	}
	serving, err := ca.server()
	if err != nil {
		return nil, err
	}
	admin, err := ca.client("fleetwright-"+name+"-admin", administrators)
	if err != nil {
		return nil, err
	}
	_, serviceAccountKey, err := newKey()
	if err != nil {
		return nil, err
	}
	adminKubeconfig, err := kubeconfig(url, ca.certPEM, admin)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"ca.crt": ca.certPEM, "ca.key": ca.keyPEM,
		"tls.crt": serving.certPEM, "tls.key": serving.keyPEM,
		"service-account.key": serviceAccountKey,
		"kubeconfig":          adminKubeconfig,
	}
	for file, content := range files {
		if _, err := folder.write(name+"/"+file, content); err != nil {
			return nil, err
		}
	}
	server := &apiServer{
		name: name, url: url, authority: ca, config: restConfig(url, ca.certPEM, admin),
		caFile: folder.file(name, "ca.crt"), caKeyFile: folder.file(name, "ca.key"),
		serviceAccountKeyFile: folder.file(name, "service-account.key"),
		kubeconfigFile:        folder.file(name, "kubeconfig"),
	}
	server.flags = []string{
		"--etcd-servers=" + etcd,
		"--etcd-prefix=/" + name,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--external-hostname=127.0.0.1",
		"--tls-cert-file=" + folder.file(name, "tls.crt"),
		"--tls-private-key-file=" + folder.file(name, "tls.key"),
		"--client-ca-file=" + server.caFile,
		"--authorization-mode=RBAC",
		// OpenShift always runs it: who writes owners needs more permissions than to write.
		"--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + server.serviceAccountKeyFile,
		"--service-account-signing-key-file=" + server.serviceAccountKeyFile,
		"--service-cluster-ip-range=10.0.0.0/24",
		// A loopback address may not be an endpoint of the kubernetes Service, and nobody here uses that Service.
		"--endpoint-reconciler-type=none",
		"--event-ttl=10m",
		"--enable-priority-and-fairness=false",
		"--max-requests-inflight=4000",
		"--max-mutating-requests-inflight=2000",
		"--profiling=false",
		// Otherwise a server that is killed while it renews its own Lease never ends: it waits until that has succeeded.
		"--feature-gates=APIServerIdentity=false",
	}
	return server, nil
}

// waitReady returns once the server says that it is ready.
func (s *apiServer) waitReady(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(s.config)
	if err != nil {
		return err
	}
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		return err == nil, nil
	})
	if err != nil {
		return fmt.Errorf("kube-apiserver at %s is not ready: %w", s.url, err)
	}
	return nil
}
