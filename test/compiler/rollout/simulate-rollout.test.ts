import { describe, expect, test } from 'vitest';
import type { Rollout as Result } from '../../../src/compiler/rollout/simulation/simulate-rollout.ts';
import { predictText, start, type PredictTextOptions } from './predict-text.ts';
import {
  addOn,
  config,
  decisionOf,
  fleet,
  grouped,
  onCluster,
  reference,
  text,
  type Grouped,
  type Rollout,
} from './scenes.ts';

const groups: Grouped = { canary: ['c1', 'c2'], prod: ['c3', 'c4', 'c5'] };

/** The rollout of `agent` where a strategy paces all clusters. */
function install(rollout: Rollout, options: PredictTextOptions = {}, extra: readonly object[] = []): Result {
  return agent(
    predictText(text(...fleet(groups), grouped(groups), addOn({ pl: rollout }), config(), ...extra), options)
      .install,
  );
}

/** The same, once every configuration is replaced by one of another name. */
function update(rollout: Rollout, options: PredictTextOptions = {}): Result {
  const predicted = predictText(text(...fleet(groups), grouped(groups), addOn({ pl: rollout }), config()), {
    ...options,
    update: text(addOn({ pl: rollout }, 'settings-2'), config('settings-2', '2')),
  });
  return agent(predicted.update);
}

function agent(rollouts: ReadonlyMap<string, Result> | undefined): Result {
  const result = rollouts?.get('agent');
  if (result === undefined) throw new Error('no rollout of agent');
  return result;
}

const waves = ({ waves }: Result): string[] =>
  waves.map(({ after, clusters }) => `${after / 1000}s ${clusters.join(' ')}`);
const reports = ({ progressions }: Result): string[] =>
  progressions.map(({ condition }) => condition.message);

const perGroup = (fields: Rollout['progressivePerGroup'] = {}): Rollout => ({
  type: 'ProgressivePerGroup',
  progressivePerGroup: fields,
});
const progressive = (fields: Rollout['progressive'] = {}): Rollout => ({
  type: 'Progressive',
  progressive: fields,
});

describe('a fleet without a history', () => {
  test('changes at once without a strategy', () => {
    expect(waves(install({ type: 'All' }))).toEqual(['0s c1 c2 c3 c4 c5']);
  });

  test('changes in the order of the strategy, soaks included', () => {
    expect(waves(install(perGroup({ minSuccessTime: '5m' })))).toEqual(['0s c1 c2', '300s c3 c4 c5']);
    expect(waves(install(progressive({ maxConcurrency: 2, minSuccessTime: '90s' })))).toEqual([
      '0s c1 c2',
      '90s c3 c4',
      '180s c5',
    ]);
    expect(install(progressive({ maxConcurrency: 2, minSuccessTime: '90s' })).settledAfter).toBe(270_000);
  });

  test('names for each wave the placement that leads it, and its group', () => {
    expect(
      install(perGroup({ mandatoryDecisionGroups: [{ groupName: 'prod' }] })).waves.map(({ parts }) => parts),
    ).toEqual([
      [
        {
          cause: 'strategy',
          placement: 'default/pl',
          group: { index: 1, name: 'prod', mandatory: true },
          clusters: ['c3', 'c4', 'c5'],
        },
      ],
      [
        {
          cause: 'strategy',
          placement: 'default/pl',
          group: { index: 0, name: 'canary', mandatory: false },
          clusters: ['c1', 'c2'],
        },
      ],
    ]);
  });
});

