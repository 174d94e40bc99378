import type { SettingFault } from './settings.ts';

interface Timing {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** Returns the faults of the times of leader election: with them, two replicas could be active at a time, or none. */
export function timingFaults({ leaseDuration, renewDeadline, retryPeriod }: Timing): readonly SettingFault[] {
  const faults: SettingFault[] = [];
  if (renewDeadline >= leaseDuration)
    faults.push({
      setting: 'renewDeadline',
      message: `must be less than leaseDuration, which is ${seconds(leaseDuration)}`,
    });
  if (retryPeriod * 2 > renewDeadline)
    faults.push({
      setting: 'retryPeriod',
      message: `must be at most half of renewDeadline, which is ${seconds(renewDeadline)}`,
    });
  return faults;
}

/** @param ms - milliseconds */
function seconds(ms: number): string {
  return `${ms / 1000}s`;
}
