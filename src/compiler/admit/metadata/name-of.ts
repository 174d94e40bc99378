import type { ObjectMeta } from '../../../base/objects/object-meta.ts';
import type { Fault } from '../fault.ts';
import { anyName, nameRules, type NameRules } from './metadata.ts';
import { dnsLabelFault, dnsSubdomainFault } from './names.ts';
import type { DecodedMeta } from './object-meta.ts';

/** The rule for names of custom resources, as apiextensions customResourceValidator sets it. */
export const customResourceName = nameRules(dnsSubdomainFault);

// The kinds that are not OCM's, that are common together with add-ons, and whose rule is stricter than that of all names.
const foreignNames: Readonly<Record<string, NameRules>> = {
  'v1/Namespace': nameRules(dnsLabelFault),
  'v1/ConfigMap': customResourceName,
  'v1/Secret': customResourceName,
  'v1/ServiceAccount': customResourceName,
};

/** Returns the known rules for names of a kind that is not OCM's. */
export function foreignName(apiVersion: string, kind: string): NameRules {
  return foreignNames[`${apiVersion}/${kind}`] ?? anyName;
}

/** Reports a missing or invalid name: an object must have a name, or get a valid one from the hub. */
export function nameFaults(meta: DecodedMeta, rules: NameRules): Fault[] {
  return [...missingName(meta), ...badGeneratedName(meta.value, rules)];
}

function missingName({ value, malformed }: DecodedMeta): Fault[] {
  if (value.name !== undefined || value.generateName !== undefined) return [];
  // a name of the wrong type already has a fault
  if (malformed.some(({ at = [] }) => at.length === 1 || at[1] === 'name' || at[1] === 'generateName'))
    return [];
  return [
    { code: 'FW2008', field: ['metadata', 'name'], message: 'required field name is missing in metadata' },
  ];
}

/** Reports a valid prefix that results in an invalid name. As names.SimpleNameGenerator, which appends five characters. */
function badGeneratedName({ name, generateName }: ObjectMeta, rules: NameRules): Fault[] {
  if (name !== undefined || generateName === undefined || rules.prefix(generateName) !== undefined) return [];
  const fault = rules.name(`${generateName.slice(0, 58)}abcde`);
  if (fault === undefined) return [];
  const message = `a name that begins with generateName "${generateName}" ${fault}`;
  return [{ code: 'FW2016', field: ['metadata', 'name'], at: ['metadata', 'generateName'], message }];
}

/** Reports an object with a generated name. The hub accepts it, but its name is not known at compile time. */
export function generatedName({ name, generateName }: ObjectMeta): Fault[] {
  if (name !== undefined || generateName === undefined) return [];
  return [
    {
      code: 'FW2024',
      field: ['metadata', 'generateName'],
      message: `the hub would generate a name that begins with "${generateName}", so nothing can refer to the object`,
      hint: 'give the object a name',
    },
  ];
}
