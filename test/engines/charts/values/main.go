// Runs addon-framework's functions for values for the tests: one request and one answer per line of JSON.
package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"open-cluster-management.io/addon-framework/pkg/addonfactory"
	"open-cluster-management.io/addon-framework/pkg/agent"
	"open-cluster-management.io/addon-framework/pkg/utils"
	addonv1beta1 "open-cluster-management.io/api/addon/v1beta1"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
)

// request is one call of the functions in a profile.
type request struct {
	Profile []function `json:"profile"`
	// Config is absent if the add-on uses none.
	Config *addonv1beta1.AddOnDeploymentConfig `json:"config,omitempty"`
	// Annotations are those of the ManagedClusterAddOn.
	Annotations        map[string]string `json:"annotations,omitempty"`
	ClusterAnnotations map[string]string `json:"clusterAnnotations,omitempty"`
	Registers          bool              `json:"registers,omitempty"`
	// Chart and Templates are files that an agent renders, by path. Without them, the agents write their values.
	Chart     map[string]string `json:"chart,omitempty"`
	Templates map[string]string `json:"templates,omitempty"`
	Strict    bool              `json:"strict,omitempty"`
	// KubeVersion is that of the managed cluster.
	KubeVersion string `json:"kubeVersion,omitempty"`
	// Decode are objects that are converted to their structs, and nothing else.
	Decode []json.RawMessage `json:"decode,omitempty"`
	Bench  *benchRequest     `json:"bench,omitempty"`
}

// function names a function that returns values, with its arguments.
type function struct {
	Function string `json:"function"`
	// ToValues are the conversions of the configuration. One without a name overrides an image.
	ToValues []function `json:"toValues,omitempty"`
	ImageKey string     `json:"imageKey,omitempty"`
	Image    string     `json:"image,omitempty"`
}

type answer struct {
	// Helm and Template have the data of a ConfigMap into which the agents' templates write their values.
	Helm     map[string]string `json:"helm,omitempty"`
	Template map[string]string `json:"template,omitempty"`
	Error    string            `json:"error,omitempty"`
}

//go:embed dump
var dump embed.FS

type getter struct {
	config *addonv1beta1.AddOnDeploymentConfig
}

func (g getter) Get(context.Context, string, string) (*addonv1beta1.AddOnDeploymentConfig, error) {
	return g.config, nil
}

func main() {
	reader := bufio.NewScanner(os.Stdin)
	reader.Buffer(nil, 1<<24)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for reader.Scan() {
		var asked request
		if err := json.Unmarshal(reader.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := encoder.Encode(run(asked)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func run(asked request) any {
	if asked.Bench != nil {
		return bench(asked.Bench)
	}
	if asked.Decode != nil {
		return decode(asked.Decode)
	}
	cluster := &clusterv1.ManagedCluster{ObjectMeta: metav1.ObjectMeta{Name: "cluster1", Annotations: asked.ClusterAnnotations}}
	cluster.Status.Version.Kubernetes = asked.KubeVersion
	if asked.KubeVersion == "" {
		cluster.Status.Version.Kubernetes = "v1.31.2"
	}
	addOn := &addonv1beta1.ManagedClusterAddOn{
		ObjectMeta: metav1.ObjectMeta{Name: "hello", Namespace: "cluster1", Annotations: asked.Annotations},
	}
	if asked.Config != nil {
		addOn.Status.ConfigReferences = []addonv1beta1.ConfigReference{{
			ConfigGroupResource: addonv1beta1.ConfigGroupResource{
				Group: "addon.open-cluster-management.io", Resource: "addondeploymentconfigs",
			},
			DesiredConfig: &addonv1beta1.ConfigSpecHash{SpecHash: "hash"},
		}}
	}
	configs := getter{asked.Config}
	build := func(files embed.FS, folder string) *addonfactory.AgentAddonFactory {
		var functions []addonfactory.GetValuesFunc
		for _, each := range asked.Profile {
			functions = append(functions, functionOf(each, configs))
		}
		factory := addonfactory.NewAgentAddonFactory("hello", files, folder).
			WithGetValuesFuncs(functions...).
			WithAgentInstallNamespace(utils.AgentInstallNamespaceFromDeploymentConfigFunc(configs))
		if asked.Registers {
			factory = factory.WithAgentRegistrationOption(&agent.RegistrationOption{})
		}
		return factory
	}
	if asked.Chart != nil {
		return renderFiles(asked.Chart, build, true, asked.Strict, cluster, addOn)
	}
	if asked.Templates != nil {
		return renderFiles(asked.Templates, build, false, false, cluster, addOn)
	}
	helm, err := build(dump, "dump/chart").BuildHelmAgentAddon()
	if err != nil {
		return answer{Error: err.Error()}
	}
	template, err := build(dump, "dump/templates").BuildTemplateAgentAddon()
	if err != nil {
		return answer{Error: err.Error()}
	}
	var result answer
	if result.Helm, err = dataOf(helm, cluster, addOn); err != nil {
		return answer{Error: err.Error()}
	}
	if result.Template, err = dataOf(template, cluster, addOn); err != nil {
		return answer{Error: err.Error()}
	}
	return result
}

func dataOf(
	add agent.AgentAddon, cluster *clusterv1.ManagedCluster, addOn *addonv1beta1.ManagedClusterAddOn,
) (map[string]string, error) {
	objects, err := add.Manifests(context.Background(), cluster, addOn)
	if err != nil {
		return nil, err
	}
	return objects[0].(*corev1.ConfigMap).Data, nil
}

func functionOf(each function, configs getter) addonfactory.GetValuesFunc {
	switch each.Function {
	case "GetValuesFromAddonAnnotation":
		return addonfactory.GetValuesFromAddonAnnotation
	case "GetAgentImageValues":
		return addonfactory.GetAgentImageValues(configs, each.ImageKey, each.Image)
	}
	var conversions []addonfactory.AddOnDeploymentConfigToValuesFunc
	for _, conversion := range each.ToValues {
		conversions = append(conversions, conversionOf(conversion))
	}
	return addonfactory.GetAddOnDeploymentConfigValues(configs, conversions...)
}

func conversionOf(each function) addonfactory.AddOnDeploymentConfigToValuesFunc {
	switch each.Function {
	case "":
		return addonfactory.ToImageOverrideValuesFunc(each.ImageKey, each.Image)
	case "ToAddOnDeploymentConfigValues":
		return addonfactory.ToAddOnDeploymentConfigValues
	case "ToAddOnNodePlacementValues":
		return addonfactory.ToAddOnNodePlacementValues
	case "ToAddOnProxyConfigValues":
		return addonfactory.ToAddOnProxyConfigValues
	case "ToAddOnResourceRequirementsValues":
		return addonfactory.ToAddOnResourceRequirementsValues
	case "ToAddOnCustomizedVariableValues":
		return addonfactory.ToAddOnCustomizedVariableValues
	}
	panic(each.Function)
}
