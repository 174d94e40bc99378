import { findKind, findKindVersion, kinds, type Kind, type KindVersion } from '../../schemas/index.ts';
import { groupOf } from '../api/resource-name.ts';
import { show, type Fault } from './fault.ts';
import { dns1035LabelFault, dnsSubdomainFault } from './names.ts';
import { closest } from '../suggestion.ts';

/** What Fleetwright knows of an object's kind. */
export type KindOf =
  /** One of OCM's, in a version that its hub serves. */
  | { readonly kind: Kind; readonly version: KindVersion }
  /** Of a group that is not OCM's: nothing is known of it. */
  | 'foreign'
  | Fault;

const groups: readonly string[] = [...new Set(kinds.map(({ group }) => group))];

/** Looks up the kind of an object; a fault where OCM has the group, or nearly that name, but not this kind or version. */
export function kindOf(apiVersion: string, kind: string): KindOf {
  // as schema.ParseGroupVersion
  if (apiVersion.split('/').length > 2) return notAVersion(apiVersion);
  const found = findKindVersion(apiVersion, kind);
  if (found?.version.served) return found;
  const group = groupOf(apiVersion);
  if (!groups.includes(group)) return isMisspelled(group, kind) ?? malformed(apiVersion, kind) ?? 'foreign';
  const known = findKind(group, kind);
  return known === undefined ? unknownKind(group, kind) : unservedVersion(apiVersion, known);
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

function unknownKind(group: string, kind: string): Fault {
  const sameName = kinds.find((candidate) => candidate.kind === kind);
  const names = kinds.filter((candidate) => candidate.group === group).map((candidate) => candidate.kind);
  const similar = closest(kind, names);
  return {
    code: 'FW2002',
    field: ['kind'],
    message: `the API group ${group} has no kind ${show(kind)}`,
    hint:
      sameName !== undefined
        ? `${kind} is in ${latest(sameName)}`
        : similar !== undefined
          ? `did you mean "${similar}"?`
          : `its kinds are ${names.join(', ')}`,
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
