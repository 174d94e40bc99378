package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

// convertedKinds are the kinds whose versions differ in shape, so that the hub converts them with OCM's webhook.
var convertedKinds = map[string]bool{
	"ClusterManagementAddOn": true,
	"ManagedClusterAddOn":    true,
}

// readCRDs reads the CustomResourceDefinitions in a folder. (The api module holds them beside its Go files, where
// go:embed does not reach; the build copies them.)
func readCRDs(folder string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.crd.yaml"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no CustomResourceDefinitions in %s", folder)
	}
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(content, crd); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		crds = append(crds, crd)
	}
	return crds, nil
}

// convertWith makes the API server call the conversion webhook for the kinds that need it, as OCM's operator does.
func convertWith(crds []*apiextensionsv1.CustomResourceDefinition, url string, ca []byte) {
	for _, crd := range crds {
		if !convertedKinds[crd.Spec.Names.Kind] {
			continue
		}
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
			Strategy: apiextensionsv1.WebhookConverter,
			Webhook: &apiextensionsv1.WebhookConversion{
				ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: ca},
				ConversionReviewVersions: []string{"v1", "v1beta1"},
			},
		}
	}
}

// installCRDs creates CustomResourceDefinitions and waits until the server serves them.
func installCRDs(ctx context.Context, config *rest.Config, crds []*apiextensionsv1.CustomResourceDefinition) error {
	client, err := apiextensionsclient.NewForConfig(config)
	if err != nil {
		return err
	}
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	for _, crd := range crds {
		if _, err := definitions.Create(ctx, crd, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	for _, crd := range crds {
		err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
			stored, err := definitions.Get(ctx, crd.Name, metav1.GetOptions{})
			return err == nil && established(stored), nil
		})
		if err != nil {
			return fmt.Errorf("CustomResourceDefinition %s is not established: %w", crd.Name, err)
		}
	}
	return nil
}

func established(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, condition := range crd.Status.Conditions {
		if condition.Type == apiextensionsv1.Established {
			return condition.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}
