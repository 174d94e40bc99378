import { describe, expect, test } from 'vitest';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import { line, loaded } from './loaded.ts';

const claim = {
  apiVersion: 'cluster.open-cluster-management.io/v1alpha1',
  kind: 'ClusterClaim',
  spec: { value: 'x' },
};
const score = { apiVersion: 'cluster.open-cluster-management.io/v1alpha1', kind: 'AddOnPlacementScore' };

/** Returns the text of each finding about a ClusterClaim with this metadata. */
function findingTexts(metadata: unknown): string[] {
  return admitObject(loaded({ ...claim, metadata })).diagnostics.map(line);
}

function named(metadata: object): object {
  return { name: 'x', ...metadata };
}

const qualified =
  "must consist of letters, digits, '-', '_' and '.', and begin and end with a letter or digit";

describe('metadata of the wrong type', () => {
  test.each([
    [1, 'error FW2004 metadata at object/metadata: metadata must be an object, but is the number 1'],
    [
      { name: 7 },
      'error FW2004 metadata.name at object/metadata/name: metadata.name must be a string, but is the number 7\n  hint: put it in quotes: "7"',
    ],
    [
      { name: ['a'] },
      'error FW2004 metadata.name at object/metadata/name: metadata.name must be a string, but is the list ["a"]',
    ],
    [
      named({ labels: { 'example.com/tier': true } }),
      'error FW2004 metadata.labels at object/metadata/labels/example.com/tier: metadata.labels["example.com/tier"] must be a string, but is the boolean true\n  hint: put it in quotes: "true"',
    ],
    [
      named({ annotations: 'a' }),
      'error FW2004 metadata.annotations at object/metadata/annotations: metadata.annotations must be a map of strings, but is the string "a"',
    ],
    [
      named({ finalizers: [1] }),
      'error FW2004 metadata.finalizers at object/metadata/finalizers/0: metadata.finalizers[0] must be a string, but is the number 1\n  hint: put it in quotes: "1"',
    ],
    [
      named({ finalizers: {} }),
      'error FW2004 metadata.finalizers at object/metadata/finalizers: metadata.finalizers must be a list, but is the object {}',
    ],
    [
      named({ ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', controller: 'yes' }] }),
      'error FW2004 metadata.ownerReferences at object/metadata/ownerReferences/0/controller: metadata.ownerReferences[0].controller must be a boolean, but is the string "yes"',
    ],
    [
      named({ ownerReferences: ['a'] }),
      'error FW2004 metadata.ownerReferences at object/metadata/ownerReferences/0: metadata.ownerReferences[0] must be an object, but is the string "a"',
    ],
    [
      named({ generation: 1.5 }),
      'error FW2004 metadata.generation at object/metadata/generation: metadata.generation must be an integer, but is the number 1.5',
    ],
    [
      named({ generation: 2n ** 64n }),
      'error FW2004 metadata.generation at object/metadata/generation: metadata.generation must be an integer, but is the number 18446744073709551616',
    ],
    [
      named({ deletionGracePeriodSeconds: 2 ** 63 }),
      'error FW2004 metadata.deletionGracePeriodSeconds at object/metadata/deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds must be an integer, but is the number 9223372036854776000',
    ],
    [
      named({ creationTimestamp: 'yesterday' }),
      'error FW2004 metadata.creationTimestamp at object/metadata/creationTimestamp: metadata.creationTimestamp must be a time such as 2026-01-31T12:00:00Z, but is the string "yesterday"',
    ],
    [
      named({ creationTimestamp: 5 }),
      'error FW2004 metadata.creationTimestamp at object/metadata/creationTimestamp: metadata.creationTimestamp must be a time, but is the number 5',
    ],
  ])('is refused: %o', (metadata, expected) => {
    expect(findingTexts(metadata)[0]).toBe(expected);
    expect(admitObject(loaded({ ...claim, metadata })).valid).toBe(false);
  });

  test('is reported in the order of the fields, as the API server reads them', () => {
    const faults = admitObject(
      loaded({ ...claim, metadata: { name: 1, labels: { b: 1, a: 1 }, annotations: [] } }),
    );
    expect(faults.diagnostics.map(({ location }) => location)).toEqual([
      { construct: 'object/metadata/annotations' },
      { construct: 'object/metadata/labels/a' },
      { construct: 'object/metadata/labels/b' },
      { construct: 'object/metadata/name' },
    ]);
  });
});

describe('empty metadata', () => {
  test('is dropped', () => {
    const metadata = {
      name: 'x',
      generateName: '',
      namespace: null,
      labels: { a: null, b: 'c' },
      annotations: {},
      finalizers: [],
      creationTimestamp: null,
      generation: 0,
      deletionGracePeriodSeconds: 0,
      ownerReferences: null,
    };
    const { object, diagnostics } = admitObject(loaded({ ...claim, metadata }));
    expect(diagnostics).toEqual([]);
    expect(object?.object.metadata).toEqual({
      name: 'x',
      labels: { a: '', b: 'c' },
      deletionGracePeriodSeconds: 0,
    });
  });

  test('is filled in if Go always writes it', () => {
    const metadata = named({ ownerReferences: [null, { apiVersion: 'v1', controller: null }] });
    const work = {
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: { name: 'w', namespace: 'c' },
      spec: {
        workload: {
          manifests: [{ apiVersion: 'v1', kind: 'Pod', metadata: { finalizers: [null], ...metadata } }],
        },
      },
    };
    expect(admitObject(loaded(work)).diagnostics.map(({ message }) => message)).toEqual([
      'owner reference 0 has no version in its apiVersion',
      'owner reference 0 has no kind',
      'owner reference 0 has no name',
      'owner reference 0 has no uid',
      'owner reference 1 has no kind',
      'owner reference 1 has no name',
      'owner reference 1 has no uid',
      'finalizer "" must not be empty',
    ]);
  });
});

describe('names', () => {
  test('are needed', () => {
    expect(findingTexts(undefined)).toEqual([
      'error FW2008 metadata.name at object/metadata/name: required field name is missing in metadata',
    ]);
    expect(findingTexts({ name: '' })).toEqual(findingTexts(null));
  });

  test.each([
    [
      'Cluster1',
      `name "Cluster1" must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit\n  hint: write "cluster1"`,
    ],
    [
      'a_b',
      `name "a_b" must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit`,
    ],
    ['a'.repeat(254), `name "${'a'.repeat(78)}… must have at most 253 bytes, but has 254`],
  ])('of custom resources are DNS subdomains: %s', (name, expected) => {
    expect(findingTexts({ name })).toEqual([
      `error FW2016 metadata.name at object/metadata/name: ${expected}`,
    ]);
  });

  test('may not be left to the hub, though the hub takes that', () => {
    const { valid, object, diagnostics } = admitObject(
      loaded({ ...claim, metadata: { generateName: 'claim-' } }),
    );
    expect(valid).toBe(true);
    expect(object).toBeUndefined();
    expect(diagnostics.map(line)).toEqual([
      'error FW2024 metadata.generateName at object/metadata/generateName: the hub would generate a name that begins with "claim-", so nothing can refer to the object\n  hint: give the object a name',
    ]);
  });

  test('that the hub generates must be valid', () => {
    expect(findingTexts({ name: 'x', generateName: 'A-x-' })).toEqual([
      `error FW2016 metadata.generateName at object/metadata/generateName: generateName "A-x-" must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit`,
    ]);
    // half of a letter of two bytes is wrong in a beginning already
    expect(findingTexts({ generateName: 'é-' })[0]).toContain('generateName "é-" must consist of');
    // the API server masks the end of a beginning, and with it the only wrong letter
    expect(findingTexts({ generateName: 'A-' })[0]).toBe(
      `error FW2016 metadata.name at object/metadata/generateName: a name that begins with generateName "A-" must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit`,
    );
  });

  test('of other kinds must fit into a URL', () => {
    const of = (name: string): string | undefined =>
      admitObject(loaded({ apiVersion: 'example.com/v1', kind: 'X', metadata: { name } })).diagnostics[0]
        ?.message;
    expect(of('A:b')).toBeUndefined();
    expect(of('..')).toBe(`name ".." must not be '..'`);
    expect(of('a/b')).toBe(`name "a/b" must not contain '/'`);
    expect(of('50%')).toBe(`name "50%" must not contain '%'`);
  });
});

describe('namespaces', () => {
  const metadata = { name: 'x', namespace: 'ns' };

  test('are DNS labels', () => {
    expect(
      admitObject(loaded({ ...score, metadata: { name: 'x', namespace: 'Team.A' } })).diagnostics.map(line),
    ).toEqual([
      'error FW2019 metadata.namespace at object/metadata/namespace: namespace "Team.A" must consist of lower-case letters, digits and \'-\', and begin and end with a letter or digit',
    ]);
    const long = { ...score, metadata: { name: 'x', namespace: 'n'.repeat(64) } };
    expect(admitObject(loaded(long)).diagnostics[0]?.message).toBe(
      `namespace "${'n'.repeat(64)}" must have at most 63 bytes, but has 64`,
    );
  });

  test('are dropped from cluster-scoped objects', () => {
    const { valid, object, diagnostics } = admitObject(loaded({ ...claim, metadata }));
    expect(valid).toBe(true);
    expect(object?.object.metadata).toEqual({ name: 'x' });
    expect(diagnostics.map(line)).toEqual([
      'info FW2020 metadata.namespace at object/metadata/namespace: ClusterClaim is cluster-scoped: the hub drops the namespace "ns"\n  hint: remove the namespace',
    ]);
  });

  test('are also dropped from cluster-scoped kinds of Kubernetes, and kept on kinds of other products', () => {
    const metadata = { name: 'x', namespace: 'ns' };
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata };
    const { valid, object, diagnostics } = admitObject(loaded(role));
    expect(valid).toBe(true);
    expect(object?.object.metadata).toEqual({ name: 'x' });
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW2020']);

    const other = admitObject(loaded({ apiVersion: 'example.com/v1', kind: 'ClusterThing', metadata }));
    expect(other.object?.object.metadata).toEqual(metadata);
    expect(other.diagnostics).toEqual([]);
  });

  test('are "default" if a namespaced object has none', () => {
    const { valid, object, diagnostics } = admitObject(loaded({ ...score, metadata: { name: 'x' } }));
    expect(valid).toBe(true);
    expect(object?.object.metadata).toEqual({ name: 'x', namespace: 'default' });
    expect(diagnostics.map(line)).toEqual([
      'warning FW2021 metadata.namespace at object/metadata/namespace: AddOnPlacementScore is namespaced, but has no namespace: "default" is assumed\n  hint: set the namespace, so that it does not depend on the client that applies the object',
    ]);
  });

  test('of the wrong type are not also reported as missing', () => {
    const wrong = loaded({ ...score, metadata: { name: 'x', namespace: 1 } });
    expect(admitObject(wrong).diagnostics.map(({ code }) => code)).toEqual(['FW2004']);
  });
});

describe('labels', () => {
  test.each([
    [
      'a/b/c',
      '',
      `label key "a/b/c" must be a name, or a DNS subdomain, '/' and a name, such as example.com/my-name`,
    ],
    ['/a', '', `label key "/a" must have a DNS subdomain before the '/'`],
    ['a/', '', `label key "a/" must have a name after the '/'`],
    ['', '', 'label key "" must not be empty'],
    ['-a', '', `label key "-a" ${qualified}`],
    [
      'Example.com/a',
      '',
      `label key "Example.com/a" must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit in the part before the '/'`,
    ],
    ['a'.repeat(64), '', `label key "${'a'.repeat(64)}" must have at most 63 bytes, but has 64 in the name`],
    ['a', 'b c', `value "b c" of label "a" ${qualified}\n  hint: an annotation can have any value`],
    ['a', 'ü', `value "ü" of label "a" ${qualified}\n  hint: an annotation can have any value`],
    [
      'a',
      'ä'.repeat(32),
      `value "${'ä'.repeat(32)}" of label "a" must have at most 63 bytes, but has 64\n  hint: an annotation can have any value`,
    ],
  ])('must be such: %j: %j', (key, value, expected) => {
    expect(findingTexts(named({ labels: { [key]: value } }))).toEqual([
      `error FW2017 metadata.labels at object/metadata/labels/${key}: ${expected}`,
    ]);
  });

  test('may be empty, and have a prefix', () => {
    expect(findingTexts(named({ labels: { 'example.com/A_b.c': '', x: 'A_b.c' } }))).toEqual([]);
  });
});

describe('annotations', () => {
  test('may have keys in upper case, but no others than labels', () => {
    expect(findingTexts(named({ annotations: { 'Example.COM/a': 'any text', 'a b': '' } }))).toEqual([
      `error FW2018 metadata.annotations at object/metadata/annotations/a b: annotation key "a b" ${qualified}`,
    ]);
  });

  test('may not be too large together', () => {
    const half = 'x'.repeat(131_071);
    expect(findingTexts(named({ annotations: { a: half, b: half } }))).toEqual([]);
    expect(findingTexts(named({ annotations: { a: half, bc: half } }))).toEqual([
      'error FW2018 metadata.annotations at object/metadata/annotations: the annotations have 262145 bytes together, but may have at most 262144\n  hint: move large values into a ConfigMap',
    ]);
  });
});

describe('owner references', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' };

  test('must be complete', () => {
    expect(
      findingTexts(
        named({
          ownerReferences: [
            { ...owner, uid: '' },
            { ...owner, apiVersion: 'apps/' },
          ],
        }),
      ),
    ).toEqual([
      'error FW2022 metadata.ownerReferences.uid at object/metadata/ownerReferences/0/uid: owner reference 0 has no uid\n  hint: only the hub knows the uid of an object: let its controllers set owner references',
      'error FW2022 metadata.ownerReferences.apiVersion at object/metadata/ownerReferences/1/apiVersion: owner reference 1 has no version in its apiVersion',
    ]);
  });

  test('have one controller, which is not an Event', () => {
    const controllers = [
      { ...owner, controller: true },
      { ...owner, kind: 'Event' },
      { ...owner, uid: 'other', controller: true },
    ];
    expect(findingTexts(named({ ownerReferences: controllers }))).toEqual([
      'error FW2022 metadata.ownerReferences at object/metadata/ownerReferences/1: an Event cannot own objects',
      'error FW2022 metadata.ownerReferences at object/metadata/ownerReferences/2/controller: only one owner can be the controller\n' +
        '  the first controller: {"construct":"object/metadata/ownerReferences/0/controller"}',
    ]);
  });

  test('that repeat the same fact count once', () => {
    const controller = { ...owner, controller: true };
    const configMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: named({ ownerReferences: [controller, owner, controller] }),
    };
    const { valid, object } = admitObject(loaded(configMap));
    expect(valid).toBe(true);
    expect(object?.object.metadata.ownerReferences).toEqual([controller, owner]);
  });
});

describe('finalizers', () => {
  test('are names that do not exclude each other', () => {
    expect(
      findingTexts(named({ finalizers: ['example.com/a', 'b c', 'orphan', 'foregroundDeletion'] })),
    ).toEqual([
      `error FW2023 metadata.finalizers at object/metadata/finalizers/1: finalizer "b c" ${qualified}`,
      'error FW2023 metadata.finalizers at object/metadata/finalizers: the finalizers "orphan" and "foregroundDeletion" exclude each other',
    ]);
  });
});
