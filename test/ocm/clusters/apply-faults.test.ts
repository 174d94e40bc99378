import { expect, test } from 'vitest';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { applyFaults } from '../../../src/ocm/clusters/apply-faults.ts';

function texts(manifest: JsonMap): readonly string[] {
  return applyFaults(manifest).map(({ field, message }) => `${field}: ${message}`);
}

const deployment = (spec: JsonMap): JsonMap => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: { template: { spec } },
});

const container = (fields: JsonMap = {}): JsonMap => ({ name: 'a', image: 'a', ...fields });

test('two items with the same keys, of which absent ones have their defaults', () => {
  const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }];
  expect(texts(deployment({ containers: [container(), container()] }))).toEqual([
    'spec.template.spec.containers: duplicate entries for key [name="a"]',
  ]);
  expect(texts(deployment({ containers: [container({ ports })] }))).toEqual([
    'spec.template.spec.containers[name="a"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
  ]);
});

test('two equal items of a list that is merged by values', () => {
  const driver = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'a' },
    spec: { volumeLifecycleModes: ['Persistent', 'Persistent'] },
  };
  expect(texts(driver)).toEqual(['spec.volumeLifecycleModes: duplicate entries for key [="Persistent"]']);
});

test('an item without any of its keys', () => {
  expect(texts(deployment({ containers: [{ image: 'a' }] }))).toEqual([
    'spec.template.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
  ]);
});

test('paths lead to the item', () => {
  const ports = [{ containerPort: 80 }, { containerPort: 80 }];
  const [fault] = applyFaults(deployment({ containers: [container(), { name: 'b', ports }] }));
  expect(fault?.path).toEqual(['spec', 'template', 'spec', 'containers', 1, 'ports']);
});

test('other keys, lists with one owner, and other kinds have no faults', () => {
  const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }];
  const args = ['a', 'a'];
  expect(texts(deployment({ containers: [container({ ports, args })] }))).toEqual([]);
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'a' },
    spec: { ingress: [{ ports: [{ port: 80 }, { port: 80 }] }] },
  };
  expect(texts(policy)).toEqual([]);
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    spec: { env: [{ name: 'a' }, { name: 'a' }] },
  };
  expect(texts(widget)).toEqual([]);
});
