package main

import (
	"context"
	"fmt"
	"net"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	workv1 "open-cluster-management.io/api/work/v1"
	addonv1alpha1 "open-cluster-management.io/ocm/pkg/addon/webhook/v1alpha1"
	addonv1beta1 "open-cluster-management.io/ocm/pkg/addon/webhook/v1beta1"
	registrationv1 "open-cluster-management.io/ocm/pkg/registration/webhook/v1"
	registrationv1beta2 "open-cluster-management.io/ocm/pkg/registration/webhook/v1beta2"
	workwebhook "open-cluster-management.io/ocm/pkg/work/webhook/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// webhooks are OCM's own, which its operator deploys in three programs: the conversion between v1alpha1 and v1beta1 of
// the add-on kinds, and the admission of clusters, bindings and works.
var webhooks = []interface{ Init(ctrl.Manager) error }{
	&addonv1alpha1.ManagedClusterAddOnWebhook{},
	&addonv1beta1.ManagedClusterAddOnWebhook{},
	&addonv1alpha1.ClusterManagementAddOnWebhook{},
	&addonv1beta1.ClusterManagementAddOnWebhook{},
	&registrationv1.ManagedClusterWebhook{},
	&registrationv1beta2.ManagedClusterSetBindingWebhook{},
	&workwebhook.ManifestWorkWebhook{},
}

// startWebhooks serves OCM's webhooks and returns their address. It registers what OCM's own functions SetupWebhookServer
// register; those listen on fixed ports of all addresses.
func startWebhooks(ctx context.Context, folder *stateFolder, config *rest.Config, ca *authority, failed chan<- error) (string, error) {
	serving, err := ca.server()
	if err != nil {
		return "", err
	}
	for name, content := range map[string][]byte{"tls.crt": serving.certPEM, "tls.key": serving.keyPEM} {
		if _, err := folder.write("webhook/"+name, content); err != nil {
			return "", err
		}
	}
	scheme := runtime.NewScheme()
	for _, install := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, addonv1alpha1.Install, addonv1beta1.Install,
		clusterv1.Install, registrationv1beta2.Install, workv1.Install,
	} {
		if err := install(scheme); err != nil {
			return "", err
		}
	}
	port, err := freePort()
	if err != nil {
		return "", err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:        scheme,
		Metrics:       metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: folder.file("webhook")}),
	})
	if err != nil {
		return "", err
	}
	for _, each := range webhooks {
		if err := each.Init(manager); err != nil {
			return "", err
		}
	}
	go func() {
		if err := manager.Start(ctx); err != nil {
			failed <- fmt.Errorf("webhooks: %w", err)
		}
	}()
	return fmt.Sprintf("https://127.0.0.1:%d", port), nil
}

// freePort returns a port that nobody listens on at the moment; the webhook server takes no open listener.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
