// Command hub runs a real Open Cluster Management hub in one process: etcd, kube-apiserver, the controllers of
// kube-controller-manager that OCM leans on, and OCM's placement, add-on and registration controllers with
// OCM's webhooks. It is made for tests: everything listens on free ports of 127.0.0.1, and at exit nothing is left.
//
// When the hub answers, one line of JSON on standard output says where (see announcement). Logs go to hub.log in the
// state folder, or to the file named with --log.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// collectAfter is the growth of the heap, in percent, after which Go collects garbage. With Go's default of 100, that takes a sixth of
// the hub's processor time.
const collectAfter = 200

// announcement is the line printed once the hub is ready.
type announcement struct {
	// Kubeconfig of the hub's administrator.
	Kubeconfig string `json:"kubeconfig"`
	// Log is the file that all components log to.
	Log string `json:"log"`
	// ManagedCluster is absent without --managed-cluster.
	ManagedCluster *managedClusterAnnouncement `json:"managedCluster,omitempty"`
	// ManagedClusters are all clusters of --managed-cluster, of which ManagedCluster is the first.
	ManagedClusters []*managedClusterAnnouncement `json:"managedClusters,omitempty"`
	// PlacementServer is absent without --placement-server.
	PlacementServer string `json:"placementServer,omitempty"`
	// ReadySeconds is the time from the start of the program until the hub answered.
	ReadySeconds float64 `json:"readySeconds"`
	// Versions of the modules that the hub was built from.
	Versions map[string]string `json:"versions"`
}

type managedClusterAnnouncement struct {
	Name       string `json:"name"`
	Kubeconfig string `json:"kubeconfig"`
}

func main() {
	// While the hub runs, standard error is its log.
	stderr, err := unix.Dup(unix.Stderr)
	if err != nil {
		panic(err)
	}
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.NewFile(uintptr(stderr), "stderr"), "hub:", err)
		os.Exit(1)
	}
}

func run(arguments []string, out io.Writer) error {
	started := time.Now()
	options, err := parseOptions(arguments)
	if err != nil {
		return err
	}
	if options.printVersions {
		return json.NewEncoder(out).Encode(moduleVersions())
	}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	var faults <-chan string
	if options.exitWithStdin {
		ctx, faults = untilStdinCloses(ctx)
	}

	folder, err := newStateFolder()
	if err != nil {
		return err
	}
	defer folder.remove()
	logFile, closeLog, err := logTo(options.log, folder)
	if err != nil {
		return err
	}
	defer closeLog()

	options.periods.set()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAfter)
	}
	if options.addOnManagerOf != "" {
		return runAddOnManager(ctx, options.addOnManagerOf)
	}
	hub := &hub{
		folder: folder, crds: options.crds, workReplicaSets: options.workReplicaSets, admission: options.admission,
		periods: options.periods, addOnRegistration: options.addOnRegistration, workAgentPermissions: options.workAgentPermissions,
		placementServer: options.placementServer, auditLog: options.auditLog, mutatingPolicies: options.mutatingPolicies,
		failed: make(chan error, 16),
	}
	defer hub.stop()
	if err := hub.start(ctx); err != nil {
		return fmt.Errorf("%w (log: %s)", err, keptLog(options.log, logFile))
	}
	ready := announcement{Kubeconfig: hub.adminKubeconfig, Log: logFile, Versions: moduleVersions()}
	if hub.placement != nil {
		ready.PlacementServer = hub.placement.url
	}
	if options.managedClusters != "" {
		clusters, err := hub.joinManagedClusters(ctx, strings.Split(options.managedClusters, ","))
		if err != nil {
			return fmt.Errorf("%w (log: %s)", err, keptLog(options.log, logFile))
		}
		ready.ManagedCluster, ready.ManagedClusters = clusters[0], clusters
	}
	ready.ReadySeconds = time.Since(started).Seconds()
	if err := json.NewEncoder(out).Encode(ready); err != nil {
		return err
	}
	go hub.cause(ctx, faults, out)

	select {
	case <-ctx.Done():
		return nil
	case err := <-hub.failed:
		return fmt.Errorf("%w (log: %s)", err, keptLog(options.log, logFile))
	}
}

type options struct {
	crds            string
	log             string
	managedClusters string
	workReplicaSets bool
	admission       bool
	// Without them, the work agents have all permissions.
	workAgentPermissions bool
	// As --addon-kubeclient-registration-auth of OCM's agents.
	addOnRegistration string
	placementServer   string
	auditLog          string
	mutatingPolicies  bool
	// Kubeconfig of a hub whose add-on manager this process is, and nothing else.
	addOnManagerOf string
	periods        periods
	exitWithStdin  bool
	printVersions  bool
}

func parseOptions(arguments []string) (options, error) {
	executable, err := os.Executable()
	if err != nil {
		return options{}, err
	}
	var o options
	flags := flag.NewFlagSet("hub", flag.ContinueOnError)
	flags.StringVar(&o.crds, "crds", filepath.Join(filepath.Dir(executable), "crds"), "folder with OCM's CustomResourceDefinitions")
	flags.StringVar(&o.log, "log", "", "file to log to (default: hub.log in the state folder, removed at exit)")
	flags.StringVar(&o.managedClusters, "managed-cluster", "", "name of a managed cluster to start and join to the hub, or several with commas between them")
	flags.BoolVar(&o.workReplicaSets, "work-replica-sets", false, "run OCM's controller of ManifestWorkReplicaSets too")
	flags.BoolVar(&o.workAgentPermissions, "work-agent-permissions", false, "let the work agents of managed clusters have only the permissions that OCM's operator grants them, instead of all")
	flags.BoolVar(&o.admission, "admission-webhooks", false, "have the API server call OCM's admission webhooks, as on a hub that OCM's operator made")
	flags.StringVar(&o.addOnRegistration, "add-on-registration", "csr", "how the agents of managed clusters register add-ons with the hub: csr or token")
	flags.StringVar(&o.placementServer, "placement-server", "", "serve OCM's scheduler below /debug/placements/, with a pod for port forwarding: get (as OCM before 1.3) or post (as OCM 1.3)")
	flags.StringVar(&o.auditLog, "audit-log", "", "file for the audit log of the hub's API server: every request except reads")
	flags.BoolVar(&o.mutatingPolicies, "mutating-policies", false, "have the API server serve MutatingAdmissionPolicies, which are off by default in this version")
	flags.StringVar(&o.addOnManagerOf, "add-on-manager-of", "", "run only OCM's add-on manager, for the hub of this kubeconfig, whose own was stopped")
	o.periods.addFlags(flags)
	flags.BoolVar(&o.exitWithStdin, "exit-with-stdin", false, "exit when standard input is closed, so that the hub never outlives its parent; lines on it are faults to cause (see faults.go)")
	flags.BoolVar(&o.printVersions, "versions", false, "print the versions that the hub was built from, and exit")
	if err := flags.Parse(arguments); err != nil {
		return options{}, err
	}
	if flags.NArg() > 0 {
		return options{}, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.addOnRegistration != "csr" && o.addOnRegistration != "token" {
		return options{}, fmt.Errorf("--add-on-registration has to be csr or token, not %q", o.addOnRegistration)
	}
	if err := validatePlacementServer(o.placementServer); err != nil {
		return options{}, err
	}
	return o, o.periods.validate()
}