describe('the conditions of the ClusterManagementAddOn', () => {
  const soaking = perGroup({ minSuccessTime: '5m' });

  test('count, wave by wave, as OCM 1.3 does', () => {
    const result = install(soaking);
    expect(result.waves.map(({ progressions }) => progressions.map(({ condition }) => condition))).toEqual([
      [
        {
          type: 'Progressing',
          status: 'True',
          reason: 'Progressing',
          message: 'selected clusters 5. configured addons 2/5 progressing..., 0 failed 0 timeout.',
        },
      ],
      [
        {
          type: 'Progressing',
          status: 'True',
          reason: 'Progressing',
          message: 'selected clusters 5. configured addons 5/5 progressing..., 0 failed 0 timeout.',
        },
      ],
    ]);
    expect(result.progressions).toEqual([
      {
        placement: 'default/pl',
        counts: { selected: 5, configured: 5, progressing: 0, done: 5, failed: 0, timedOut: 0 },
        completed: true,
        condition: {
          type: 'Progressing',
          status: 'False',
          reason: 'Completed',
          message: 'selected clusters 5. configured addons 5/5 completed with no errors, 0 failed 0 timeout.',
        },
      },
    ]);
  });

  test('count clusters that a later placement configures apart', () => {
    const overlapping = [
      ...fleet(groups),
      grouped(groups),
      grouped({ prod: [] }, 'special'),
      grouped({ nobody: [] }, 'empty'),
      addOn({ pl: { type: 'All' }, special: { type: 'All' }, empty: { type: 'All' } }),
      config(),
    ];
    expect(reports(agent(predictText(text(...overlapping)).install))).toEqual([
      'selected clusters 5. configured addons 2/2 completed with no errors, 0 failed 0 timeout.',
      'selected clusters 3. configured addons 3/3 completed with no errors, 0 failed 0 timeout.',
      'selected clusters 0. configured addons 0/0 progressing..., 0 failed 0 timeout.',
    ]);
    expect(reports(agent(predictText(text(...overlapping), { hub: '1.2' }).install))).toEqual([
      '2/5 progressing..., 0 failed 0 timeout.',
      '3/3 completed with no errors, 0 failed 0 timeout.',
      '0/0 progressing..., 0 failed 0 timeout.',
    ]);
  });

  test('keep their last state if an error stops the hub', () => {
    const mandatoryDecisionGroups = [{ groupName: 'canary' }];
    expect(reports(install(progressive({ maxConcurrency: '1', mandatoryDecisionGroups })))).toEqual([
      'selected clusters 5. configured addons 2/5 progressing..., 0 failed 0 timeout.',
    ]);
    expect(reports(install(progressive({ maxConcurrency: '1' })))).toEqual([]);
  });

  test('omit clusters with repeated cluster configurations, and before 1.3 all with cluster configurations', () => {
    const own = onCluster('c1', { configs: [reference('special')] });
    const repeated = onCluster('c1', { configs: [reference('special'), reference('special')] });
    const special = config('special');
    expect(reports(install({ type: 'All' }, {}, [own, special]))).toEqual([
      'selected clusters 5. configured addons 5/5 completed with no errors, 0 failed 0 timeout.',
    ]);
    expect(reports(install({ type: 'All' }, {}, [repeated, special]))).toEqual([
      'selected clusters 5. configured addons 4/5 progressing..., 0 failed 0 timeout.',
    ]);
    expect(reports(install({ type: 'All' }, { hub: '1.2' }, [own, special]))).toEqual([
      '4/5 progressing..., 0 failed 0 timeout.',
    ]);
  });
});

describe('a cluster that fails', () => {
  test('keeps its slot indefinitely without a deadline', () => {
    const result = update(perGroup(), { failing: ['c1'] });
    expect(waves(result)).toEqual(['0s c1 c2']);
    expect(result.unready).toEqual(['c1']);
    expect(result.stops).toEqual([
      {
        placement: 'default/pl',
        reason: 'under way',
        message: 'waits for "c1", and there is no progressDeadline',
        culprits: ['c1'],
        left: ['c3', 'c4', 'c5'],
      },
    ]);
  });

  test('stops the rollout after its deadline', () => {
    const result = update(perGroup({ progressDeadline: '10m' }), { failing: ['c1'] });
    expect(waves(result)).toEqual(['0s c1 c2']);
    expect(result.stops).toMatchObject([
      {
        reason: 'too many failures',
        message: '"c1" failed, more than maxFailures allows',
        left: ['c3', 'c4', 'c5'],
      },
    ]);
    expect(result.settledAfter).toBe(600_000);
    expect(reports(result)).toEqual([
      'selected clusters 5. configured addons 1/5 progressing..., 0 failed 1 timeout.',
    ]);
  });

  test('is tolerated if the strategy allows it', () => {
    const result = update(perGroup({ progressDeadline: '10m', maxFailures: '50%' }), { failing: ['c1'] });
    expect(waves(result)).toEqual(['0s c1 c2', '600s c3 c4 c5']);
    expect(result.stops).toEqual([]);
    expect(result.unready).toEqual(['c1']);
  });

  test('is not tolerated beside mandatory groups', () => {
    const mandatoryDecisionGroups = [{ groupName: 'canary' }];
    const result = update(
      progressive({ maxConcurrency: 1, progressDeadline: '10m', maxFailures: 2, mandatoryDecisionGroups }),
      { failing: ['c3'] },
    );
    expect(waves(result)).toEqual(['0s c1 c2', '0s c3']);
    expect(result.stops).toMatchObject([
      {
        reason: 'mandatory groups',
        message: '"c3" failed, and with mandatory groups no failure is tolerated',
        left: ['c4', 'c5'],
      },
    ]);
  });

  test('keeps the time of an earlier failure, so that the next change finds it late at once', () => {
    const rollout = perGroup({ progressDeadline: '10m', maxFailures: '50%' });
    const conditions = [
      {
        type: 'Progressing',
        status: 'True',
        reason: 'Progressing',
        message: '',
        lastTransitionTime: time(-3600),
      },
      { type: 'ManifestApplied', status: 'True', reason: 'x', message: '', lastTransitionTime: time(-3600) },
    ];
    const late = onCluster('c1', {
      status: { conditions, configReferences: [held('settings-0', 'old', 'older')] },
    });
    const result = install(rollout, { fleet: text(late), failing: ['c1'] });
    expect(waves(result)).toEqual(['0s c1 c2', '0s c3 c4 c5']);
  });
});

