import type { JudgedUnit } from '../commands/validate/judgement.ts';

/**
 * The apps of a workspace, each as it was when all its objects were valid. While the user types, an object or a whole file is often invalid
 * for a moment: what exists is then what existed before.
 */
export class ResolvedUnits {
  #units: ReadonlyMap<string, JudgedUnit> = new Map();

  /** Returns the apps after an answer. One without apps is that of a fault, which is about the workspace. */
  after(units: readonly JudgedUnit[]): readonly JudgedUnit[] {
    if (units.length > 0)
      this.#units = new Map(
        units.map((unit) => {
          const key = JSON.stringify([unit.hub, unit.paths]);
          return [key, unit.resolution === undefined ? (this.#units.get(key) ?? unit) : unit];
        }),
      );
    return [...this.#units.values()];
  }
}
