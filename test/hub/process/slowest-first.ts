import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Returns a sequencer that runs the slowest files first, so that no worker is left with one when the others are done.
 *
 * @param slow - the slowest files, slowest first, relative to the working directory
 */
export function slowestFirst(slow: readonly string[]): typeof BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId }: TestSpecification): number => {
        const index = slow.indexOf(path.relative('', moduleId));
        return index === -1 ? slow.length : index;
      };
      return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
    }
  };
}