describe('the earliest time of a wave, with agents that answer within moments', () => {
  const earliest = ({ waves }: Result): string[] =>
    waves.map(({ earliest, after }) => `${earliest / 1000}s to ${after / 1000}s`);
  const one = progressive({ maxConcurrency: 1, minSuccessTime: '5m' });
  const completed = {
    type: 'Progressing',
    status: 'False',
    reason: 'Completed',
    message: '',
    lastTransitionTime: time(-3600),
  };

  test('clusters behind a failure can change before its deadline', () => {
    const strategy = { maxConcurrency: 2, minSuccessTime: '5m', progressDeadline: '6m' };
    const result = update(progressive(strategy), { failing: ['c1'] });
    expect(earliest(result)).toEqual(['0s to 0s', '0s to 300s']);
    expect(result.stops).toEqual([
      {
        placement: 'default/pl',
        reason: 'too many failures',
        culprits: ['c1'],
        left: ['c4', 'c5'],
        early: [
          { cluster: 'c4', earliest: 0 },
          { cluster: 'c5', earliest: 0 },
        ],
        message:
          '"c1" failed, more than maxFailures allows; "c4", "c5" can change before that, because soaks can end early',
      },
    ]);
    const immediate = update(progressive({ ...strategy, minSuccessTime: '0s' }), { failing: ['c1'] });
    expect(immediate.stops).toEqual([]);
  });

  test('any group of an installation can start first, because an earlier installation may be left', () => {
    const three: Grouped = { dev: ['c1'], staging: ['c2'], prod: ['c3'] };
    const perGroupOf = (rollout: Rollout): Result =>
      agent(predictText(text(...fleet(three), grouped(three), addOn({ pl: rollout }), config())).install);
    for (const rollout of [
      perGroup({ minSuccessTime: '5m' }),
      progressive({
        mandatoryDecisionGroups: [{ groupName: 'dev' }, { groupName: 'staging' }],
        minSuccessTime: '5m',
      }),
    ]) {
      const result = perGroupOf(rollout);
      expect(earliest(result)).toEqual(['0s to 0s', '0s to 300s', '0s to 600s']);
      expect(result).toMatchObject({
        startOrder: 'any group',
        settledEarliest: 300_000,
        settledAfter: 900_000,
      });
    }
  });

  test('only an installation in several waves has an uncertain order', () => {
    expect(install(progressive({ maxConcurrency: 1 })).startOrder).toBe('any cluster');
    expect(install(perGroup({})).startOrder).toBe('any group');
    expect(install({ type: 'All' })).not.toHaveProperty('startOrder');
    expect(
      install(one, { fleet: text(onCluster('c1', { status: { conditions: [completed] } })) }),
    ).not.toHaveProperty('startOrder');
  });

  test('any cluster can be in the first wave of an installation without groups', () => {
    expect(earliest(install(one))).toEqual([
      '0s to 0s',
      '0s to 300s',
      '0s to 600s',
      '0s to 900s',
      '0s to 1200s',
    ]);
  });

  test('an update does not soak at all', () => {
    expect(earliest(update(one))).toEqual([
      '0s to 0s',
      '0s to 300s',
      '0s to 600s',
      '0s to 900s',
      '0s to 1200s',
    ]);
  });

  test('a cluster that the hub has seen in progress soaks', () => {
    const conditions = [
      {
        type: 'Progressing',
        status: 'True',
        reason: 'Progressing',
        message: '',
        lastTransitionTime: time(-60),
      },
      { type: 'ManifestApplied', status: 'True', reason: 'x', message: '', lastTransitionTime: time(-60) },
    ];
    const changing = onCluster('c1', {
      status: { conditions, configReferences: [held('settings-0', 'old', 'older')] },
    });
    const result = install(perGroup({ minSuccessTime: '5m' }), { fleet: text(changing) });
    expect(earliest(result)).toEqual(['0s to 0s', '300s to 300s']);
  });

  test('a cluster that waits on the hub for a long time does not soak', () => {
    const conditions = [
      {
        type: 'Progressing',
        status: 'False',
        reason: 'WaitingForManifestApplied',
        message: '',
        lastTransitionTime: time(-3600),
      },
    ];
    const waiting = ['c1', 'c2'].map((name) => onCluster(name, { status: { conditions } }));
    const result = install(perGroup({ minSuccessTime: '5m' }), { fleet: text(...waiting) });
    expect(earliest(result)).toEqual(['0s to 0s', '0s to 300s']);
  });

  test('a deadline takes its full time', () => {
    const result = update(perGroup({ progressDeadline: '10m', maxFailures: '50%', minSuccessTime: '5m' }), {
      failing: ['c1'],
    });
    expect(earliest(result)).toEqual(['0s to 0s', '600s to 600s']);
  });

  test('is the same without a soak', () => {
    expect(earliest(install(progressive({ maxConcurrency: 2 })))).toEqual([
      '0s to 0s',
      '0s to 0s',
      '0s to 0s',
    ]);
  });
});

