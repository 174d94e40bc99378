import type { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import { operationNetwork, operationService, type OperationNetworkProps } from './operation-network.ts';
import { operationProbes, restrictedContainer, restrictedPod, type PodResources } from './restricted-pod.ts';

const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io/v1';

/** What every controller on the hub is given. */
interface ControllerProps {
  readonly name?: string;
  readonly namespace: string;
}

/** The parts of a Deployment in which controllers differ. */
interface ControllerDeployment {
  readonly image: string;
  readonly args: readonly string[];
  readonly replicas: number;
  readonly resources: PodResources;
  /** Further fields of the pod. */
  readonly pod?: object;
}

/** The objects of a controller on the hub: all have its name and its labels. */
export class ControllerObjects {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly #scope: Construct;
  readonly #namespace: string;

  /**
   * @param scope - the construct of the controller
   * @param component - the value of the label `app.kubernetes.io/name`
   */
  constructor(scope: Construct, component: string, { name = scope.node.id, namespace }: ControllerProps) {
    this.#scope = scope;
    this.#namespace = namespace;
    this.name = name;
    this.labels = { 'app.kubernetes.io/name': component, 'app.kubernetes.io/instance': name };
  }

  addAccount(): void {
    this.add('account', 'v1', 'ServiceAccount', {});
  }

  /** Adds a ClusterRole, and binds it to its ServiceAccount. */
  addClusterRole(rules: readonly object[]): void {
    this.add('role', `${rbac}/v1`, 'ClusterRole', { rules });
    this.add('role-binding', `${rbac}/v1`, 'ClusterRoleBinding', this.#binding('ClusterRole', this.name));
  }

  /** Adds a Role with its name and the id, and binds it to its ServiceAccount. */
  addRole(id: string, namespace: string, rules: readonly object[]): void {
    const at = { name: `${this.name}-${id}`, namespace };
    this.add(id, `${rbac}/v1`, 'Role', { rules }, at);
    this.add(`${id}-binding`, `${rbac}/v1`, 'RoleBinding', this.#binding('Role', at.name), at);
  }

  /** Adds an admission policy that limits what its ServiceAccount can do. */
  addPolicy(id: string, spec: object): void {
    const name = `${this.name}-${id}`;
    this.add(`${id}-policy`, admission, 'ValidatingAdmissionPolicy', { spec }, { name });
    const binding = { spec: { policyName: name, validationActions: ['Deny'] } };
    this.add(`${id}-policy-binding`, admission, 'ValidatingAdmissionPolicyBinding', binding, { name });
  }

  addDeployment({ image, args, replicas, resources, pod }: ControllerDeployment): void {
    const container = { name: 'controller', image, args, ...operationProbes, resources };
    const spec = {
      replicas,
      selector: { matchLabels: this.labels },
      template: {
        metadata: { labels: this.labels },
        spec: {
          serviceAccountName: this.name,
          securityContext: restrictedPod,
          ...pod,
          containers: [{ ...container, securityContext: restrictedContainer }],
        },
      },
    };
    this.add('deployment', 'apps/v1', 'Deployment', { spec });
  }

  /** Adds a NetworkPolicy, and a Service for the metrics. */
  addNetwork(props: OperationNetworkProps): void {
    const spec = operationNetwork(this.labels, props);
    this.add('network-policy', 'networking.k8s.io/v1', 'NetworkPolicy', { spec });
    this.add('metrics', 'v1', 'Service', { spec: operationService(this.labels) });
  }

  #binding(kind: string, name: string): object {
    return {
      roleRef: { apiGroup: rbac, kind, name },
      subjects: [{ kind: 'ServiceAccount', name: this.name, namespace: this.#namespace }],
    };
  }

  add(
    id: string,
    apiVersion: string,
    kind: string,
    content: object,
    { name = this.name, namespace = this.#namespace } = {},
  ): void {
    // Cluster-scoped kinds have no namespace.
    const metadata = { name, namespace, labels: this.labels };
    new ApiObject(this.#scope, id, { apiVersion, kind, metadata, ...content });
  }
}
