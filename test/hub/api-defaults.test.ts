import { expect, test } from 'vitest';
import { goJson } from '../../src/base/json/go-json.ts';
import { isJsonMap } from '../../src/base/json/json-map.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { completedManifest } from '../../src/ocm/clusters/completed-manifest.ts';
import { contentOf } from '../../src/ocm/clusters/manifest-difference.ts';
import { mergedObject, ownedFields, type MergedField } from '../../src/ocm/clusters/merged-fields.ts';
import { validationCases } from '../base/validation/cases/validation-cases.ts';
import { plainHub } from './client/plain-hub.ts';

// What an API server stores of manifests, beside what the prediction of conflicts between two works adds to them.

const hub = plainHub();

/** What the API server writes beyond defaults: addresses, generated values, and what admission adds. */
const assigned: Readonly<Record<string, RegExp>> = {
  Job: /^\.spec\.(selector|template\.metadata\.labels\..*(job-name|controller-uid)): predicted null/,
  Namespace: /^\.spec\.finalizers: predicted null/,
  Pod: /^\.spec\.(preemptionPolicy|priority|serviceAccount|serviceAccountName|tolerations|volumes|containers\..*\.volumeMounts): predicted null/,
  // written into `data`
  Secret: /^\.(stringData|data)/,
  Service: /^\.spec\.(clusterIPs?|ipFamilies|ipFamilyPolicy|ports\..*\.nodePort): predicted null/,
};

test.each(validationCases.filter(({ refused }) => refused.length === 0))('$name', async ({ object }) => {
  const stored = await hub().client.create(object as unknown as KubernetesObject, { dryRun: true });
  const { shape } = mergedObject(object);
  const differences = [
    ...differencesOf(
      { value: contentOf(completedManifest(object)), shape },
      { value: contentOf(stored), shape },
      '',
    ),
  ];
  const known = assigned[String(object['kind'])];
  expect(differences.filter((text) => known?.test(text) !== true)).toEqual([]);
});

/** Returns where two values differ, each of whose parts with one owner counts as a whole. Go leaves out what is empty. */
function* differencesOf(
  predicted: MergedField | undefined,
  stored: MergedField | undefined,
  path: string,
): Iterable<string> {
  if (isEmpty(predicted?.value) && isEmpty(stored?.value)) return;
  const [one, other] = [predicted && ownedFields(predicted), stored && ownedFields(stored)];
  if (one === undefined || other === undefined) {
    const [first, second] = [predicted?.value, stored?.value].map((value) => goJson(value ?? null));
    if (first !== second) yield `${path}: predicted ${first}, is ${second}`;
    return;
  }
  for (const key of new Set([...one.keys(), ...other.keys()]))
    yield* differencesOf(one.get(key), other.get(key), `${path}.${key}`);
}

function isEmpty(value: unknown): boolean {
  if (isJsonMap(value)) return Object.values(value).every(isEmpty);
  return Array.isArray(value) ? value.length === 0 : !value;
}