describe('a cluster that is silent', () => {
  test('never becomes late before it has ever answered', () => {
    const result = install(perGroup({ progressDeadline: '10m' }), { silent: ['c1'] });
    expect(waves(result)).toEqual(['0s c1 c2']);
    expect(result.stops).toMatchObject([
      { reason: 'under way', message: 'waits for "c1", indefinitely: the hub does not know when it began' },
    ]);
    expect(result.settledAfter).toBe(0);
  });

  test('becomes late in an update', () => {
    const result = update(perGroup({ progressDeadline: '10m' }), { silent: ['c1'] });
    expect(result.stops).toMatchObject([{ reason: 'too many failures', culprits: ['c1'] }]);
  });
});

function time(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString().replace('.000', '');
}

/** An entry of `status.configReferences`. */
function held(name: string, specHash: string, applied?: string): object {
  const config = (hash: string): object => ({ name, namespace: 'default', specHash: hash });
  const { group, resource } = {
    group: 'addon.open-cluster-management.io',
    resource: 'addondeploymentconfigs',
  };
  return {
    group,
    resource,
    desiredConfig: config(specHash),
    ...(applied === undefined ? {} : { lastAppliedConfig: config(applied) }),
  };
}

describe('statuses of a fleet snapshot', () => {
  const settingsHash = agentHash();

  function agentHash(): string {
    const { reached } = install({ type: 'All' });
    return reached.get('c1')?.references[0]?.specHash ?? '';
  }

  function progressing(reason: string, seconds: number): object {
    const status = reason === 'Completed' ? 'False' : 'True';
    return { type: 'Progressing', status, reason, message: '', lastTransitionTime: time(seconds) };
  }

  const through = (cluster: string, seconds: number): object =>
    onCluster(cluster, {
      status: {
        configReferences: [held('settings', settingsHash, settingsHash)],
        conditions: [progressing('Completed', seconds)],
      },
    });
  const underWay = (cluster: string, seconds: number): object =>
    onCluster(cluster, {
      status: {
        configReferences: [held('settings', settingsHash)],
        conditions: [progressing('Progressing', seconds)],
      },
    });

  test('clusters that have their configuration are not in a wave', () => {
    const snapshot = text(through('c1', -7200), through('c2', -7200), through('c3', -7200));
    expect(waves(install(perGroup(), { fleet: snapshot }))).toEqual(['0s c4 c5']);
    expect(waves(install({ type: 'All' }, { fleet: snapshot }))).toEqual(['0s c4 c5']);
  });

  test('clusters still soak, from when they succeeded', () => {
    const snapshot = text(through('c1', -7200), through('c2', -60));
    expect(waves(install(perGroup({ minSuccessTime: '5m' }), { fleet: snapshot }))).toEqual([
      '240s c3 c4 c5',
    ]);
  });

  test('clusters under way take places, and succeed soon', () => {
    const result = install(progressive({ maxConcurrency: 2 }), { fleet: text(underWay('c1', -60)) });
    expect(waves(result)).toEqual(['0s c2', '0s c3 c4', '0s c5']);
  });

  test('clusters in progress take no slots of those before them by name', () => {
    const result = install(progressive({ maxConcurrency: 2 }), { fleet: text(underWay('c3', -60)) });
    expect(waves(result)).toEqual(['0s c1 c2', '0s c4 c5']);
  });

  test('clusters that are late already remain late', () => {
    const snapshot = text(underWay('c1', -3600), through('c2', -3600));
    const result = install(perGroup({ progressDeadline: '10m' }), { fleet: snapshot });
    expect(waves(result)).toEqual([]);
    expect(result.stops).toMatchObject([{ reason: 'too many failures', culprits: ['c1'] }]);
    expect(result.unready).toEqual(['c1']);
  });

  test('a condition Failed counts as a failure, and ends with the next success', () => {
    const failed = onCluster('c1', {
      status: {
        configReferences: [held('settings', settingsHash)],
        conditions: [{ ...progressing('Failed', -60), status: 'False' }],
      },
    });
    const result = install(progressive({ maxConcurrency: 2 }), { fleet: text(failed) });
    expect(waves(result)).toEqual(['0s c2 c3', '0s c4 c5']);
  });

  test('a success at a time that is unknown to the hub soaks indefinitely', () => {
    const timeless = onCluster('c1', {
      status: {
        configReferences: [held('settings', settingsHash, settingsHash)],
        conditions: [progressing('Progressing', -60)],
      },
    });
    const result = install(perGroup({ minSuccessTime: '5m' }), {
      fleet: text(timeless, through('c2', -3600)),
    });
    expect(waves(result)).toEqual([]);
    expect(result.stops).toMatchObject([
      {
        reason: 'soaking',
        message: 'waits for "c1" to soak, indefinitely: the hub does not know when it began',
      },
    ]);
  });

  test('add-ons of clusters that are no longer selected are removed immediately', () => {
    const gone = through('elsewhere', -60);
    const result = install({ type: 'All' }, { fleet: text(gone) });
    expect(result.uninstalled).toEqual(['elsewhere']);
    expect(result.reached.get('elsewhere')).toBeUndefined();
  });
});

