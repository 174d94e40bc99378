import { isJsonMap } from '../../../base/json/json-map.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { reachedFrom, requiredAddOns, type RequiredAddOns } from '../../configure/required-add-ons.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount, quote } from '../../model/words.ts';
import { deliveriesOf, type DeliveredManifest, type Delivery } from '../cluster/deliveries.ts';
import type { Rule, RuleInput } from '../rule.ts';
import { tally, type Tallied } from '../templates/tally.ts';

/**
 * Reports manifests of a kind whose CustomResourceDefinition another add-on delivers to the same clusters, if the add-on does not
 * require that one. The work agent retries until the cluster has the kind, so this works by chance of order.
 */
export const undeclaredRequirement: Rule = {
  codes: ['FW4019'],
  *check(input) {
    const deliveries = templateDeliveries(input);
    yield* undeclaredRequirements(input, deliveries, deliveries, requiredAddOns(input.inventory));
  },
};

/** Returns what the templates of a state deliver. */
export function templateDeliveries(input: RuleInput): readonly Delivery[] {
  return ofTemplates(deliveriesOf(input));
}

const ofTemplates = oncePerPart((part: readonly Delivery[]) => part.filter(({ isTemplate }) => isTemplate));

/**
 * Returns the suggestions for the add-ons of a state.
 *
 * @param providing - the deliveries among which CustomResourceDefinitions are looked for
 * @param required - all requirements that are declared
 */
export function undeclaredRequirements(
  { inventory }: Pick<RuleInput, 'inventory'>,
  deliveries: readonly Delivery[],
  providing: readonly Delivery[],
  required: RequiredAddOns,
): Iterable<Diagnostic> {
  const providers = providersByKind(providing);
  if (providers.size === 0) return [];
  const requires = (addOn: string): readonly string[] => (required.get(addOn) ?? []).map(({ name }) => name);
  return tally(deliveries.flatMap((delivery) => [...undeclared(delivery, providers, requires, inventory)]));
}

type Providers = ReadonlyMap<string, readonly Delivery[]>;

function providersByKind(deliveries: readonly Delivery[]): Providers {
  const providers = new Map<string, Delivery[]>();
  for (const { kind, delivery } of definitionsIn(deliveries)) addToGroup(providers, kind, delivery);
  return providers;
}

/** Returns the kinds that deliveries define. */
const definitionsIn = oncePerPart((part: readonly Delivery[]) =>
  part.flatMap((delivery) =>
    delivery.objects.flatMap((manifest) => {
      const kind = definedKind(manifest);
      return kind === undefined ? [] : [{ kind, delivery }];
    }),
  ),
);

/** Returns `group/Kind` of the kind that a CustomResourceDefinition defines. */
export function definedKind({ kindKey, object: { spec } }: DeliveredManifest): string | undefined {
  if (kindKey !== 'apiextensions.k8s.io/CustomResourceDefinition' || !isJsonMap(spec)) return undefined;
  const { group, names } = spec;
  return typeof group === 'string' && isJsonMap(names) && typeof names['kind'] === 'string'
    ? `${group}/${names['kind']}`
    : undefined;
}

function* undeclared(
  delivery: Delivery,
  providers: Providers,
  requires: (addOn: string) => readonly string[],
  inventory: Inventory,
): Iterable<Tallied> {
  const { addOn = '', clusters, objects, holder } = delivery;
  const definition = inventory.clusterManagementAddOns.get(addOn);
  if (definition === undefined || holder.source !== 'app') return;
  const declared = new Set(reachedFrom(addOn, requires));
  for (const { kindKey, words } of objects) {
    const others = providers.get(kindKey) ?? [];
    if (others.some((other) => other.addOn === addOn)) continue;
    const other = others.find((each) => each.addOn !== undefined);
    if (other?.addOn === undefined || others.some((each) => declared.has(each.addOn ?? ''))) continue;
    yield {
      key: JSON.stringify([addOn, other.addOn]),
      clusters: clusters.length,
      tell: (count) =>
        diagnostic('FW4019', {
          message: `add-on ${quote(addOn)} delivers ${words} to ${clusterCount(count)}, and add-on ${quote(other.addOn ?? '')} delivers the CustomResourceDefinition of the kind, but no requirement says so`,
          ...pointAt(definition, ['metadata', 'name']),
          hint: `add the annotation ${requiresAnnotation}: ${other.addOn ?? ''}, or \`requires\` in TypeScript`,
        }),
    };
  }
}
