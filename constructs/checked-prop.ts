import type { Duration } from 'cdk8s';
import type { IAddOnConfig } from './add-on-config.ts';
import type { IPlacement } from './placement.ts';

// Apps run without a type check, so a value of the wrong type can get here.
const typeCheck = 'tsc --noEmit finds such mistakes';

/**
 * Returns the duration of a prop.
 *
 * @throws Error for anything else, such as `'10m'`.
 */
export function checkedDuration(value: Duration, prop: string): Duration {
  // Apps may load another copy of cdk8s, so `instanceof` is not reliable.
  if (isObjectWith(value, 'toMilliseconds')) return value;
  throw new Error(
    `${prop} takes a Duration, such as Duration.minutes(10), but is ${show(value)} (${typeCheck})`,
  );
}

/** @throws Error for anything but a Placement, such as its name. */
export function checkPlacement(value: IPlacement): void {
  if (isObjectWith(value, 'placementReference')) return;
  throw new Error(
    `placement takes a Placement, but is ${show(value)}: pass the construct, or Placement.reference('namespace', 'name') (${typeCheck})`,
  );
}

/** @throws Error for anything but configurations, such as their names. */
export function checkConfigs(values: readonly IAddOnConfig[], prop: string): void {
  for (const value of values) {
    if (isObjectWith(value, 'configReference')) continue;
    throw new Error(
      `${prop} takes configurations, but has ${show(value)}: pass the construct, or AddOnConfig.of(…) (${typeCheck})`,
    );
  }
}

function isObjectWith(value: unknown, member: string): boolean {
  return typeof value === 'object' && value !== null && member in value;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
