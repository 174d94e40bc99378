// An add-on whose configuration follows the facts of each hub.
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  forEachHub,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Toleration,
} from 'fleetwright';
import { version } from './version.ts';

export default forEachHub(
  { facts: { environment: ['dev', 'prod'], region: 'string', logLevel: 'number' }, labels: ['canary'] },
  (hub) => {
    const { environment, region, logLevel } = hub.facts;
    const app = new App();
    const chart = new Chart(app, 'agent', { namespace: 'agent' });
    new ManagedClusterSetBinding(chart, 'global', { clusterSet: ManagedClusterSet.global });
    const tolerations = [Toleration.unreachable(), Toleration.unavailable()];
    const all = new Placement(chart, 'all', { tolerations });
    const template = new AddOnTemplate(chart, 'template', {
      addonName: 'agent',
      workloadNamespace: 'agents',
      workload: (workload) => {
        new ApiObject(workload, 'settings', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'agent', namespace: 'agents' },
          data: { version: version[environment], region: '{{REGION}}', level: '{{LOG_LEVEL}}' },
        });
      },
    });
    const defaults = new AddOnDeploymentConfig(chart, 'defaults', {
      agentInstallNamespace: '',
      customizedVariables: { REGION: region, LOG_LEVEL: String(logLevel) },
    });
    const addOn = new ClusterManagementAddOn(chart, 'agent', {
      defaultConfigs: [template, defaults],
      placements: [{ placement: all }],
    });
    for (const { name } of hub.clusters.filter(({ labels }) => labels.canary === 'true')) {
      addOn.forCluster(name, {
        configs: [
          new AddOnDeploymentConfig(chart, `canary-${name}`, {
            agentInstallNamespace: '',
            customizedVariables: { REGION: region, LOG_LEVEL: '5' },
          }),
        ],
      });
    }
    return app;
  },
);
