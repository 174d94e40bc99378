import { requiredAddOns, requirementCycles, type RequiredAddOns } from '../../configure/required-add-ons.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RuleInput } from '../rule.ts';
import { brokenConditions } from './configured-requirement.ts';
import { declaredRequirements } from './declared-requirements.ts';
import { missingOnClusters } from './missing-requirement.ts';
import { cycleFinding } from './requirement-cycle.ts';
import { definedKind, templateDeliveries, undeclaredRequirements } from './undeclared-requirement.ts';

/**
 * Reports requirements between add-ons of different apps of a workspace: clusters without the required add-on, broken conditions, cycles,
 * and kinds whose CustomResourceDefinition an add-on of another app delivers.
 *
 * Unlike the rules, this function reads several apps.
 */
export function requirementsAcrossApps(apps: readonly RuleInput[]): readonly Diagnostic[] {
  if (apps.length < 2) return [];
  const required: RequiredAddOns = new Map(apps.flatMap(({ inventory }) => [...requiredAddOns(inventory)]));
  const deliveries = apps.map(templateDeliveries);
  return [
    ...apps.flatMap((app) => [...betweenApps(app, apps)]),
    ...cyclesAcross(apps, required),
    ...apps.flatMap((app, index) => {
      const own = deliveries[index] ?? [];
      const ofApp = new Set(own.flatMap(({ objects }) => objects.flatMap((each) => definedKind(each) ?? [])));
      const others = deliveries.filter((each) => each !== own).flat();
      // Suggestions within an app are those of its rule.
      const foreign = own.map((each) => ({
        ...each,
        objects: each.objects.filter(({ kindKey }) => !ofApp.has(kindKey)),
      }));
      return [...undeclaredRequirements(app, foreign, others, required)];
    }),
  ];
}

function* betweenApps(app: RuleInput, apps: readonly RuleInput[]): Iterable<Diagnostic> {
  for (const declared of declaredRequirements(app)) {
    // Requirements within an app are compared with the app.
    if (isDefinedIn(app, declared.requirement.name)) continue;
    const other = apps.find((each) => isDefinedIn(each, declared.requirement.name));
    const required: ResolvedAddOn | undefined = other?.configuration.get(declared.requirement.name);
    if (other === undefined || required === undefined) continue;
    const missing = missingOnClusters({ ...declared, required });
    if (missing !== undefined) yield missing;
    yield* brokenConditions({ ...declared, required }, other);
  }
}

/** Whether an app itself has the ClusterManagementAddOn, and not only its fleet snapshot. */
function isDefinedIn({ inventory }: RuleInput, addOn: string): boolean {
  return inventory.clusterManagementAddOns.get(addOn)?.source === 'app';
}

function* cyclesAcross(apps: readonly RuleInput[], required: RequiredAddOns): Iterable<Diagnostic> {
  for (const cycle of requirementCycles(required)) {
    if (apps.some((app) => cycle.every((name) => isDefinedIn(app, name)))) continue;
    const finding = cycleFinding(cycle, (name) =>
      apps.find((app) => isDefinedIn(app, name))?.inventory.clusterManagementAddOns.get(name),
    );
    if (finding !== undefined) yield finding;
  }
}
