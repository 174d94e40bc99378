/** A file by its name, and the SHA-256 of its bytes in hexadecimal digits. */
export interface FileDigest {
  /** The way to it from the folder that synth ran in, with slashes. */
  readonly name: string;
  readonly sha256: string;
}

/** What synth was told to do. */
export interface SynthParameters {
  /** The names of the apps. */
  readonly apps: readonly string[];
  readonly engine: string;
  readonly hubVersion: string;
  readonly apiVersion: string;
  /** The time that was predicted for, where the user gave one. */
  readonly now?: string;
}

/** What SLSA calls the kind of build: which `docs/provenance.md` describes. */
const buildType = 'https://fleetwright.dev/provenance/synth/v1';

/**
 * An in-toto statement with SLSA provenance: that these files came of those, by this version of Fleetwright and these
 * parameters. It has no time, no host and no way but those of the files, so the same inputs give the same statement.
 *
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 * @see https://slsa.dev/spec/v1.0/provenance
 */
export function provenanceStatement(
  emitted: readonly FileDigest[],
  inputs: readonly FileDigest[],
  parameters: SynthParameters,
  version: string,
): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: descriptors(emitted),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType,
        externalParameters: parameters,
        resolvedDependencies: descriptors(inputs),
      },
      runDetails: { builder: { id: `pkg:npm/fleetwright@${version}`, version: { fleetwright: version } } },
    },
  };
}

function descriptors(files: readonly FileDigest[]): object[] {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return sorted.map(({ name, sha256 }) => ({ name, digest: { sha256 } }));
}
