import { qualifiedNameErrors } from '../names/name-errors.ts';
import { canonicalString, compareTo, signOf, type Quantity } from '../quantity.ts';
import { duplicate, forbidden, invalid, invalidEach, required, type FieldFault } from './field-fault.ts';
import { quantitiesOf } from './quantities.ts';
import type { Struct } from './struct.ts';

/** As ValidateResourceQuotaSpec: the quantities. Names of resources and scopes are not checked. */
export function resourceQuotaFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const { valid, faults } = quantitiesOf(spec, 'hard');
  if (faults.length > 0) return faults;
  return [...valid].flatMap(([name, quantity]) =>
    signOf(quantity) < 0
      ? [invalid(spec.at('hard').key(name), canonicalString(quantity), 'must be greater than or equal to 0')]
      : [],
  );
}

/** As ValidateLimitRange: types, minimum, maximum and defaults. Names of resources and ratios are not checked. */
export function limitRangeFaults(object: Struct): readonly FieldFault[] {
  const types = new Set<string>();
  return object
    .embedded('spec')
    .structs('limits')
    .flatMap((limit) => {
      const type = limit.text('type');
      const isTaken = types.has(type);
      types.add(type);
      return [
        ...typeFaults(limit),
        ...(isTaken ? [duplicate(limit.at('type'), type)] : []),
        ...(type === 'Pod'
          ? ['default', 'defaultRequest']
              .filter((name) => limit.entries(name).length > 0)
              .map((name) => forbidden(limit.at(name), "may not be specified when `type` is 'Pod'"))
          : []),
        ...claimFaults(limit),
        ...orderFaults(limit),
      ];
    });
}

function claimFaults(limit: Struct): readonly FieldFault[] {
  const isLimited = ['min', 'max'].some((name) => limit.embedded(name).has('storage'));
  if (limit.text('type') !== 'PersistentVolumeClaim' || isLimited) return [];
  // the API server names a field that does not exist
  const field = limit.field.child('limits', []);
  return [required(field, 'either minimum or maximum storage value is required, but neither was provided')];
}

/** As validateLimitRangeTypeName. */
function typeFaults(limit: Struct): readonly FieldFault[] {
  const type = limit.text('type');
  const errors = qualifiedNameErrors(type, 'valid label key');
  const isStandard = type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type);
  return invalidEach(
    limit.at('type'),
    type,
    errors.length > 0 || isStandard ? errors : ['must be a standard limit type or fully qualified'],
  );
}

interface Order {
  readonly less: string;
  readonly more: string;
  /** The field of which the API server complains. */
  readonly blamed: string;
  /** The field whose value it prints. */
  readonly printed: string;
  readonly words: (less: string, more: string) => string;
}

const orders: readonly Order[] = [
  {
    less: 'min',
    more: 'max',
    blamed: 'min',
    printed: 'min',
    words: (less, more) => `min value ${less} is greater than max value ${more}`,
  },
  {
    less: 'min',
    more: 'defaultRequest',
    blamed: 'defaultRequest',
    printed: 'defaultRequest',
    words: (less, more) => `min value ${less} is greater than default request value ${more}`,
  },
  {
    less: 'defaultRequest',
    more: 'max',
    blamed: 'defaultRequest',
    printed: 'defaultRequest',
    words: (less, more) => `default request value ${less} is greater than max value ${more}`,
  },
  {
    less: 'defaultRequest',
    more: 'default',
    blamed: 'defaultRequest',
    printed: 'defaultRequest',
    words: (less, more) => `default request value ${less} is greater than default limit value ${more}`,
  },
  {
    less: 'min',
    more: 'default',
    blamed: 'default',
    printed: 'min',
    words: (less, more) => `min value ${less} is greater than default value ${more}`,
  },
  {
    less: 'default',
    more: 'max',
    blamed: 'default',
    printed: 'max',
    words: (less, more) => `default value ${less} is greater than max value ${more}`,
  },
];

/** Compares the values after SetDefaults_LimitRangeItem, which completes those of containers. */
function orderFaults(limit: Struct): readonly FieldFault[] {
  const isPod = limit.text('type') === 'Pod';
  const names = ['min', 'max', ...(isPod ? [] : ['default', 'defaultRequest'])];
  const read = new Map(names.map((name) => [name, quantitiesOf(limit, name)]));
  const faults = [...read.values()].flatMap((quantities) => quantities.faults);
  if (faults.length > 0) return faults;
  const values = (name: string): ReadonlyMap<string, Quantity> => read.get(name)?.valid ?? new Map();
  const limits = new Map([...values('max'), ...values('default')]);
  const isContainer = limit.text('type') === 'Container';
  const completed = new Map([
    ['min', values('min')],
    ['max', values('max')],
    ['default', isContainer ? limits : values('default')],
    [
      'defaultRequest',
      isContainer
        ? new Map([...values('min'), ...limits, ...values('defaultRequest')])
        : values('defaultRequest'),
    ],
  ]);
  return orders.flatMap(({ less, more, blamed, printed, words }) =>
    [...(completed.get(less) ?? [])].flatMap(([resource, low]) => {
      const high = completed.get(more)?.get(resource);
      if (high === undefined || compareTo(low, high) <= 0) return [];
      const field = limit.at(blamed).key(resource);
      const value = canonicalString(printed === less ? low : high);
      return [invalid(field, value, words(canonicalString(low), canonicalString(high)))];
    }),
  );
}
