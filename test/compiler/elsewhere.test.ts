import { describe, expect, test } from 'vitest';
import { elsewhere, isMeant, type Elsewhere, type Surroundings } from '../../src/compiler/model/elsewhere.ts';

const group = 'cluster.open-cluster-management.io';
const placement = (name: string, namespace = 'default') =>
  ({ group, kind: 'Placement', namespace, name }) as const;

const known = (surroundings: Partial<Surroundings>, writers: readonly string[] = []): Elsewhere =>
  elsewhere({ external: [], snapshots: [], ...surroundings }, { writers: new Set(writers), hasFleet: true });

describe('an entry of external', () => {
  test.each([
    ['global', 'global', true],
    ['global', 'globals', false],
    ['glob*', 'global', true],
    ['*', '', true],
    ['*-?', 'prod-1', true],
    ['*-?', 'prod-12', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['pro.', 'prod', false],
    ['[a-z]*', 'prod', false],
  ])('%s means %s: %s', (name, object, isMatch) => {
    expect(isMeant({ kind: 'Placement', name }, placement(object))).toBe(isMatch);
  });

  test('with many stars takes no time', () => {
    const entry = { kind: 'Placement', name: `${'*a'.repeat(60)}b` };
    expect(isMeant(entry, placement('a'.repeat(250)))).toBe(false);
  });

  test('matches any namespace and group if it names none', () => {
    const entry = { kind: 'Placement', name: 'p' };
    expect(isMeant(entry, placement('p', 'anywhere'))).toBe(true);
    expect(isMeant({ ...entry, namespace: 'team-*' }, placement('p', 'team-a'))).toBe(true);
    expect(isMeant({ ...entry, namespace: 'team-*' }, placement('p'))).toBe(false);
    expect(isMeant({ ...entry, group: 'other.example' }, placement('p'))).toBe(false);
    expect(isMeant({ ...entry, kind: 'PlacementRule' }, placement('p'))).toBe(false);
  });
});

describe('an object that the inputs do not have', () => {
  const omittedObject = { ...placement('p'), writer: 'argocd:hello' };
  const covering = { covers: ['Placement'], omitted: [omittedObject] };

  test('is missing if the fleet was written manually, or the snapshot covers its kind', () => {
    expect(known({}).existence(placement('p'))).toBe('missing');
    expect(known({ snapshots: [covering] }).existence(placement('q'))).toBe('missing');
  });

  test('is unknown if no snapshot covers its kind', () => {
    const older = { covers: ['ManagedCluster'], omitted: [] };
    expect(known({ snapshots: [older] }).existence(placement('p'))).toBe('unknown');
    expect(known({ snapshots: [older, covering] }).existence(placement('q'))).toBe('missing');
  });

  test('is unknown without a fleet if it may come from elsewhere', () => {
    const without = elsewhere({ external: [], snapshots: [] }, { writers: new Set(), hasFleet: false });
    expect(without.existence(placement('p'))).toBe('unknown');
    const config = { group: 'addon.open-cluster-management.io', kind: 'AddOnDeploymentConfig', name: 'c' };
    expect(without.existence(config)).toBe('missing');
  });

  test('exists if the snapshot omitted it because another app writes it', () => {
    expect(known({ snapshots: [covering] }, ['argocd:other']).existence(placement('p'))).toBe('exists');
  });

  test('is missing if the engine of this app created it: the app had it and no longer has it', () => {
    expect(known({ snapshots: [covering] }, ['argocd:hello']).existence(placement('p'))).toBe('missing');
  });

  test('is missing if the app had it in an earlier state, unless it is expected elsewhere', () => {
    const gone = new Set([`${group}/placement default/p`]);
    expect(known({ snapshots: [covering], gone }).existence(placement('p'))).toBe('missing');
    const external = [{ kind: 'Placement', name: 'p' }];
    expect(known({ snapshots: [covering], gone, external }).existence(placement('p'))).toBe('exists');
  });
});
