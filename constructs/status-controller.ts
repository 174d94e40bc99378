import { Construct } from 'constructs';
import { statusReporter } from '../ocm/companion-binding.ts';
import { ApiObject } from './api-object.ts';
import { eventsOf } from './companion-policies/events-and-leases.ts';
import { policySpec } from './companion-policies/policy.ts';
import { operationNetwork, operationService } from './operation-network.ts';
import { operationProbes, restrictedContainer, restrictedPod } from './restricted-pod.ts';
import type { StatusControllerProps } from './status-controller-props.ts';
import { statusRules } from './status-permissions.ts';

const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io/v1';

/**
 * The comparison of the hub with its prediction, `fleetwright controller status`, with everything that it needs on the hub: a
 * Deployment of one replica, permissions to read, a NetworkPolicy, and a Service for its metrics.
 *
 * @example
 * new StatusController(chart, 'fleetwright-status', {
 *   image: 'registry.example.com/fleetwright:0.1.0',
 *   namespace: 'fleetwright',
 * });
 */
export class StatusController extends Construct {
  private readonly props: StatusControllerProps;
  private readonly name: string;
  private readonly labels: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: StatusControllerProps) {
    super(scope, id);
    this.props = props;
    this.name = props.name ?? id;
    this.labels = {
      'app.kubernetes.io/name': 'fleetwright-status',
      'app.kubernetes.io/instance': this.name,
    };
    const { namespace, events = false, configKinds = [], admissionPolicies = true } = props;
    if (configKinds.some(({ group, resource }) => group === '' && resource === 'secrets'))
      throw new Error(`${this.node.path}: status reads no Secrets: remove them from configKinds`);
    if (props.options?.some((option) => option.startsWith('--events')) === true)
      throw new Error(`${this.node.path}: write events: true instead of the option --events`);
    this.add('account', 'v1', 'ServiceAccount', {});
    this.add('role', `${rbac}/v1`, 'ClusterRole', { rules: statusRules({ configKinds, events }) });
    this.add('role-binding', `${rbac}/v1`, 'ClusterRoleBinding', {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: this.name },
      subjects: [{ kind: 'ServiceAccount', name: this.name, namespace }],
    });
    if (events && admissionPolicies) this.confineEvents();
    this.add('deployment', 'apps/v1', 'Deployment', { spec: this.deployment() });
    this.add('network-policy', 'networking.k8s.io/v1', 'NetworkPolicy', {
      spec: operationNetwork(this.labels, props),
    });
    this.add('metrics', 'v1', 'Service', { spec: operationService(this.labels) });
  }

  private confineEvents(): void {
    const account = { name: this.name, namespace: this.props.namespace };
    const about = { ManagedClusterAddOn: 'ManagedClusterAddOns' };
    const spec = policySpec(account, eventsOf(statusReporter, about));
    const policyName = `${this.name}-events`;
    this.add('events-policy', admission, 'ValidatingAdmissionPolicy', { spec }, policyName);
    const binding = { spec: { policyName, validationActions: ['Deny'] } };
    this.add('events-policy-binding', admission, 'ValidatingAdmissionPolicyBinding', binding, policyName);
  }

  private deployment(): object {
    const { image, events = false, options = [] } = this.props;
    const { resources = { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } } } =
      this.props;
    return {
      // Metrics of two replicas would be counted twice, and an Event would be written by each.
      replicas: 1,
      selector: { matchLabels: this.labels },
      template: {
        metadata: { labels: this.labels },
        spec: {
          serviceAccountName: this.name,
          securityContext: restrictedPod,
          containers: [
            {
              name: 'controller',
              image,
              args: ['controller', 'status', ...(events ? ['--events'] : []), ...options],
              ...operationProbes,
              resources,
              securityContext: restrictedContainer,
            },
          ],
        },
      },
    };
  }

  private add(id: string, apiVersion: string, kind: string, content: object, name = this.name): void {
    // Cluster-scoped kinds have no namespace.
    const metadata = { name, namespace: this.props.namespace, labels: this.labels };
    new ApiObject(this, id, { apiVersion, kind, metadata, ...content });
  }
}
