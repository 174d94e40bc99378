// What must not compile. The compiler checks the file; at run time the functions are never called.
import { assertType, describe, expectTypeOf, test } from 'vitest';
import {
  AddOnConfig,
  AddOnDeploymentConfig,
  AddOnTemplate,
  ClusterManagementAddOn,
  DecisionGroup,
  Duration,
  Klusterlet,
  ManagedCluster,
  ManagedClusterAddOn,
  ManagedClusterSetBinding,
  ManifestConfig,
  ManifestWorkReplicaSet,
  Placement,
  Prioritizer,
  Registration,
  Rollout,
  Selector,
  Toleration,
} from '../../constructs/index.ts';
import type { Chart, Percent, Weight } from '../../constructs/index.ts';

/** Something for the compiler: it is not called. */
type Code = (chart: Chart, placement: Placement, config: AddOnDeploymentConfig) => unknown;

declare const template: AddOnTemplate;

describe('the types refuse', () => {
  test('names in place of objects', () => {
    assertType<Code>((chart) => {
      // @ts-expect-error a placement is not its name
      new ClusterManagementAddOn(chart, 'a', { placements: [{ placement: 'placement-aws' }] });
      // @ts-expect-error a configuration is not its name
      new ClusterManagementAddOn(chart, 'a', { defaultConfigs: ['deploy-config'] });
      // @ts-expect-error a set is not its name
      new Placement(chart, 'p', { clusterSets: ['global'] });
    });
  });

  test('objects of another kind', () => {
    assertType<Code>((chart, placement, config) => {
      // @ts-expect-error a Placement configures nothing
      new ClusterManagementAddOn(chart, 'a', { defaultConfigs: [placement] });
      // @ts-expect-error an AddOnDeploymentConfig selects no clusters
      new ClusterManagementAddOn(chart, 'a', { placements: [{ placement: config }] });
      // @ts-expect-error a ManagedCluster is no set of clusters
      new ManagedClusterSetBinding(chart, 'b', { clusterSet: new ManagedCluster(chart, 'c') });
      // @ts-expect-error an AddOnTemplate is no add-on
      new ManagedClusterAddOn(chart, 'm', { cluster: 'cluster1', addOn: template });
    });
  });

  test('a kind without a default if an object must be named', () => {
    assertType<Code>((chart, placement) => {
      const supported = AddOnConfig.supported(AddOnDeploymentConfig);
      // @ts-expect-error a placement names objects
      new ClusterManagementAddOn(chart, 'a', { placements: [{ placement, configs: [supported] }] });
    });
  });

  test('names that the hub prescribes', () => {
    assertType<Code>((chart) => {
      // @ts-expect-error it has the name of the add-on
      new ClusterManagementAddOn(chart, 'a').forCluster('cluster1', { name: 'other' });
      const clusterSet = { clusterSetName: 'global' };
      // @ts-expect-error it has the name of the set
      new ManagedClusterSetBinding(chart, 'b', { clusterSet, name: 'other' });
    });
  });

  test('selectors that select nothing or are not understood', () => {
    assertType<Code>((chart) => {
      // @ts-expect-error In needs a value
      Selector.in('region', []);
      // @ts-expect-error decision groups have no CEL
      DecisionGroup.named('canary', { cel: ['true'] });
      // @ts-expect-error labels are text
      new Placement(chart, 'p', { predicates: [{ labels: { replicas: 3 } }] });
    });
  });

  test('tolerations that contradict themselves', () => {
    assertType<Code>(() => {
      // @ts-expect-error a taint that is tolerated whatever its value has no value
      Toleration.exists('gpu', { value: 'true' });
      // @ts-expect-error NoSchedule is an effect of nodes
      Toleration.unreachable({ effect: 'NoSchedule' });
      // @ts-expect-error a duration has a unit
      Toleration.unreachable({ duration: 300 });
    });
  });

  test('weights out of range', () => {
    assertType<Code>(() => {
      // @ts-expect-error 10 is the greatest
      Prioritizer.steady(11);
      // @ts-expect-error whole numbers only
      Prioritizer.balance(0.5);
    });
    expectTypeOf<10>().toExtend<Weight>();
  });

  test('rollouts that the hub would refuse or ignore', () => {
    assertType<Code>(() => {
      // @ts-expect-error text is a share and ends in %
      Rollout.progressive({ maxConcurrency: '10' });
      // @ts-expect-error the hub ignores maxFailures here
      Rollout.all({ maxFailures: 1 });
      // @ts-expect-error groups have no concurrency
      Rollout.progressivePerGroup({ maxConcurrency: 1 });
      // @ts-expect-error the hub cannot read this
      Rollout.progressive({ minSuccessTime: '5 minutes' });
      Rollout.progressive({ minSuccessTime: Duration.minutes(5) });
    });
    expectTypeOf<'25%'>().toExtend<Percent>();
    expectTypeOf<'25'>().not.toExtend<Percent>();
  });

  test('deployment configs that are incorrect', () => {
    assertType<Code>((chart) => {
      new AddOnDeploymentConfig(chart, 'c', {
        // @ts-expect-error without a node selector the hub ignores the tolerations
        nodePlacement: { tolerations: [{ operator: 'Exists' }] },
      });
      new AddOnDeploymentConfig(chart, 'c', {
        // @ts-expect-error a container is named by three parts
        resourceRequirements: [{ containerID: 'deployments:agent', resources: {} }],
      });
      // @ts-expect-error variables are text
      new AddOnDeploymentConfig(chart, 'c', { customizedVariables: { LOG_LEVEL: 4 } });
    });
  });

  test('templates and works that lack required fields', () => {
    assertType<Code>((chart, placement) => {
      // @ts-expect-error a template has a workload
      new AddOnTemplate(chart, 't', { addonName: 'helloworld' });
      // @ts-expect-error a signer has a domain and a path
      Registration.customSigner({ signerName: 'helloworld', signingCA: { name: 'ca' } });
      // @ts-expect-error works go to at least one placement
      new ManifestWorkReplicaSet(chart, 'w', { placements: [], workload: () => {} });
      // @ts-expect-error a Placement does not say under which name the API serves it
      ManifestConfig.forObject(placement, {});
    });
  });

  test('agents in namespaces that the operator refuses', () => {
    assertType<Code>((chart) => {
      // @ts-expect-error the name has to begin so that the operator may create it
      new Klusterlet(chart, 'klusterlet', { namespace: 'agents' });
      const featureGates = { ClusterClaim: 'Enable' };
      // @ts-expect-error features are switched by true and false
      new Klusterlet(chart, 'klusterlet', { workConfiguration: { featureGates } });
    });
  });
});
