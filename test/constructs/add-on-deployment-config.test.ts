import { describe, expect, test } from 'vitest';
import { AddOnDeploymentConfig } from '../../constructs/index.ts';
import { objectOf, specOf } from './in-chart.ts';

describe('an AddOnDeploymentConfig', () => {
  test('sets the namespace of the agent even if it was not given, because the hub would set it', () => {
    const config = objectOf((chart) => new AddOnDeploymentConfig(chart, 'deploy-config'));

    expect(config).toStrictEqual({
      apiVersion: 'addon.open-cluster-management.io/v1alpha1',
      kind: 'AddOnDeploymentConfig',
      metadata: { name: 'deploy-config', namespace: 'ocm' },
      spec: { agentInstallNamespace: 'open-cluster-management-agent-addon' },
    });
  });

  test('can leave the agent in the namespace of the template', () => {
    expect(
      specOf((chart) => new AddOnDeploymentConfig(chart, 'deploy-config', { agentInstallNamespace: '' })),
    ).toStrictEqual({ agentInstallNamespace: '' });
  });

  test('writes all its props', () => {
    const spec = specOf((chart) => {
      const config = new AddOnDeploymentConfig(chart, 'deploy-config', {
        agentInstallNamespace: 'agents',
        customizedVariables: { LOG_LEVEL: '4' },
        nodePlacement: { nodeSelector: {}, tolerations: [{ operator: 'Exists' }] },
        registries: [{ source: 'quay.io/ocm', mirror: 'registry.example.com/ocm' }],
        proxyConfig: { httpsProxy: 'https://proxy.example.com', caBundle: 'Q0E=' },
        resourceRequirements: [
          { containerID: 'deployments:agent:*', resources: { limits: { memory: '64Mi' } } },
        ],
      });
      config.addCustomizedVariable('GREETING', 'hello');
      config.addCustomizedVariable('LOG_LEVEL', '6');
      config.addRegistry({ mirror: 'registry.example.com' });
      config.addResourceRequirement({ containerID: '*:*:*', resources: { requests: { cpu: '10m' } } });
    });

    expect(spec).toStrictEqual({
      agentInstallNamespace: 'agents',
      customizedVariables: [
        { name: 'LOG_LEVEL', value: '6' },
        { name: 'GREETING', value: 'hello' },
      ],
      nodePlacement: { nodeSelector: {}, tolerations: [{ operator: 'Exists' }] },
      registries: [
        { source: 'quay.io/ocm', mirror: 'registry.example.com/ocm' },
        { mirror: 'registry.example.com' },
      ],
      proxyConfig: { httpsProxy: 'https://proxy.example.com', caBundle: 'Q0E=' },
      resourceRequirements: [
        { containerID: 'deployments:agent:*', resources: { limits: { memory: '64Mi' } } },
        { containerID: '*:*:*', resources: { requests: { cpu: '10m' } } },
      ],
    });
  });

  test('sets the replicas of workloads on hubs of OCM 1.5', () => {
    const spec = specOf((chart) => {
      const config = new AddOnDeploymentConfig(chart, 'deploy-config', {
        replicaConfigs: [{ workloadID: 'deployments:agent', replicas: 2 }],
      });
      config.addReplicaConfig({ workloadID: 'statefulsets:*', replicas: 1 });
    }, '1.5');

    expect(spec).toMatchObject({
      replicaConfigs: [
        { workloadID: 'deployments:agent', replicas: 2 },
        { workloadID: 'statefulsets:*', replicas: 1 },
      ],
    });
  });

  test('keeps an empty list of registries, which overrules the registries of the cluster', () => {
    expect(
      specOf((chart) => new AddOnDeploymentConfig(chart, 'deploy-config', { registries: [] })),
    ).toMatchObject({
      registries: [],
    });
  });
});
