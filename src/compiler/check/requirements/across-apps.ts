import { compareText } from '../../../base/collections/compare-text.ts';
import { requiredAddOns, requirementCycles, type RequiredAddOns } from '../../configure/required-add-ons.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RuleInput } from '../rule.ts';
import { brokenConditions } from './configured-requirement.ts';
import { declaredRequirements, type DeclaredRequirement } from './declared-requirements.ts';
import { missingInApp, missingOnClusters } from './missing-requirement.ts';
import { cycleFinding } from './requirement-cycle.ts';
import { definedKind, templateDeliveries, undeclaredRequirements } from './undeclared-requirement.ts';

/** The result of the comparison of requirements between apps. */
export interface ComparedApps {
  /** The findings of the compared apps. */
  readonly findings: readonly Diagnostic[];
  /** The findings of single apps that say that a requirement is not checked, which the comparison has checked. */
  readonly checked: readonly Diagnostic[];
}

/**
 * Compares the requirements of the apps of a workspace with each other. Unlike the rules, this function reads several apps.
 *
 * @param apps - the apps whose findings are returned
 * @param others - further apps with which these are compared. Only add-ons that are required of them count
 */
export function comparedApps(apps: readonly RuleInput[], others: readonly RuleInput[] = []): ComparedApps {
  return {
    findings: requirementsAcrossApps(apps, others),
    checked: checkedAcrossApps(apps, others),
  };
}

/**
 * Reports requirements between add-ons of different apps of a workspace: clusters without the required add-on, broken conditions, cycles,
 * and kinds whose CustomResourceDefinition an add-on of another app delivers.
 */
function requirementsAcrossApps(
  apps: readonly RuleInput[],
  others: readonly RuleInput[],
): readonly Diagnostic[] {
  const all = [...apps, ...others];
  if (all.length < 2) return [];
  const required: RequiredAddOns = new Map(all.flatMap(({ inventory }) => [...requiredAddOns(inventory)]));
  const deliveries = apps.map(templateDeliveries);
  return [
    ...apps.flatMap((app) => [...betweenApps(app, all)]),
    ...cyclesAcross(apps, all, required),
    ...apps.flatMap((app, index) => {
      const own = deliveries[index] ?? [];
      const ofApp = new Set(own.flatMap(({ objects }) => objects.flatMap((each) => definedKind(each) ?? [])));
      const ofOthers = deliveries.filter((each) => each !== own).flat();
      // Suggestions within an app are those of its rule.
      const foreign = own.map((each) => ({
        ...each,
        objects: each.objects.filter(({ kindKey }) => !ofApp.has(kindKey)),
      }));
      return [...undeclaredRequirements(app, foreign, ofOthers, required)];
    }),
  ];
}

/** Returns the findings of apps that say that a requirement is not checked, for the requirements that `requirementsAcrossApps` checks. */
function checkedAcrossApps(apps: readonly RuleInput[], others: readonly RuleInput[]): readonly Diagnostic[] {
  const all = [...apps, ...others];
  return apps.flatMap((app) =>
    foreignRequirements(app, all).flatMap(({ declared }) => {
      const finding = missingInApp(declared, app);
      return finding?.code === uncheckedCode ? [finding] : [];
    }),
  );
}

/** The code of requirements that are not checked. */
export const uncheckedCode = 'FW4018';

/** Returns the findings without those that the comparison has checked. */
export function withoutChecked(
  findings: readonly Diagnostic[],
  checked: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (checked.length === 0) return findings;
  const texts = new Set(checked.map((finding) => JSON.stringify(finding)));
  return findings.filter((finding) => finding.code !== uncheckedCode || !texts.has(JSON.stringify(finding)));
}

/** Returns the add-ons that add-ons of these apps require and that none of them has, sorted by name. */
export function requiredOfOthers(apps: readonly Pick<RuleInput, 'inventory'>[]): readonly string[] {
  const names = new Set(
    apps.flatMap(({ inventory }) =>
      [...requiredAddOns(inventory).values()].flatMap((requirements) => requirements.map(({ name }) => name)),
    ),
  );
  return [...names].filter((name) => !apps.some((app) => isDefinedIn(app, name))).sort(compareText);
}

function* betweenApps(app: RuleInput, all: readonly RuleInput[]): Iterable<Diagnostic> {
  for (const { declared, other } of foreignRequirements(app, all)) {
    const required: ResolvedAddOn | undefined = other.configuration.get(declared.requirement.name);
    if (required === undefined) continue;
    const missing = missingOnClusters({ ...declared, required });
    if (missing !== undefined) yield missing;
    yield* brokenConditions({ ...declared, required }, other);
  }
}

/** Returns the requirements of an app on add-ons of other apps. Requirements within an app are compared with the app. */
function foreignRequirements(
  app: RuleInput,
  all: readonly RuleInput[],
): readonly { readonly declared: DeclaredRequirement; readonly other: RuleInput }[] {
  return [...declaredRequirements(app)].flatMap((declared) => {
    const { name } = declared.requirement;
    if (isDefinedIn(app, name)) return [];
    const other = all.find((each) => isDefinedIn(each, name));
    return other === undefined ? [] : [{ declared, other }];
  });
}

/** Whether an app itself has the ClusterManagementAddOn, and not only its fleet snapshot. */
function isDefinedIn({ inventory }: Pick<RuleInput, 'inventory'>, addOn: string): boolean {
  return inventory.clusterManagementAddOns.get(addOn)?.source === 'app';
}

function* cyclesAcross(
  apps: readonly RuleInput[],
  all: readonly RuleInput[],
  required: RequiredAddOns,
): Iterable<Diagnostic> {
  for (const cycle of requirementCycles(required)) {
    if (all.some((app) => cycle.every((name) => isDefinedIn(app, name)))) continue;
    if (!cycle.some((name) => apps.some((app) => isDefinedIn(app, name)))) continue;
    const finding = cycleFinding(cycle, (name) =>
      all.find((app) => isDefinedIn(app, name))?.inventory.clusterManagementAddOns.get(name),
    );
    if (finding !== undefined) yield finding;
  }
}
