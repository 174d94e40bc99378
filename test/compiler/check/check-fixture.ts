import { check, rules } from '../../../src/compiler/check/check.ts';
import { configure } from '../../../src/compiler/configure/configure.ts';
import { elsewhere, type ExternalObject } from '../../../src/compiler/model/elsewhere.ts';
import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import { place } from '../../../src/compiler/place/place.ts';
import { render } from '../../../src/compiler/render/render.ts';
import { inventoryOf, now } from '../place/hub-fixture.ts';

/**
 * What the rules find in some objects.
 *
 * @throws Error if a rule returns a code that it does not list
 */
export function findings(
  objects: readonly (string | object)[],
  hub: HubVersionName = '1.3',
  external: readonly ExternalObject[] = [],
): readonly Diagnostic[] {
  const found = inventoryOf(...objects);
  const facts = { writers: new Set<string>(), hasFleet: found.elsewhere.hasFleet };
  const inventory =
    external.length === 0 ? found : { ...found, elsewhere: elsewhere({ external, snapshots: [] }, facts) };
  const { value: decisions } = place(inventory, { now });
  const { value: configuration } = configure(inventory, decisions, hubVersion(hub));
  const { value: rendering } = render(inventory, decisions, configuration, { hub: hubVersion(hub) });
  const input = {
    inventory,
    decisions,
    configuration,
    rendering,
    parameters: new Map(),
    hub: hubVersion(hub),
  };
  for (const { codes, check } of rules)
    for (const { code } of check(input))
      if (!codes.includes(code)) throw new Error(`${code} is not a code of the rule`);
  return check(input);
}

/** What users read of the findings with a code. */
export function findingTexts(code: string, objects: readonly (string | object)[]): string[] {
  return findings(objects)
    .filter((found) => found.code === code)
    .map(
      ({ severity, message, object, path, hint }) =>
        `${severity}: ${message}\n${object?.kind} ${object?.name} at ${path}\n${hint}`,
    );
}

/** The codes of all findings. */
export function codesOf(objects: readonly (string | object)[]): string[] {
  return findings(objects).map(({ code }) => code);
}

/** An add-on that the hub installs where placements of namespace `default` say. */
export function addOn(name: string, placements: readonly string[] = ['pl'], metadata: object = {}): object {
  return {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ClusterManagementAddOn',
    metadata: { name, ...metadata },
    spec: {
      installStrategy: {
        type: 'Placements',
        placements: placements.map((placement) => ({ name: placement, namespace: 'default' })),
      },
    },
  };
}

/** Tolerations with which a placement keeps its clusters through an outage. */
export const outageTolerations: readonly object[] = ['unreachable', 'unavailable'].map((taint) => ({
  key: `cluster.open-cluster-management.io/${taint}`,
  operator: 'Exists',
}));
