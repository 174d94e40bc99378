import { type ConfigKind, type Referent, configKindKey, referentKey } from '../../ocm/referent.ts';
import { isSameList } from '../../base/collections/remembered.ts';
import type { Admitted } from '../model/inventory.ts';
import { hashOf, type ConfigObjects } from './config-objects.ts';

/** Looks up configuration objects, and records which. What was computed from the answers holds while they are the same. */
export class RecordedConfigs implements ConfigObjects {
  #source: ConfigObjects | undefined;
  /** The answers, by `referentKey`. The hash of an object depends on nothing else. */
  readonly #answers = new Map<string, Admitted | undefined>();
  /** By `configKindKey`. */
  readonly #names = new Map<string, { readonly kind: ConfigKind; readonly names: readonly string[] }>();

  constructor(objects: ConfigObjects) {
    this.#source = objects;
  }

  find(referent: Referent): Admitted | undefined {
    return this.findByKey(referentKey(referent));
  }

  findByKey(key: string): Admitted | undefined {
    const object = this.#objects.findByKey(key);
    this.#answers.set(key, object);
    return object;
  }

  names(kind: ConfigKind): readonly string[] {
    const names = this.#objects.names(kind);
    this.#names.set(configKindKey(kind), { kind, names });
    return names;
  }

  hash(referent: Referent): string {
    const object = this.find(referent);
    return object === undefined ? '' : hashOf(object);
  }

  /** Ends the recording. A result that is kept would otherwise keep all objects of its state in memory. */
  end(): void {
    this.#source = undefined;
  }

  /** Whether the objects of another state have the same answers. */
  isCurrent(objects: ConfigObjects): boolean {
    for (const [key, object] of this.#answers) if (objects.findByKey(key) !== object) return false;
    for (const { kind, names } of this.#names.values())
      if (!isSameList(objects.names(kind), names)) return false;
    return true;
  }

  get #objects(): ConfigObjects {
    if (this.#source === undefined) throw new Error('a configuration is looked up after the recording');
    return this.#source;
  }
}
