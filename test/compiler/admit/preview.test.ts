import { describe, expect, test } from 'vitest';
import { admitObject, noAdmissions } from '../../../src/compiler/admit/admit-object.ts';
import { forHub } from '../../../src/compiler/admit/conversion/for-hub.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import { loaded } from './loaded.ts';

const group = 'addon.open-cluster-management.io';
const template = (version: string): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'AddOnTemplate',
  metadata: { name: 'hello' },
  spec: { addonName: 'hello', agentSpec: { workload: { manifests: [] } }, registration: [] },
});
const deploymentConfig = (version: string, ...replicaConfigs: object[]): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'AddOnDeploymentConfig',
  metadata: { name: 'hello', namespace: 'default' },
  spec: { replicaConfigs },
});
const discovering = (version: string): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'ClusterManagementAddOn',
  metadata: { name: 'hello' },
  spec: { hostedModeAutoDiscovery: { mode: 'Enable' } },
});
const klusterlet = {
  apiVersion: 'operator.open-cluster-management.io/v1',
  kind: 'Klusterlet',
  metadata: { name: 'klusterlet' },
  spec: { deployOption: { reportHostingCluster: 'Enable', hosted: { managementClusterName: 'c1' } } },
};

function findings(object: object, release: HubVersionName): readonly string[] {
  const { diagnostics } = admitObject(loaded(object), undefined, hubVersion(release));
  return diagnostics.map(({ code, severity, message, path }) => `${severity} ${code} at ${path}: ${message}`);
}

describe('releases that no hub has confirmed', () => {
  test.each(['1.1', '1.2', '1.3'] as const)('1.4 accepts what %s rejects', (release) => {
    const objects = [template('v1beta1'), discovering('v1alpha1'), discovering('v1beta1'), klusterlet];
    for (const object of objects) {
      expect(admitObject(loaded(object), undefined, hubVersion(release)).valid).toBe(false);
      expect(admitObject(loaded(object), undefined, hubVersion('1.4')).valid).toBe(true);
    }
    expect(findings(template('v1beta1'), release)).toEqual([
      `error FW2003 at apiVersion: the hub does not serve AddOnTemplate in "${group}/v1beta1"`,
    ]);
  });

  test('replicas are a field of the release after 1.4', () => {
    const withReplicas = deploymentConfig('v1beta1', { workloadID: 'deployments:*', replicas: 0 });
    expect(findings(withReplicas, '1.4')).toEqual([
      expect.stringContaining('error FW2005 at spec.replicaConfigs: '),
    ]);
    expect(findings(withReplicas, '1.5')).toEqual([
      'warning FW2031 at spec.replicaConfigs: replicaConfigs is known only from pull requests of OCM',
    ]);
  });

  test.each([
    ['arn:aws:eks:us-west-2:123456789012:cluster/hub', [], []],
    ['arn:aws-us-gov:eks:us-gov-west-1:123456789012:cluster/hub', ['FW2010'], []],
    ['arn:aws-cn:eks:cn-north-1:123456789012:cluster/hub', ['FW2010'], ['FW2010']],
  ])('%s is the name of a hub on EKS', (hubClusterArn, upTo13, since14) => {
    const awsIrsa = { hubClusterArn, managedClusterArn: 'arn:aws:eks:us-west-2:123456789012:cluster/c1' };
    const registrationDriver = { authType: 'awsirsa', awsIrsa };
    const object = { ...klusterlet, spec: { registrationConfiguration: { registrationDriver } } };
    const codes = (release: HubVersionName): readonly (string | undefined)[] =>
      findings(object, release).map((finding) => /FW\d+/.exec(finding)?.[0]);
    expect(codes('1.3')).toEqual(upTo13);
    expect(codes('1.4')).toEqual(since14);
  });

  test('accepts fields that only pull requests describe with a warning', () => {
    expect(findings(template('v1beta1'), '1.4')).toEqual([]);
    expect(findings(discovering('v1alpha1'), '1.4')).toEqual([
      'warning FW2031 at spec.hostedModeAutoDiscovery: hostedModeAutoDiscovery is known only from pull requests of OCM',
    ]);
    expect(findings(klusterlet, '1.4')).toEqual([
      'warning FW2031 at spec.deployOption.reportHostingCluster: reportHostingCluster is known only from pull requests of OCM, and predictions do not read it',
      'warning FW2031 at spec.deployOption.hosted: hosted is known only from pull requests of OCM, and predictions do not read it',
    ]);
  });

  test.each([
    [{ workloadID: 'daemonsets:agent', replicas: 1 }, 'FW2010'],
    [{ workloadID: 'deployments:', replicas: 1 }, 'FW2010'],
    [{ workloadID: 'deployments:agent', replicas: -1 }, 'FW2011'],
    [{ workloadID: 'deployments:agent', replicas: '3' }, 'FW2007'],
    [{ workloadID: 'deployments:agent' }, 'FW2008'],
  ])('rejects replicas %j', (entry, code) => {
    expect(findings(deploymentConfig('v1alpha1', entry), '1.5')[0]).toContain(
      `error ${code} at spec.replicaConfigs[0]`,
    );
  });

  test('shares no results with other releases if the kind differs', () => {
    const shared = noAdmissions();
    const object = loaded(template('v1beta1'));
    const valid = (release: HubVersionName): boolean =>
      admitObject(object, shared, hubVersion(release)).valid;
    expect([valid('1.3'), valid('1.4'), valid('1.3'), valid('1.4')]).toEqual([false, true, false, true]);
  });

  test.each([
    ['1.4', 'v1beta1', 'v1beta1'],
    ['1.4', 'v1alpha1', 'v1alpha1'],
    ['1.3', 'v1beta1', 'v1alpha1'],
  ] as const)('OCM %s with output in %s gets AddOnTemplates in %s', (release, addOnApiVersion, version) => {
    const target = { hub: hubVersion(release), addOnApiVersion };
    const written = release === '1.4' ? ['v1alpha1', 'v1beta1'] : ['v1alpha1'];
    for (const each of written) {
      const { object } = admitObject(loaded(template(each)), undefined, target.hub).object ?? {};
      if (object === undefined) throw new Error('admitted');
      expect(forHub(object, target).apiVersion).toBe(`${group}/${version}`);
    }
  });
});
