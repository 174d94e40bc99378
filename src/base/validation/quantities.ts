import { qualifiedNameErrors } from '../names/name-errors.ts';
import { canonicalString, compareTo, parseQuantity, signOf, type Quantity } from '../quantity.ts';
import { invalid, invalidEach, required, undecodable, type Field, type FieldFault } from './field-fault.ts';
import type { Struct } from './struct.ts';

/** Quantities by the name of the resource, and the faults of those that cannot be parsed. */
interface Quantities {
  readonly valid: ReadonlyMap<string, Quantity>;
  readonly faults: readonly FieldFault[];
}

/** Reads a map of quantities. The API server decodes it before it validates anything. */
export function quantitiesOf(struct: Struct, name: string): Quantities {
  const valid = new Map<string, Quantity>();
  const faults: FieldFault[] = [];
  for (const [resource, value] of struct.entries(name)) {
    const read = quantityOf(value);
    if (read?.quantity !== undefined) valid.set(resource, rounded(read.quantity));
    else if (read !== undefined) faults.push(undecodable(struct.at(name).key(resource), read.error));
  }
  return { valid, faults };
}

/** Reads one quantity. Undefined if it is absent, or of a type that no quantity has. */
export function quantityOf(value: unknown): ReturnType<typeof parseQuantity> | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  return parseQuantity(String(value));
}

/** As SetDefaults_ResourceList: rounds up to a thousandth. */
function rounded(quantity: Quantity): Quantity {
  if (quantity.exponent >= -3) return quantity;
  const divisor = 10n ** BigInt(-3 - quantity.exponent);
  const rest = quantity.unscaled % divisor;
  const whole = quantity.unscaled / divisor + (rest > 0n ? 1n : 0n);
  const { text: _, ...others } = quantity;
  return { ...others, unscaled: whole, exponent: -3 };
}

function isWhole({ unscaled, exponent }: Quantity): boolean {
  return exponent >= 0 || unscaled % 10n ** BigInt(-exponent) === 0n;
}

const negative = 'must be greater than or equal to 0';

/** As ValidateResourceQuantityValue. */
export function quantityFaults(resource: string, quantity: Quantity, field: Field): readonly FieldFault[] {
  return [
    ...(signOf(quantity) < 0 ? [invalid(field, canonicalString(quantity), negative)] : []),
    ...(isExtended(resource) && !isWhole(quantity)
      ? [invalid(field, canonicalString(quantity), 'must be an integer')]
      : []),
  ];
}

/** As ValidateContainerResourceRequirements, without the sizes of huge pages and the claims. */
export function requirementFaults(resources: Struct): readonly FieldFault[] {
  const limits = quantitiesOf(resources, 'limits');
  const requests = quantitiesOf(resources, 'requests');
  const unread = [...limits.faults, ...requests.faults];
  if (unread.length > 0) return unread;
  return [
    ...[...limits.valid].flatMap(([name, quantity]) => {
      const field = resources.at('limits').key(name);
      return [...resourceNameFaults(name, field), ...quantityFaults(name, quantity, field)];
    }),
    ...[...requests.valid].flatMap(([name, quantity]) => {
      const field = resources.at('requests').key(name);
      return [
        ...resourceNameFaults(name, field),
        ...quantityFaults(name, quantity, field),
        ...limitFaults(name, quantity, limits.valid.get(name), resources),
      ];
    }),
  ];
}

function limitFaults(
  name: string,
  request: Quantity,
  limit: Quantity | undefined,
  resources: Struct,
): readonly FieldFault[] {
  const mayDiffer = isNative(name) && !isHugePages(name);
  if (limit === undefined)
    return mayDiffer
      ? []
      : [required(resources.at('limits'), 'Limit must be set for non overcommitable resources')];
  const order = compareTo(request, limit);
  if (order === 0 || (order < 0 && mayDiffer)) return [];
  const relation = mayDiffer ? 'less than or equal' : 'equal';
  const detail = `must be ${relation} to ${name} limit of ${canonicalString(limit)}`;
  return [invalid(resources.at('requests'), canonicalString(request), detail)];
}

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** The standard resources that only quotas have. */
const quotaResources: ReadonlySet<string> = new Set([
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);

/** As validateContainerResourceName. */
function resourceNameFaults(name: string, field: Field): readonly FieldFault[] {
  const errors = qualifiedNameErrors(name, 'valid label key');
  if (!name.includes('/')) {
    if (containerResources.has(name) || isHugePages(name)) return invalidEach(field, name, errors);
    const isKnown = quotaResources.has(name) || name.startsWith('requests.hugepages-');
    const unknown = isKnown ? [] : ['must be a standard resource type or fully qualified'];
    return invalidEach(field, name, [
      ...(errors.length > 0 ? errors : unknown),
      'must be a standard resource for containers',
    ]);
  }
  const isWrong = !isNative(name) && !isExtended(name);
  return invalidEach(field, name, [
    ...errors,
    ...(isWrong ? ["doesn't follow extended resource name standard"] : []),
  ]);
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** As IsNativeResource. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** As IsExtendedResourceName. */
function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return qualifiedNameErrors(`requests.${name}`).length === 0;
}
