import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take more than a minute, slowest first. */
const slow = [
  'record',
  'differential',
  'drift',
  'apply',
  'companion-endings',
  'plan-is-true',
  'companion-certificates',
  'fleet-pull',
  'work-replica-sets',
];

/** Runs the slowest files first, so that no worker is left with one when the others are done. */
export class SlowestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = slow.indexOf(path.basename(moduleId, '.test.ts'));
      return index === -1 ? slow.length : index;
    };
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b)));
  }
}
