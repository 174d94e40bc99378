import type { ObjectMeta, OwnerReference } from '../../../base/objects/object-meta.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { byteLength, maskTrailingDash } from '../../../base/names/name-syntax.ts';
import { show, type Fault } from '../fault.ts';
import {
  dnsLabelFault,
  labelValueFault,
  pathSegmentFault,
  pathSegmentPrefixFault,
  qualifiedNameFault,
  type NameRule,
} from './names.ts';

/** The rules for names of a kind. */
export interface NameRules {
  readonly name: NameRule;
  /** For `generateName`, to which the hub appends five letters and digits. */
  readonly prefix: NameRule;
}

/** The rules for names of all kinds. */
export const anyName: NameRules = { name: pathSegmentFault, prefix: pathSegmentPrefixFault };

/** Returns a rule for whole names that also applies to name prefixes. */
export function nameRules(name: NameRule): NameRules {
  return { name, prefix: (text) => name(maskTrailingDash(text)) };
}

// as apimachinery validation.TotalAnnotationSizeLimitB
const annotationBytes = 256 * 1024;

/**
 * Returns the faults of decoded `metadata`, except for a missing or forbidden namespace. As apimachinery
 * validation.ValidateObjectMetaAccessor.
 */
export function metadataFaults(meta: ObjectMeta, rules: NameRules, path: FieldPath): Fault[] {
  return [
    ...nameFaults(meta, rules, path),
    ...labelFaults(meta.labels ?? {}, [...path, 'labels']),
    ...annotationFaults(meta.annotations ?? {}, [...path, 'annotations']),
    ...ownerReferenceFaults(meta.ownerReferences ?? [], [...path, 'ownerReferences']),
    ...finalizerFaults(meta.finalizers ?? [], [...path, 'finalizers']),
  ];
}

function nameFaults(
  { name, generateName, namespace }: ObjectMeta,
  rules: NameRules,
  path: FieldPath,
): Fault[] {
  const faults: Fault[] = [];
  const prefixFault = generateName === undefined ? undefined : rules.prefix(generateName);
  if (prefixFault !== undefined) {
    faults.push({
      code: 'FW2016',
      field: [...path, 'generateName'],
      message: `generateName ${show(generateName)} ${prefixFault}`,
    });
  }
  const nameFault = name === undefined ? undefined : rules.name(name);
  if (nameFault !== undefined) {
    const message = `name ${show(name)} ${nameFault}`;
    faults.push({ code: 'FW2016', field: [...path, 'name'], message, ...lowerCaseHint(name, rules.name) });
  }
  const namespaceFault = namespace === undefined ? undefined : dnsLabelFault(namespace);
  if (namespaceFault !== undefined) {
    const field = [...path, 'namespace'];
    const message = `namespace ${show(namespace)} ${namespaceFault}`;
    faults.push({ code: 'FW2019', field, message, ...lowerCaseHint(namespace, dnsLabelFault) });
  }
  return faults;
}

function lowerCaseHint(name = '', rule: NameRule): { hint?: string } {
  const lower = name.toLowerCase();
  return rule(lower) === undefined ? { hint: `write "${lower}"` } : {};
}

function labelFaults(labels: Readonly<Record<string, string>>, field: FieldPath): Fault[] {
  const faults: Fault[] = [];
  for (const key of Object.keys(labels)) {
    const value = labels[key] ?? '';
    const keyFault = qualifiedNameFault(key);
    const valueFault = labelValueFault(value);
    const at = [...field, key];
    if (keyFault !== undefined) {
      faults.push({ code: 'FW2017', field, at, message: `label key ${show(key)} ${keyFault}` });
    }
    if (valueFault !== undefined) {
      const message = `value ${show(value)} of label ${show(key)} ${valueFault}`;
      faults.push({ code: 'FW2017', field, at, message, hint: 'an annotation can have any value' });
    }
  }
  return faults;
}

function annotationFaults(annotations: Readonly<Record<string, string>>, field: FieldPath): Fault[] {
  const faults: Fault[] = [];
  let size = 0;
  for (const key of Object.keys(annotations)) {
    size += byteLength(key) + byteLength(annotations[key] ?? '');
    // as ValidateAnnotations: upper case is allowed, also before the slash
    const fault = qualifiedNameFault(key.toLowerCase());
    if (fault === undefined) continue;
    faults.push({
      code: 'FW2018',
      field,
      at: [...field, key],
      message: `annotation key ${show(key)} ${fault}`,
    });
  }
  if (size > annotationBytes) {
    faults.push({
      code: 'FW2018',
      field,
      message: `the annotations have ${size} bytes together, but may have at most ${annotationBytes}`,
      hint: 'move large values into a ConfigMap',
    });
  }
  return faults;
}

function ownerReferenceFaults(owners: readonly OwnerReference[], field: FieldPath): Fault[] {
  const faults: Fault[] = [];
  let controller: number | undefined;
  for (const [index, owner] of owners.entries()) {
    for (const key of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      const isMissing = key === 'apiVersion' ? !hasVersion(owner.apiVersion) : (owner[key] ?? '') === '';
      if (!isMissing) continue;
      faults.push({
        code: 'FW2022',
        // as validateOwnerReference, whose messages have no index
        field: [...field, key],
        at: [...field, index, key],
        message: `owner reference ${index} has no ${key === 'apiVersion' ? 'version in its apiVersion' : key}`,
        ...(key === 'uid'
          ? { hint: 'only the hub knows the uid of an object: let its controllers set owner references' }
          : {}),
      });
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      faults.push({ code: 'FW2022', field, at: [...field, index], message: 'an Event cannot own objects' });
    }
    if (owner.controller !== true) continue;
    if (controller === undefined) {
      controller = index;
      continue;
    }
    faults.push({
      code: 'FW2022',
      field,
      at: [...field, index, 'controller'],
      message: 'only one owner can be the controller',
      related: { at: [...field, controller, 'controller'], message: 'the first controller' },
    });
  }
  return faults;
}

// as schema.FromAPIVersionAndKind
function hasVersion(apiVersion: string): boolean {
  const parts = apiVersion.split('/');
  return parts.length <= 2 && parts.at(-1) !== '';
}

function finalizerFaults(finalizers: readonly string[], field: FieldPath): Fault[] {
  const faults: Fault[] = [];
  for (const [index, finalizer] of finalizers.entries()) {
    const fault = qualifiedNameFault(finalizer);
    if (fault === undefined) continue;
    const at = [...field, index];
    faults.push({ code: 'FW2023', field, at, message: `finalizer ${show(finalizer)} ${fault}` });
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const message = 'the finalizers "orphan" and "foregroundDeletion" exclude each other';
    faults.push({ code: 'FW2023', field, message });
  }
  return faults;
}
