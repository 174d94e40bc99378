import { Construct } from 'constructs';
import { statusReporter } from '../src/ocm/companion-binding.ts';
import { eventsOf } from './companion-policies/events-and-leases.ts';
import { policySpec } from './companion-policies/policy.ts';
import { ControllerObjects } from './controller-objects.ts';
import type { StatusControllerProps } from './status-controller-props.ts';
import { statusRules } from './status-permissions.ts';
import { checkProps } from './check-properties.ts';

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
  constructor(scope: Construct, id: string, props: StatusControllerProps) {
    checkProps({ StatusController }, new.target, scope, id, props);
    super(scope, id);
    const { image, namespace, events = false, configKinds = [], options = [] } = props;
    const { resources = { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } } } = props;
    if (configKinds.some(({ group, resource }) => group === '' && resource === 'secrets'))
      throw new Error(`${this.node.path}: status reads no Secrets: remove them from configKinds`);
    if (options.some((option) => option.startsWith('--events')))
      throw new Error(`${this.node.path}: write events: true instead of the option --events`);
    const objects = new ControllerObjects(this, 'fleetwright-status', props);
    objects.addAccount();
    objects.addClusterRole(statusRules({ configKinds, events }));
    if (events && (props.admissionPolicies ?? true)) {
      const account = { name: objects.name, namespace };
      const about = { ManagedClusterAddOn: 'ManagedClusterAddOns' };
      objects.addPolicy('events', policySpec(account, eventsOf(statusReporter, about)));
    }
    const args = ['controller', 'status', ...(events ? ['--events'] : []), ...options];
    // Metrics of two replicas would be counted twice, and an Event would be written by each.
    objects.addDeployment({ image, args, replicas: 1, resources });
    objects.addNetwork(props);
  }
}
