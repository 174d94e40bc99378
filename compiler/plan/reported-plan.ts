import type { AddOnPlan } from './add-on-plan.ts';
import type { ChangeGroup } from './change.ts';
import type { FieldChange, ObjectChange } from './object-changes.ts';
import { withoutSecretVariables } from './secret-variables.ts';
import { changedSecretMask, maskedSides, secretMask } from './secrets.ts';

/** The maximum number of values per group, and of fields per object, in a plan. The others are counted. */
const mostValues = 40;

/** Selects the compared values that a plan shows: a limited number, without secrets. */
export class ReportedValues {
  readonly #secretVariables: ReadonlySet<string> | undefined;

  /** @param secretVariables - variables whose values are secret; undefined if secrets are shown */
  constructor(secretVariables: ReadonlySet<string> | undefined) {
    this.#secretVariables = secretVariables;
  }

  addOn(addOn: AddOnPlan): AddOnPlan {
    return { ...addOn, groups: addOn.groups.map((group) => this.#group(group)) };
  }

  object<T extends ObjectChange>(change: T): T {
    const fields = change.fields.slice(0, mostValues).map((field) => this.#masked(field));
    return { ...change, fields, moreFields: change.fields.length - fields.length };
  }

  #group(group: ChangeGroup): ChangeGroup {
    const values = group.values.slice(0, mostValues).map((value) => this.#masked(value));
    return { ...group, values, moreValues: group.values.length - values.length };
  }

  #masked<T extends FieldChange>(change: T): T {
    const variables = this.#secretVariables;
    if (variables === undefined) return change;
    const masked = maskedSides(change);
    const before = withoutSecretVariables(change.path, masked.before, variables);
    const mask = masked.before === undefined ? secretMask : changedSecretMask;
    const after = withoutSecretVariables(change.path, masked.after, variables, mask);
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
