import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { compiledClusters } from '../../src/compiler/deliver/compiled-clusters.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { resolveText } from '../resolve-text.ts';
import { project, type Projection } from './projection.ts';

const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const lifecycle = 'addon.open-cluster-management.io/lifecycle';

/** The recorded input with every template add-on that the hub managed turned to compiled delivery, and their names. */
function turned(input: string): { readonly text: string; readonly addOns: readonly string[] } {
  const addOns: string[] = [];
  const documents = parseAllDocuments(input).map((document) => {
    const kind = document.get('kind');
    const given = document.getIn(['metadata', 'annotations', lifecycle]) ?? 'addon-manager';
    const isTemplate = ['supportedConfigs', 'defaultConfigs'].some((list) =>
      String(document.getIn(['spec', list])).includes('addontemplates'),
    );
    if (kind === 'ClusterManagementAddOn' && isTemplate && given === 'addon-manager') {
      document.setIn(['metadata', 'annotations', lifecycle], 'self');
      document.setIn(['metadata', 'annotations', 'fleetwright.dev/delivery'], 'compiled');
      addOns.push(String(document.getIn(['metadata', 'name'])));
    }
    return document.toString();
  });
  return { text: documents.join('---\n'), addOns };
}

/** The works of some add-ons, but for their owner: its uid cannot be in Git. */
function worksOf(projected: Readonly<Record<string, Projection>>, addOns: readonly string[]): Projection {
  const works = Object.entries(projected).filter(
    ([, { kind, labels }]) =>
      kind === 'ManifestWork' &&
      addOns.includes((labels as Record<string, string>)['open-cluster-management.io/addon-name'] ?? ''),
  );
  return Object.fromEntries(works.map(([key, { owners: _, ...work }]) => [key, work]));
}

// The cases of recorded.test.ts: what a hub made of template add-ons, the compiler has to make of them itself.
describe.each(['precedence', 'template'])('%s', (family) => {
  const folder = path.join(import.meta.dirname, family);
  const cases = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'hub.json')));
  const compared = { works: 0 };

  test.each(cases)('%s: compiled delivery emits the works that the hub made', (name) => {
    const read = (file: string): string => readFileSync(path.join(folder, name, file), 'utf8');
    const { text, addOns } = turned(read('input.yaml'));
    const { resolution } = resolveText(text, { now: Date.parse('2026-08-15T12:00:00Z') });
    const emitted = [...compiledClusters(resolution, target)].flatMap(({ objects }) => objects);
    const recorded = worksOf(JSON.parse(read('hub.json')) as Record<string, Projection>, addOns);
    expect(worksOf(project(emitted), addOns)).toEqual(recorded);
    compared.works += Object.keys(recorded).length;
  });

  test('there were works to compare', () => {
    expect(compared.works).toBeGreaterThan(60);
  });
});
