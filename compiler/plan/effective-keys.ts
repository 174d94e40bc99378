import type { ClusterAddOn, ConfigReference, EffectiveConfiguration } from '../configure/configuration.ts';
import { objectKey } from '../inventory.ts';
import type { State } from './resolution-pair.ts';

/** What of an effective configuration is compared: what is used, and who says so. */
export interface EffectiveKey {
  /** The same for the same objects with the same content, in the same order. */
  readonly content: number;
  /** The same where the same levels and placements give them. */
  readonly source: number;
}

/**
 * Numbers effective configurations of both states, equal ones alike. Those that the clusters of a fleet share are looked
 * at once.
 */
export class EffectiveKeys {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<EffectiveConfiguration, EffectiveKey>();

  of({ effective }: ClusterAddOn, state: State): EffectiveKey {
    const known = this.#known.get(effective);
    if (known !== undefined) return known;
    const content = effective.references.map((reference) => referenceText(reference, state)).join('\n');
    const source = effective.kinds.flatMap(({ winners }) =>
      winners.map(({ level, placement = '' }) => `${level} ${placement}`),
    );
    const key = {
      content: this.#number(`content\n${content}`),
      source: this.#number(`source\n${source.join('\n')}`),
    };
    this.#known.set(effective, key);
    return key;
  }

  #number(text: string): number {
    const known = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, known);
    return known;
  }
}

/** A reference with its content. Kinds that no manager of the hub hashes count by what the inventory has of them. */
export function referenceText(reference: ConfigReference, { configs }: State): string {
  const { group, resource, namespace, name, specHash } = reference;
  return `${group}/${resource} ${objectKey(namespace, name)} ${specHash === '' ? configs.hash(reference) : specHash}`;
}
