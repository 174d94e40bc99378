import { expect, test } from 'vitest';
import type { LoadedObject, Source } from '../../../src/compiler/model/inventory.ts';
import { resolve } from '../../../src/compiler/resolve.ts';
import type { Suspect } from '../../../src/compiler/status/evidence.ts';
import { UnappliedObjects } from '../../../src/compiler/status/unapplied.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf } from '../../hub/companion/deployed-add-on.ts';
import { synthesized } from '../../hub/companion/synthesized.ts';
import { namespaceKind, ocmKinds, reference } from '../../hub/client/kinds.ts';
import { templateAddOn } from '../../hub/status/faulty-add-ons.ts';

const location = { file: 'app.yaml', line: 1, column: 1 };
const hub = hubVersion('1.3');

function loaded(objects: readonly object[], source: Source): LoadedObject[] {
  return objects.map((object) => ({
    object: object as KubernetesObject,
    origin: { location, locate: () => location },
    source,
  }));
}

const app = [
  reference(namespaceKind, 'add-ons'),
  {
    ...reference(ocmKinds.managedClusterSetBinding, 'global', 'add-ons'),
    spec: { clusterSet: 'global' },
  },
  { ...reference(ocmKinds.placement, 'everywhere', 'add-ons'), spec: { clusterSets: ['global'] } },
  ...templateAddOn('compiled', { annotations: { 'fleetwright.dev/delivery': 'compiled' } }),
];
const fleet = fleetOf('c1');

/** Returns what the hub lacks of an app with compiled delivery, after `synth` wrote another state of it. */
function unapplied(written: readonly object[], onHub: readonly object[]): readonly string[] {
  const held = loaded([...fleet, ...onHub], 'fleet');
  const { value } = resolve([...held, ...loaded(written, 'app')], { now: 0, hub });
  const addOn = value?.configuration.get('compiled');
  if (value === undefined || addOn === undefined) throw new Error('the app is wrong');
  const suspect: Suspect = { cluster: 'c1', progress: 'ToApply', expected: undefined, observed: undefined };
  return new UnappliedObjects(held, value.inventory, hub).of(addOn, suspect);
}

/** The add-on with its kinds of configurations in the other order. */
const reversed = JSON.parse(
  JSON.stringify(app, (key, value: unknown) =>
    key === 'supportedConfigs' && Array.isArray(value) ? value.toReversed() : value,
  ),
) as readonly object[];

test.each([
  ['first', app],
  ['last', reversed],
])(
  'an app with compiled delivery that lists templates %s is applied as synth wrote it',
  async (_, written) => {
    expect(unapplied(written, await synthesized(written, fleet))).toEqual([]);
  },
);

test('an app with compiled delivery is not applied if something else in the add-on differs', async () => {
  const onHub = await synthesized(app, fleet);
  const edited = JSON.parse(JSON.stringify(app).replace('"type":"All"', '"type":"Progressive"')) as object[];
  expect(unapplied(edited, onHub)).toEqual(['ClusterManagementAddOn compiled']);
});
