import { findKind, kinds, type Kind, type KindVersion, type ServedKinds } from '../../../schemas/index.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { show, type Fault } from './fault.ts';
import { dns1035LabelFault, dnsSubdomainFault } from './metadata/names.ts';
import { closest } from '../model/suggestion.ts';
import { isKindOfProduct, kindsOfProducts } from './kinds-of-products.ts';

/** The information about an object's kind. */
export type KindOf =
  /** A kind of OCM, in a version that its hub serves. */
  | { readonly kind: Kind; readonly version: KindVersion }
  /** A kind of another product: only its metadata is validated. */
  | 'foreign'
  /** A kind in a group of OCM that neither OCM nor a known product has: it is accepted with this finding. */
  | { readonly unknown: Fault }
  | Fault;

const groups: readonly string[] = [...new Set(kinds.map(({ group }) => group))];

/**
 * Looks up the kind of an object. An unknown kind is a fault if OCM has a similar name, or the kind in other versions or in
 * another group. Other products add kinds to OCM's groups, and a hub with these products serves them.
 */
export function kindOf(apiVersion: string, kind: string, served: ServedKinds): KindOf {
  // as schema.ParseGroupVersion
  if (apiVersion.split('/').length > 2) return notAVersion(apiVersion);
  const kindVersion = served.findVersion(apiVersion, kind);
  if (kindVersion?.version.served) return kindVersion;
  const group = groupOf(apiVersion);
  if (!groups.includes(group)) return isMisspelled(group, kind) ?? malformed(apiVersion, kind) ?? 'foreign';
  const otherVersion = served.find(group, kind);
  if (otherVersion !== undefined) return unservedVersion(apiVersion, otherVersion);
  return misspelledKind(group, kind) ?? malformed(apiVersion, kind) ?? ofOtherProduct(group, kind);
}

function notAVersion(apiVersion: string): Fault {
  return {
    code: 'FW2003',
    field: ['apiVersion'],
    message: `apiVersion ${show(apiVersion)} is not a valid API version`,
    hint: "write a group, '/' and a version, or v1 for the core kinds",
  };
}

// ASCII only: some other letters become ASCII letters in lower case.
const kindCharacters = /^[A-Za-z0-9-]*$/;

/**
 * Returns the fault of a kind that no API server can serve. As apiextensions ValidateCustomResourceDefinition and apiregistration
 * ValidateAPIService, which validate the kind in lower case.
 */
function malformed(apiVersion: string, kind: string): Fault | undefined {
  const group = groupOf(apiVersion);
  const groupFault = group === '' ? undefined : dnsSubdomainFault(group);
  if (groupFault !== undefined)
    return { code: 'FW2003', field: ['apiVersion'], message: `API group ${show(group)} ${groupFault}` };
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const versionFault = version === '' ? 'must not be empty' : dns1035LabelFault(version);
  if (versionFault !== undefined)
    return { code: 'FW2003', field: ['apiVersion'], message: `API version ${show(version)} ${versionFault}` };
  const kindFault = dns1035LabelFault(kindCharacters.test(kind) ? kind.toLowerCase() : kind);
  return kindFault === undefined
    ? undefined
    : { code: 'FW2002', field: ['kind'], message: `kind ${show(kind)} ${kindFault}` };
}

/** Returns the fault of a kind that has a similar name to a kind of OCM, or that is in the wrong one of OCM's groups. */
function misspelledKind(group: string, kind: string): Fault | undefined {
  const sameName = kinds.find((candidate) => candidate.kind === kind);
  const names = kinds.filter((candidate) => candidate.group === group).map((candidate) => candidate.kind);
  const similar = isKindOfProduct(group, kind)
    ? undefined
    : (closest(kind, names) ??
      closest(
        kind,
        kinds.map((candidate) => candidate.kind),
      ));
  if (sameName === undefined && similar === undefined) return undefined;
  return {
    code: 'FW2002',
    field: ['kind'],
    message: `the API group ${group} has no kind ${show(kind)}`,
    hint: sameName === undefined ? `did you mean "${similar ?? ''}"?` : `${kind} is in ${latest(sameName)}`,
  };
}

function ofOtherProduct(group: string, kind: string): KindOf {
  if (isKindOfProduct(group, kind)) return 'foreign';
  const meant = closest(
    kind,
    [...kindsOfProducts].flatMap(([productGroup, names]) => (productGroup === group ? names : [])),
  );
  return {
    unknown: {
      code: 'FW2029',
      field: ['kind'],
      message: `OCM has no kind ${show(kind)} in ${group}, so only the metadata was checked`,
      hint:
        meant === undefined
          ? 'correct the kind, or make sure that another product on the hub serves it'
          : `did you mean "${meant}"?`,
    },
  };
}

function unservedVersion(apiVersion: string, kind: Kind): Fault {
  const served = kind.versions.filter((version) => version.served).map(({ name }) => `${kind.group}/${name}`);
  return {
    code: 'FW2003',
    field: ['apiVersion'],
    message: `the hub does not serve ${kind.kind} in ${show(apiVersion)}`,
    hint: `write apiVersion: ${served.join(' or ')}`,
  };
}

/** Returns the fault of a kind of OCM in a group whose name is similar to that of OCM's group. */
function isMisspelled(group: string, kind: string): Fault | undefined {
  const similar = closest(group, groups);
  const meant = similar === undefined ? undefined : findKind(similar, kind);
  return (
    meant && {
      code: 'FW2002',
      field: ['apiVersion'],
      message: `the hub has no API group ${show(group)} with ${kind}`,
      hint: `did you mean ${latest(meant)}?`,
    }
  );
}

function latest({ group, versions }: Kind): string {
  return `${group}/${versions.findLast(({ served }) => served)?.name ?? ''}`;
}
