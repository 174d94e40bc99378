package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	kcmoptions "k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

// kubeControllers are the parts of kube-controller-manager that OCM relies on: signing of client certificates, garbage
// collection by owner references, the removal of namespaces, and service accounts with their tokens.
var kubeControllers = []string{
	names.CertificateSigningRequestSigningController,
	names.GarbageCollectorController,
	names.NamespaceController,
	names.ServiceAccountController,
	names.ServiceAccountTokenController,
	names.RootCACertificatePublisherController,
	names.ClusterRoleAggregationController,
}

// startKubeControllers runs those controllers of kube-controller-manager in this process. It has to be called after
// the CustomResourceDefinitions exist: the garbage collector learns of new kinds only every 30 seconds.
func startKubeControllers(ctx context.Context, folder *stateFolder, server *apiServer, certificateDuration time.Duration, failed chan<- error) error {
	options, err := kcmoptions.NewKubeControllerManagerOptions()
	if err != nil {
		return err
	}
	known, disabled, aliases := app.KnownControllers(), app.ControllersDisabledByDefault(), app.ControllerAliases()
	sets := options.Flags(known, disabled, aliases)
	options.ParsedFlags = &sets
	flagSet := pflag.NewFlagSet("kube-controller-manager", pflag.ContinueOnError)
	for _, set := range sets.FlagSets {
		flagSet.AddFlagSet(set)
	}
	err = flagSet.Parse([]string{
		"--kubeconfig=" + server.kubeconfigFile,
		"--controllers=" + strings.Join(kubeControllers, ","),
		"--leader-elect=false",
		"--secure-port=0",
		"--cert-dir=" + folder.file("kube-controller-manager"),
		"--cluster-signing-cert-file=" + server.caFile,
		"--cluster-signing-key-file=" + server.caKeyFile,
		"--cluster-signing-duration=" + certificateDuration.String(),
		"--root-ca-file=" + server.caFile,
		"--service-account-private-key-file=" + server.serviceAccountKeyFile,
		fmt.Sprintf("--kube-api-qps=%d", clientQPS),
		fmt.Sprintf("--kube-api-burst=%d", clientBurst),
	})
	if err != nil {
		return err
	}
	if err := options.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	config, err := options.Config(ctx, known, disabled, aliases)
	if err != nil {
		return err
	}
	go func() {
		if err := app.Run(ctx, config.Complete()); err != nil {
			failed <- fmt.Errorf("kube-controller-manager: %w", err)
		}
	}()
	return nil
}
