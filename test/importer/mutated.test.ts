import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasErrors } from '../../src/compiler/model/diagnostic.ts';
import { isOfFleet } from '../../src/importer/fleet-state.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { formatted, typeFaults } from './checked.ts';
import { emittedFrom, importText, synthesized, writeApp } from './imported.ts';

const root = path.resolve(import.meta.dirname, '../..');
let folder = '';

beforeAll(async () => {
  // Beside build/, which other tests pack meanwhile.
  await mkdir(path.join(root, 'scratch'), { recursive: true });
  folder = await mkdtemp(path.join(root, 'scratch/mutated-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Json = Readonly<Record<string, unknown>>;

/** The objects of all recorded cases that belong to an app, each content once. */
async function recordedObjects(): Promise<readonly Json[]> {
  const texts: string[] = [];
  for (const kind of ['precedence', 'placement', 'template', 'rollout']) {
    const cases = path.join(root, 'test/conformance', kind);
    for (const name of (await readdir(cases)).sort())
      texts.push(await readFile(path.join(cases, name, 'input.yaml'), 'utf8'));
  }
  const objects = texts.flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => itemsOf(document.toJS() as KubernetesObject | null)),
  );
  return [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()];
}

function itemsOf(object: KubernetesObject | null): readonly Json[] {
  if (object === null) return [];
  if (object.kind === 'List') return (object['items'] as KubernetesObject[]).flatMap(itemsOf);
  return isOfFleet(object, 'app') ? [] : [object];
}

interface Slot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** Where the values below the spec and the metadata are, but for those that decide which object it is. */
function slots(object: Json): Slot[] {
  const found: Slot[] = [];
  const visit = (holder: Record<string, unknown>, isObject: boolean): void => {
    for (const [key, value] of Object.entries(holder)) {
      if (isObject && ['apiVersion', 'kind', 'metadata', 'name', 'namespace'].includes(key)) continue;
      found.push({ holder, key });
      if (typeof value === 'object' && value !== null)
        visit(value as Record<string, unknown>, Object.hasOwn(value, 'apiVersion'));
    }
  };
  visit(object, true);
  return found;
}

interface Mutation {
  readonly at: number;
  readonly how: 'null' | 'empty' | 'remove' | 'repeat' | 'odd';
}

function mutate(object: Json, { at, how }: Mutation): void {
  const all = slots(object);
  const slot = all[at % Math.max(1, all.length)];
  if (slot === undefined) return;
  const { holder, key } = slot;
  const value = holder[key];
  const isList = Array.isArray(value);
  if (how === 'null') holder[key] = null;
  else if (how === 'remove' && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (how === 'remove') delete holder[key];
  else if (how === 'repeat' && isList) holder[key] = [...(value as readonly unknown[]), value[0] ?? {}];
  else if (how === 'odd' && key === 'tolerations') holder[key] = [{ key: 'a', operator: 'Equal' }, {}];
  else if (isList) holder[key] = [];
  else if (typeof value === 'object') holder[key] = {};
  else if (typeof value === 'string') holder[key] = '';
  else holder[key] = typeof value === 'number' ? 0 : false;
}

/** What import itself prints about objects that do not become constructs of their kinds. */
const reasons =
  /because spec\.(?:clusterSet is not the name of the binding|addOnConfiguration is not in |addonName is empty)/;

test('mutated input is the same after import and synth, with the constructs of its kinds', async () => {
  const objects = await recordedObjects();
  expect(objects.length).toBeGreaterThan(300);
  let imports = 0;
  const mutation = fc.record({
    at: fc.nat({ max: 400 }),
    how: fc.constantFrom<Mutation['how']>('null', 'empty', 'remove', 'repeat', 'odd'),
  });
  const chosen = fc.array(fc.record({ object: fc.nat(), mutations: fc.array(mutation, { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(chosen, async (choice) => {
      const mutated = choice.map(({ object, mutations }, index) => {
        const copy = structuredClone(objects[object % objects.length] ?? {}) as Json & KubernetesObject;
        for (const one of mutations) mutate(copy, one);
        // each is a separate object
        return { ...copy, metadata: { ...copy.metadata, name: `${copy.metadata.name}-${index}` } };
      });
      const text = mutated.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n');
      const { app, diagnostics } = importText(text);
      // what the API server rejects is not imported
      fc.pre(!hasErrors(diagnostics) && app !== undefined);
      const own = path.join(folder, String(imports++));
      await writeApp(own, app);
      // in the version that OCM's controllers read, which lacks some fields of the other one, as when they are empty
      expect(Object.fromEntries(await synthesized(own, app, 'v1beta1'))).toStrictEqual(
        Object.fromEntries(emittedFrom(text, 'v1beta1')),
      );
      expect(app.files).toStrictEqual(await formatted(app.files));
      expect(app.asYaml).toBe(0);
      const plain = diagnostics.filter(({ code }) => code === 'FW9103').map(({ message }) => message);
      expect(plain.filter((message) => !reasons.test(message))).toEqual([]);
    }),
    { numRuns: 80, seed: 20260601, endOnFailure: true },
  );
  expect(await typeFaults(folder)).toBe('');
}, 300_000);
