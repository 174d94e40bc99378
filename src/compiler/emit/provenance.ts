import { compareText } from '../../base/collections/compare-text.ts';
/** A file name, and the SHA-256 of the file's bytes in hexadecimal digits. */
export interface FileDigest {
  /** The path relative to the folder in which synth ran, with slashes. */
  readonly name: string;
  readonly sha256: string;
}

/** The parameters of synth. */
export interface SynthParameters {
  /** The names of the apps. */
  readonly apps: readonly string[];
  readonly engine: string;
  readonly hubVersion: string;
  readonly apiVersion: string;
  /** The time for which rollouts were predicted, if the user gave one. */
  readonly now?: string;
}

/** The SLSA build type, which `docs/provenance.md` describes. */
const buildType = 'https://fleetwright.dev/provenance/synth/v1';

/**
 * Returns an in-toto statement with SLSA provenance: this version of Fleetwright produced these files from those, with these
 * parameters. It contains no time, no host and only the paths of the files, so that the same inputs produce the same statement.
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
  const sorted = [...files].sort((a, b) => compareText(a.name, b.name));
  return sorted.map(({ name, sha256 }) => ({ name, digest: { sha256 } }));
}
