import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import { convertAddOn } from '../../../src/compiler/admit/conversion/convert.ts';
import { applyDefaults, dropNulls } from '../../../src/compiler/admit/schema/defaults.ts';
import { isJsonMap, type JsonMap } from '../../../src/base/json/json-map.ts';
import { prune } from '../../../src/compiler/admit/schema/prune.ts';
import { findKindVersion } from '../../../schemas/index.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { loaded } from './loaded.ts';
import { ocmObject } from './schema-values.ts';

function schemaOf({ apiVersion, kind }: { apiVersion: string; kind: string }) {
  const found = findKindVersion(apiVersion, kind);
  if (found === undefined) throw new Error(`${apiVersion} ${kind}`);
  return found.version.schema;
}

describe('admission', () => {
  test('reaches a good part of the objects that the properties are tried on', () => {
    const objects = fc.sample(ocmObject, { numRuns: 500, seed: 1 });
    const admitted = objects.filter((object) => admitObject(loaded(object)).object !== undefined);
    expect(admitted.length).toBeGreaterThan(200);
  });

  test('defaults are set once: a second time nothing changes', () => {
    fc.assert(
      fc.property(ocmObject, (object) => {
        const schema = schemaOf(object);
        const complete = applyDefaults(dropNulls(object, schema), schema);
        expect(applyDefaults(complete, schema)).toBe(complete);
      }),
    );
  });

  test('nothing else changes: neither defaults nor pruning modify their input', () => {
    fc.assert(
      fc.property(ocmObject, (object) => {
        const copy = structuredClone(object);
        admitObject(loaded(object));
        expect(object).toEqual(copy);
      }),
    );
  });

  test('admitting an admitted object changes nothing and has no new findings', () => {
    fc.assert(
      fc.property(ocmObject, (object) => {
        const once = admitObject(loaded(object)).object;
        if (once === undefined) return;
        const twice = admitObject(loaded(once.object));
        expect(twice.valid).toBe(true);
        expect(twice.object?.object).toEqual(once.object);
      }),
    );
  });

  test('a field that no schema has is reported wherever it occurs', () => {
    fc.assert(
      fc.property(ocmObject, fc.nat(), (object, choice) => {
        const places = objectsIn(object).filter(
          (place) => prune(withStranger(object, place), schemaOf(object)).unknown.length > 0,
        );
        fc.pre(places.length > 0);
        const place = places[choice % places.length] ?? [];
        const { valid, diagnostics } = admitObject(loaded(withStranger(object, place)));
        expect(valid).toBe(false);
        expect(diagnostics.some(({ code, path }) => code === 'FW2005' && path?.endsWith('stranger'))).toBe(
          true,
        );
      }),
    );
  });
});

type Step = string | number;

/** The ways to all objects in an object. */
function objectsIn(value: unknown, path: Step[] = []): Step[][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => objectsIn(item, [...path, index]));
  if (!isJsonMap(value)) return [];
  return [path, ...Object.entries(value).flatMap(([key, field]) => objectsIn(field, [...path, key]))];
}

function withStranger<T extends object>(object: T, path: readonly Step[]): T {
  const copy = structuredClone(object);
  let at = copy as Record<Step, unknown>;
  for (const step of path) at = at[step] as Record<Step, unknown>;
  at['stranger'] = 1;
  return copy;
}

describe('conversion', () => {
  const addOns = ocmObject
    .filter(({ kind }) => kind === 'ClusterManagementAddOn' || kind === 'ManagedClusterAddOn')
    .map((object) => admitObject(loaded(object)).object?.object)
    .filter((object) => object !== undefined);

  test('a round trip loses only the fields that the other version does not have', () => {
    fc.assert(
      fc.property(addOns, (object) => {
        const isOld = object.apiVersion.endsWith('v1alpha1');
        const there = convertAddOn(object, isOld ? 'v1beta1' : 'v1alpha1');
        const back = convertAddOn(there, isOld ? 'v1alpha1' : 'v1beta1');
        expect(surviving(back)).toEqual(surviving(object));
      }),
      { numRuns: 200 },
    );
  });

  test('returns objects that are admitted as they are', () => {
    fc.assert(
      fc.property(addOns, (object) => {
        const there = convertAddOn(object, object.apiVersion.endsWith('v1alpha1') ? 'v1beta1' : 'v1alpha1');
        const { valid, object: admitted } = admitObject(loaded(there, 'fleet'));
        expect(valid).toBe(true);
        // a reference without a desired configuration has no good name in v1alpha1
        expect(admitted === undefined ? there : admitted.object).toEqual(there);
      }),
      { numRuns: 200 },
    );
  });
});

