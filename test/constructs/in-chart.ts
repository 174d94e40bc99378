import { expect } from 'vitest';
import { admitObject } from '../../src/compiler/admit/admit-object.ts';
import { App, Chart, collect } from '../../constructs/index.ts';
import type { ConstructFault } from '../../constructs/index.ts';
import { hubVersion, type HubVersionName } from '../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';

/** The objects that `build` creates in a chart of the namespace `ocm`; the API server of a hub accepts them. */
export function objectsOf(build: (chart: Chart) => void, hub: HubVersionName = '1.3'): KubernetesObject[] {
  const { objects, errors } = collect(treeOf(build));
  expect(errors.map(whatAndWhere)).toEqual([]);
  for (const { object, construct } of objects) {
    const origin = { location: { construct }, locate: () => ({ construct }) };
    const loaded = { object, origin, source: 'app' } as const;
    expect(admitObject(loaded, undefined, hubVersion(hub))).toMatchObject({ valid: true });
  }
  return objects.map(({ object }) => object);
}

/** The one object that `build` creates. */
export function objectOf(build: (chart: Chart) => void, hub?: HubVersionName): KubernetesObject {
  const [object, ...others] = objectsOf(build, hub);
  expect(others).toEqual([]);
  if (object === undefined) throw new Error('no object was created');
  return object;
}

/** The `spec` of the one object that `build` creates. */
export function specOf(build: (chart: Chart) => void, hub?: HubVersionName): unknown {
  return objectOf(build, hub)['spec'];
}

/** What is wrong with what `build` creates in a chart of the namespace `ocm`. */
export function errorsOf(build: (chart: Chart) => void): Pick<ConstructFault, 'construct' | 'message'>[] {
  return collect(treeOf(build)).errors.map(whatAndWhere);
}

function treeOf(build: (chart: Chart) => void): App {
  const app = new App();
  build(new Chart(app, 'chart', { namespace: 'ocm' }));
  return app;
}

function whatAndWhere({ construct, message }: ConstructFault): Pick<ConstructFault, 'construct' | 'message'> {
  return { construct, message };
}
