import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { ClusterAddOn, ConfigReference, EffectiveConfiguration } from '../configure/resolved-add-on.ts';
import { objectKey } from '../model/inventory.ts';
import type { State } from './resolution-pair.ts';

/** The compared parts of an effective configuration: the objects in use, and the levels that select them. */
export interface EffectiveKey {
  /** Equal for the same objects with the same content, in the same order. */
  readonly content: number;
  /** Equal if the same levels and placements select them. */
  readonly source: number;
}

/**
 * Numbers the effective configurations of both states. Equal ones get the same number. A configuration that several clusters
 * share is processed once.
 */
export class EffectiveKeys {
  readonly #numbers = new Map<string, number>();
  readonly #keys = new Map<EffectiveConfiguration, EffectiveKey>();

  of({ effective }: ClusterAddOn, state: State): EffectiveKey {
    const cached = this.#keys.get(effective);
    if (cached !== undefined) return cached;
    const content = effective.references.map((reference) => referenceText(reference, state)).join('\n');
    const source = effective.kinds.flatMap(({ winners }) =>
      winners.map(({ level, placement = '' }) => `${level} ${placement}`),
    );
    const key = {
      content: this.#number(`content\n${content}`),
      source: this.#number(`source\n${source.join('\n')}`),
    };
    this.#keys.set(effective, key);
    return key;
  }

  #number(text: string): number {
    return getOrInsertComputed(this.#numbers, text, () => this.#numbers.size);
  }
}

/** Returns a reference with its content. For kinds that no manager of the hub hashes, the content comes from the inventory. */
export function referenceText(reference: ConfigReference, { configs }: State): string {
  const { group, resource, namespace, name, specHash } = reference;
  return `${group}/${resource} ${objectKey(namespace, name)} ${specHash === '' ? configs.hash(reference) : specHash}`;
}