describe('configurations that a cluster names itself', () => {
  const own = onCluster('c5', { configs: [reference('special')] });
  const before = [
    ...fleet(groups),
    grouped(groups),
    addOn({ pl: perGroup() }),
    config(),
    own,
    config('special'),
  ];

  test('are changed immediately when they are edited, regardless of the strategy', () => {
    const result = agent(predictText(text(...before), { update: text(config('special', '2')) }).update);
    expect(result.waves.map(({ parts }) => parts)).toEqual([
      [
        {
          cause: 'own configuration',
          placement: 'default/pl',
          group: { index: 1, name: 'prod', mandatory: false },
          clusters: ['c5'],
        },
      ],
    ]);
  });

  test('wait for their turn when the cluster names another', () => {
    const next = [onCluster('c5', { configs: [reference('special-2')] }), config('special-2', '2')];
    const replaced = [addOn({ pl: perGroup() }, 'settings-2'), config('settings-2', '2')];
    const result = agent(predictText(text(...before), { update: text(...next, ...replaced) }).update);
    expect(waves(result)).toEqual(['0s c1 c2', '0s c3 c4 c5']);
  });

  test('keep their last hash when they are deleted', () => {
    const missing = onCluster('c5', {
      configs: [reference('special')],
      status: { configReferences: [held('special', 'last', 'last')] },
    });
    const objects = [...fleet(groups), grouped(groups), addOn({ pl: perGroup() }), config(), missing];
    const result = agent(predictText(text(...objects)).install);
    expect(waves(result)).toEqual(['0s c1 c2', '0s c3 c4']);
    expect(result.unready).toEqual([]);
  });
});

