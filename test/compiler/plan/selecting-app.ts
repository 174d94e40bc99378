import { addOn, config, installed, placement, template } from './states.ts';

/** A cluster whose ManagedClusterAddOn names its own configuration, so that it is in another class. */
const warned = (cluster: string): string => `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster} }
spec:
  configs:
  - { group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: warn }
`;

/**
 * The add-on on all clusters, whose Deployment has a selector that no API server changes.
 *
 * @param others - the clusters whose ManagedClusterAddOn names another configuration
 */
export function selectingApp(selector: string, strategy: string, others: readonly string[] = []): string {
  const labels = { app: selector };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'agent', namespace: 'agents' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  };
  return (
    addOn(installed('all', undefined, strategy), 'hello') +
    placement('all', '{}') +
    config('base', 'info') +
    config('warn', 'warn') +
    template('hello', '{}').replace(
      '      manifests:\n',
      `      manifests:\n      - ${JSON.stringify(deployment)}\n`,
    ) +
    others.map(warned).join('')
  );
}
