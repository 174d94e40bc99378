import fc from 'fast-check';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import { findKindVersion } from '../../../schemas/index.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { loaded } from '../../compiler/admit/loaded.ts';
import { ocmObject } from '../../compiler/admit/schema-values.ts';
import { families } from '../differential/families.ts';
import type { Random } from '../differential/random.ts';

/** A namespace that every cluster has: objects in one that does not exist are refused for that. */
const existingNamespace = 'default';

/**
 * Objects that the compiler admits: of every kind and version that it has a schema of, made from the schema, and as many
 * from the scenarios that the hub's controllers are tried with, which have more to say in fewer kinds.
 */
export function validObjects(random: Random, count: number): readonly KubernetesObject[] {
  const valid: KubernetesObject[] = [];
  while (valid.length < count) {
    const made = [...fromSchemas(random, count), ...fromScenarios(random)];
    valid.push(...made.map(placed).filter((object) => admitObject(loaded(object)).valid));
  }
  return random.sample(valid, count);
}

function fromSchemas(random: Random, numRuns: number): readonly KubernetesObject[] {
  const objects = fc.sample(ocmObject, { seed: random.between(0, 0x7fffffff), numRuns });
  return objects.map((object) => ({ metadata: {}, ...object }));
}

function fromScenarios(random: Random): readonly KubernetesObject[] {
  return Object.values(families).flatMap((scenario) => {
    const { input, update = [] } = scenario(random.between(0, 0x7fffffff));
    return [...input, ...update].filter(({ apiVersion, kind }) => findKindVersion(apiVersion, kind));
  });
}

function placed(object: KubernetesObject): KubernetesObject {
  if (object.metadata.namespace === undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: existingNamespace } };
}
