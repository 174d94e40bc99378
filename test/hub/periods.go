package main

import (
	"errors"
	"flag"
	"time"

	"k8s.io/client-go/transport"
	"open-cluster-management.io/ocm/pkg/registration/register"
	registration "open-cluster-management.io/ocm/pkg/registration/spoke"
	"open-cluster-management.io/ocm/pkg/registration/spoke/addon"
	work "open-cluster-management.io/ocm/pkg/work/spoke"
)

// periods are times after which something has to happen, and which tests do not want to wait for.
type periods struct {
	// How often an add-on is to renew its Lease.
	addOnLease time.Duration
	// How long a certificate lives that kube-controller-manager signs for the hub.
	certificateDuration time.Duration
	// How often OCM's agents look whether a certificate is to be renewed, and whether theirs has been.
	certificateCheck time.Duration
	// Whether the agents of managed clusters report as often as OCM's do by default.
	defaultReports bool
}

func (p *periods) addFlags(flags *flag.FlagSet) {
	flags.DurationVar(&p.addOnLease, "add-on-lease-duration", time.Minute,
		"how often an add-on is to renew its Lease; OCM's agents look twice as often, and call it unavailable after five times that")
	flags.DurationVar(&p.certificateDuration, "certificate-duration", 365*24*time.Hour,
		"how long certificates live that the hub's kube-controller-manager signs; they are dated back by five minutes besides")
	flags.DurationVar(&p.certificateCheck, "certificate-check", 5*time.Minute,
		"how often OCM's agents look whether certificates are to be renewed, which they are when 20 to 25 % of their time are left")
	flags.BoolVar(&p.defaultReports, "default-reports", false,
		"let the agents of managed clusters report clusters and works as often as OCM's do by default, instead of sooner")
}

func (p *periods) validate() error {
	if p.addOnLease < time.Second || p.addOnLease%time.Second != 0 {
		return errors.New("--add-on-lease-duration has to be whole seconds")
	}
	if p.certificateDuration <= 0 || p.certificateCheck <= 0 {
		return errors.New("--certificate-duration and --certificate-check must be greater than zero")
	}
	return nil
}

// setReports lets the hub hear sooner of changes of a cluster and its works. OCM's defaults are a minute and ten seconds.
func (p *periods) setReports(register *registration.SpokeAgentOptions, workload *work.WorkloadAgentOptions) {
	if p.defaultReports {
		return
	}
	register.ClusterHealthCheckPeriod = 10 * time.Second
	workload.StatusSyncInterval = time.Second
}

// set sets them in OCM's agents, which have variables in their packages for tests like these.
func (p *periods) set() {
	addon.AddOnLeaseControllerLeaseDurationSeconds = int(p.addOnLease / time.Second)
	registration.AddOnLeaseControllerSyncInterval = p.addOnLease / 2
	register.ControllerResyncInterval = p.certificateCheck
	// Connections keep the certificate that they were made with. The API server takes none that has expired, and clients
	// look only so often whether there is a new one.
	transport.CertCallbackRefreshDuration = p.certificateCheck
}
