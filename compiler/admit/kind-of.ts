import { findKind, findKindVersion, kinds, type Kind, type KindVersion } from '../../schemas/index.ts';
import { groupOf } from '../api/resource-name.ts';
import { show, type Fault } from './fault.ts';
import { dns1035LabelFault, dnsSubdomainFault } from './names.ts';
import { closest } from '../suggestion.ts';
import { isKindOfProduct, kindsOfProducts } from './kinds-of-products.ts';

/** What Fleetwright knows of an object's kind. */
export type KindOf =
  /** One of OCM's, in a version that its hub serves. */
  | { readonly kind: Kind; readonly version: KindVersion }
  /** A kind of another product: only its metadata is checked. */
  | 'foreign'
  /** A kind in a group of OCM's that neither OCM nor a product known here has: it passes with this finding. */
  | { readonly unknown: Fault }
  | Fault;

const groups: readonly string[] = [...new Set(kinds.map(({ group }) => group))];

/**
 * Looks up the kind of an object. It is a fault where OCM has nearly that name, or the kind in other versions or in another
 * group. Other products add kinds to OCM's groups, and a hub with these products serves them.
 */
export function kindOf(apiVersion: string, kind: string): KindOf {
  // as schema.ParseGroupVersion
  if (apiVersion.split('/').length > 2) return notAVersion(apiVersion);
  const found = findKindVersion(apiVersion, kind);
  if (found?.version.served) return found;
  const group = groupOf(apiVersion);
  if (!groups.includes(group)) return isMisspelled(group, kind) ?? malformed(apiVersion, kind) ?? 'foreign';
  const known = findKind(group, kind);
  if (known !== undefined) return unservedVersion(apiVersion, known);
  return misspelledKind(group, kind) ?? malformed(apiVersion, kind) ?? ofOtherProduct(group, kind);
}

function notAVersion(apiVersion: string): Fault {
  return {
    code: 'FW2003',
    field: ['apiVersion'],
    message: `apiVersion ${show(apiVersion)} is no API version`,
    hint: "write a group, '/' and a version, or v1 for the core kinds",
  };
}

// ASCII alone: some other letters become ASCII letters in lower case.
const kindCharacters = /^[A-Za-z0-9-]*$/;

/**
 * What no API server can serve, whatever its kinds are. As apiextensions ValidateCustomResourceDefinition and apiregistration
 * ValidateAPIService, which check the kind in lower case.
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

/** A kind of OCM's under nearly its name, or in the wrong one of its groups. */
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
    [...kindsOfProducts].flatMap(([known, names]) => (known === group ? names : [])),
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

/** A kind of OCM's in a group that only looks like OCM's. */
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