describe('clusters that block a rollout', () => {
  test('because a later placement leads them', () => {
    const objects = [
      ...fleet({ ...groups, late: ['c6'] }),
      grouped({ ...groups, late: [] }),
      grouped({ prod: [] }, 'special'),
      addOn({ pl: perGroup(), special: { type: 'All' } }),
      config(),
    ];
    const { stops } = agent(predictText(text(...objects)).install);
    expect(stops).toEqual([
      {
        placement: 'default/pl',
        reason: 'foreign cluster',
        message: 'waits for "c3", "c4", "c5", which the later placement "default/special" leads',
        culprits: ['c3', 'c4', 'c5'],
        left: ['c6'],
      },
    ]);
  });

  test('because the hub has no such cluster', () => {
    const frozen = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: {
        name: 'pl',
        namespace: 'default',
        annotations: { 'cluster.open-cluster-management.io/experimental-scheduling-disable': 'true' },
      },
      spec: {},
    };
    const decisions = [decisionOf('0', '', ['c1', 'gone'], 'pl'), decisionOf('1', '', ['c2'], 'pl')];
    const objects = [...fleet(groups), frozen, ...decisions, addOn({ pl: perGroup() }), config()];
    const result = agent(predictText(text(...objects)).install);
    expect(waves(result)).toEqual(['0s c1']);
    expect(result.stops).toMatchObject([
      {
        reason: 'foreign cluster',
        message: 'waits for "gone", where the add-on is never installed',
        left: ['c2'],
      },
    ]);
    expect(reports(result)).toEqual([
      'selected clusters 3. configured addons 1/3 progressing..., 0 failed 0 timeout.',
    ]);
  });

  test('because a configuration does not exist', () => {
    const objects = [...fleet(groups), grouped(groups), addOn({ pl: perGroup() }, 'nowhere')];
    const result = agent(predictText(text(...objects)).install);
    expect(waves(result)).toEqual(['0s c1 c2']);
    expect(result.unready).toEqual(['c1', 'c2']);
    expect(result.stops).toMatchObject([
      { reason: 'under way', message: 'waits for "c1", "c2", and there is no progressDeadline' },
    ]);
  });
});

describe('add-ons beside placements', () => {
  test('change at once if they are installed manually', () => {
    const manual = {
      apiVersion: 'addon.open-cluster-management.io/v1beta1',
      kind: 'ClusterManagementAddOn',
      metadata: { name: 'agent' },
      spec: { defaultConfigs: [reference()] },
    };
    const byHand = ['c1', 'c4'].map((name) => onCluster(name, {}));
    const result = agent(predictText(text(...fleet(groups), manual, ...byHand, config())).install);
    expect(result.waves.map(({ parts }) => parts)).toEqual([
      [{ cause: 'no placement', clusters: ['c1', 'c4'] }],
    ]);
  });

  test('do not change if the hub ignores them', () => {
    const selfManaged = {
      ...addOn({ pl: perGroup() }),
      metadata: { name: 'agent', annotations: { 'addon.open-cluster-management.io/lifecycle': 'self' } },
    };
    const result = agent(predictText(text(...fleet(groups), grouped(groups), selfManaged, config())).install);
    expect(result).toMatchObject({ waves: [], stops: [], uninstalled: [] });
  });

  test('have nothing to wait for without any configuration', () => {
    const bare = {
      apiVersion: 'addon.open-cluster-management.io/v1beta1',
      kind: 'ClusterManagementAddOn',
      metadata: { name: 'agent' },
      spec: {
        installStrategy: {
          type: 'Placements',
          placements: [{ name: 'pl', namespace: 'default', rolloutStrategy: perGroup() }],
        },
      },
    };
    const result = agent(predictText(text(...fleet(groups), grouped(groups), bare)).install);
    expect(waves(result)).toEqual([]);
    expect(reports(result)).toEqual([
      'selected clusters 5. configured addons 5/5 completed with no errors, 0 failed 0 timeout.',
    ]);
  });
});
