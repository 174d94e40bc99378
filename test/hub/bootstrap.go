package main

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// allowBootstrap gives the bootstrap user what an agent needs before it has a certificate: to create its ManagedCluster
// and to ask for that certificate.
func allowBootstrap(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	role := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "open-cluster-management:bootstrap"},
		Rules: []rbacv1.PolicyRule{
			{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get"}},
			{
				APIGroups: []string{"certificates.k8s.io"}, Resources: []string{"certificatesigningrequests"},
				Verbs: []string{"create", "get", "list", "watch"},
			},
			{
				APIGroups: []string{"cluster.open-cluster-management.io"}, Resources: []string{"managedclusters"},
				Verbs: []string{"create", "get", "list", "watch"},
			},
			{
				// OCM's webhook puts a new cluster into the default set, and asks whether its creator may do so.
				APIGroups: []string{"cluster.open-cluster-management.io"}, Resources: []string{"managedclustersets/join"},
				Verbs: []string{"create"},
			},
		},
	}
	if _, err := client.RbacV1().ClusterRoles().Create(ctx, role, metav1.CreateOptions{}); err != nil {
		return err
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: bootstrapUser}},
	}
	_, err = client.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{})
	return err
}
