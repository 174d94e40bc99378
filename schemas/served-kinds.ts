import type { Kind, KindVersion } from './index.ts';

/** A kind with one of its versions. */
export interface ServedVersion {
  readonly kind: Kind;
  readonly version: KindVersion;
}

/** The kinds of OCM that the API server of a hub has, with the versions and the fields of its release. */
export class ServedKinds {
  /** By group and kind. */
  readonly kinds: readonly Kind[];
  readonly #byKey: ReadonlyMap<string, Kind>;
  readonly #byVersion: ReadonlyMap<string, ServedVersion>;

  constructor(kinds: readonly Kind[]) {
    this.kinds = kinds;
    this.#byKey = new Map(kinds.map((kind) => [kind.key, kind]));
    // No part of a valid key has a space, so no other pair has the same key.
    this.#byVersion = new Map(
      kinds.flatMap((kind) =>
        kind.versions.map((version) => [`${kind.group}/${version.name} ${kind.kind}`, { kind, version }]),
      ),
    );
  }

  /** Returns the kind of this name in this API group (without version), `undefined` if Fleetwright does not support it. */
  find(group: string, kind: string): Kind | undefined {
    return this.#byKey.get(`${group}/${kind}`);
  }

  /**
   * Returns the version of a kind by an object's `apiVersion` and `kind`; `undefined` if Fleetwright does not support the kind, or
   * the release does not serve it in this version.
   */
  findVersion(apiVersion: string, kind: string): ServedVersion | undefined {
    return this.#byVersion.get(`${apiVersion} ${kind}`);
  }
}