/** What survives a conversion there and back: all but what has no place in the other version. */
function surviving(object: KubernetesObject): unknown {
  const { metadata, spec, status, ...rest } = object as KubernetesObject & {
    spec: JsonMap;
    status?: JsonMap;
  };
  const { [installNamespace]: namespaceInV1beta1, ...annotations } = metadata.annotations ?? {};
  const isAddOn = object.kind === 'ManagedClusterAddOn';
  return normal({
    ...rest,
    metadata: { ...metadata, annotations },
    spec: {
      ...spec,
      addOnConfiguration: undefined,
      // v1alpha1 always has one
      ...(isAddOn
        ? { installNamespace: spec['installNamespace'] ?? namespaceInV1beta1 ?? defaultNamespace }
        : {}),
    },
    ...(status === undefined
      ? {}
      : { status: isAddOn ? survivingStatus(status, object.apiVersion.endsWith('v1alpha1')) : status }),
  });
}

const installNamespace = 'addon.open-cluster-management.io/v1alpha1-install-namespace';
const defaultNamespace = 'open-cluster-management-agent-addon';
const apiServerSigner = 'kubernetes.io/kube-apiserver-client';

function survivingStatus(status: JsonMap, isOld: boolean): unknown {
  const { addOnConfiguration: _, kubeClientDriver, ...same } = status;
  const registrations = maps(status['registrations']);
  const configReferences = maps(status['configReferences']).map(
    ({ name: _name, namespace: _namespace, ...reference }) => {
      const { name = '', namespace = '' } = asMap(reference['desiredConfig']);
      return isOld ? { ...reference, name, namespace } : reference;
    },
  );
  if (!isOld) return { ...same, configReferences, registrations: survivingRegistrations(registrations) };
  const isApiServers = ({ signerName }: JsonMap): boolean => signerName === apiServerSigner;
  return {
    ...same,
    configReferences,
    kubeClientDriver: registrations.some(isApiServers) ? kubeClientDriver : undefined,
    registrations: registrations.map((registration) => {
      const { organizationUnit: _units, ...subject } = asMap(registration['subject']);
      return isApiServers(registration) ? { ...registration, subject } : registration;
    }),
  };
}

/** Of v1beta1: the signer decides on the type, and the first driver goes for all. */
function survivingRegistrations(registrations: readonly JsonMap[]): JsonMap[] {
  const first = registrations.find(
    ({ type, kubeClient }) => type === 'kubeClient' && kubeClient !== undefined,
  );
  const { driver } = asMap(first?.['kubeClient']);
  return registrations.map(({ type, kubeClient, customSigner }) => {
    const { signerName, subject } = asMap(customSigner);
    if (type === 'kubeClient') return { type, kubeClient: { ...asMap(kubeClient), driver } };
    if (signerName !== apiServerSigner) return { type, customSigner };
    const { organizationUnits: _, ...userAndGroups } = asMap(subject);
    return { type: 'kubeClient', kubeClient: { subject: userAndGroups, driver } };
  });
}

function asMap(value: unknown): JsonMap {
  return isJsonMap(value) ? value : {};
}

function maps(value: unknown): JsonMap[] {
  return Array.isArray(value) ? value.filter(isJsonMap) : [];
}

/** Without what Go's zero values are. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (!isJsonMap(value)) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, normal(field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => !isNothing(field)));
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
  );
}
