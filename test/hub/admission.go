package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"text/template"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	clusterclient "open-cluster-management.io/api/client/cluster/clientset/versioned"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta2 "open-cluster-management.io/api/cluster/v1beta2"
	"open-cluster-management.io/ocm/manifests"
	"sigs.k8s.io/yaml"
)

// admissionManifests are the templates from which OCM's operator writes its configurations of admission webhooks.
const admissionManifests = "cluster-manager/hub/*/webhook-*configuration.yaml"

// admitWith makes the API server call OCM's admission webhooks, with the configurations that OCM's operator writes, and
// returns when it does. Their services are replaced by the address: nothing here resolves the names of services.
func admitWith(ctx context.Context, config *rest.Config, address string, ca []byte) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	paths, err := fs.Glob(manifests.ClusterManagerManifestFiles, admissionManifests)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("OCM's manifests have no %s", admissionManifests)
	}
	for _, path := range paths {
		manifest, err := renderManifest(path, ca)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := createAdmission(ctx, client, manifest, address); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return waitForAdmission(ctx, config)
}

func renderManifest(path string, ca []byte) ([]byte, error) {
	source, err := manifests.ClusterManagerManifestFiles.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parsed, err := template.New(path).Parse(string(source))
	if err != nil {
		return nil, err
	}
	bundle := base64.StdEncoding.EncodeToString(ca)
	values := manifests.HubConfig{
		ClusterManagerNamespace:        hubNamespace,
		RegistrationAPIServiceCABundle: bundle, RegistrationWebhook: manifests.Webhook{Port: 443},
		WorkAPIServiceCABundle: bundle, WorkWebhook: manifests.Webhook{Port: 443},
	}
	var rendered bytes.Buffer
	err = parsed.Execute(&rendered, values)
	return rendered.Bytes(), err
}

func createAdmission(ctx context.Context, client kubernetes.Interface, manifest []byte, address string) error {
	var kind metav1.TypeMeta
	if err := yaml.Unmarshal(manifest, &kind); err != nil {
		return err
	}
	configurations := client.AdmissionregistrationV1()
	switch kind.Kind {
	case "MutatingWebhookConfiguration":
		var configuration admissionv1.MutatingWebhookConfiguration
		if err := yaml.UnmarshalStrict(manifest, &configuration); err != nil {
			return err
		}
		for i := range configuration.Webhooks {
			callAt(&configuration.Webhooks[i].ClientConfig, address)
		}
		_, err := configurations.MutatingWebhookConfigurations().Create(ctx, &configuration, metav1.CreateOptions{})
		return err
	case "ValidatingWebhookConfiguration":
		var configuration admissionv1.ValidatingWebhookConfiguration
		if err := yaml.UnmarshalStrict(manifest, &configuration); err != nil {
			return err
		}
		for i := range configuration.Webhooks {
			callAt(&configuration.Webhooks[i].ClientConfig, address)
		}
		_, err := configurations.ValidatingWebhookConfigurations().Create(ctx, &configuration, metav1.CreateOptions{})
		return err
	default:
		return fmt.Errorf("unexpected kind %q", kind.Kind)
	}
}

// callAt replaces the service of a webhook by the address of this program, and keeps the path.
func callAt(client *admissionv1.WebhookClientConfig, address string) {
	url := address + *client.Service.Path
	client.URL, client.Service = &url, nil
}

// waitForAdmission returns when the API server calls the webhooks: it reads their configurations with a delay. A cluster that
// is created without a set then gets the default set.
func waitForAdmission(ctx context.Context, config *rest.Config) error {
	client, err := clusterclient.NewForConfig(config)
	if err != nil {
		return err
	}
	dryRun := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	var last error
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		probe := &clusterv1.ManagedCluster{ObjectMeta: metav1.ObjectMeta{Name: "admission-probe"}}
		created, err := client.ClusterV1().ManagedClusters().Create(ctx, probe, dryRun)
		last = err
		return err == nil && created.Labels[clusterv1beta2.ClusterSetLabel] != "", nil
	})
	if err != nil {
		return fmt.Errorf("OCM's admission webhooks do not answer: %w (%v)", err, last)
	}
	return nil
}
