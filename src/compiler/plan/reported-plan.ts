import type { AddOnPlan } from '../compare/add-on-plan.ts';
import type { ChangeGroup, ValueChange } from '../compare/change.ts';
import type { FieldChange, ObjectChange } from '../compare/object-changes.ts';
import type { SensitiveValues } from '../masks/sensitive-values.ts';
import { changedSecretMask, maskedSides, secretMask } from '../masks/secrets.ts';

/** The maximum number of values per group, and of fields per object, in a plan. The others are counted. */
const mostValues = 40;

/** Selects the compared values that a plan shows: a limited number, without secrets. */
export class ReportedValues {
  readonly #sensitive: SensitiveValues | undefined;

  /** @param sensitive - the values to mask; undefined if they are shown */
  constructor(sensitive: SensitiveValues | undefined) {
    this.#sensitive = sensitive;
  }

  addOn(addOn: AddOnPlan): AddOnPlan {
    return { ...addOn, groups: addOn.groups.map((group) => this.#group(group)) };
  }

  object<T extends ObjectChange>(change: T): T {
    const fields = change.fields.slice(0, mostValues).map((field) => this.#masked(field, change.kind));
    return { ...change, fields, moreFields: change.fields.length - fields.length };
  }

  #group(group: ChangeGroup): ChangeGroup {
    const values = group.values.slice(0, mostValues).map((value) => this.#masked(value, kindOf(value)));
    return { ...group, values, moreValues: group.values.length - values.length };
  }

  #masked<T extends FieldChange>(change: T, kind: string): T {
    const sensitive = this.#sensitive;
    if (sensitive === undefined) return change;
    const masked = maskedSides(change);
    const before = sensitive.masked(kind, change.path, masked.before);
    const mask = masked.before === undefined ? secretMask : changedSecretMask;
    const after = sensitive.masked(kind, change.path, masked.after, mask);
    if (before === masked.before && after === masked.after) return masked;
    const isWhole = [before, after].every(
      (side) => side === undefined || side === secretMask || side === mask,
    );
    return {
      ...masked,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      ...(isWhole && { secret: true }),
    };
  }
}

/** Returns the first word of `ConfigMap agents/agent`. */
function kindOf({ object }: ValueChange): string {
  return object.split(' ', 1)[0] ?? '';
}
