import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { referenceTo, type Admitted } from '../model/inventory.ts';

/** As etcd: DefaultMaxRequestBytes. The request also has the fields that the API server adds. */
const largestRequest = 1.5 * 1024 * 1024;

/** Returns a finding if the API server cannot store an object because of its size. */
export function sizeFaults(compiled: Admitted | undefined): Diagnostic[] {
  if (compiled === undefined) return [];
  const { object, origin } = compiled;
  const size = Buffer.byteLength(JSON.stringify(object));
  if (size <= largestRequest) return [];
  const { kind, metadata } = object;
  return [
    diagnostic('FW4108', {
      message: `the ${kind} "${metadata.name}" has ${size} bytes, and the API server stores at most ${largestRequest}`,
      object: referenceTo(object),
      location: origin.location,
      hint:
        kind === 'AddOnDeploymentConfig'
          ? 'deliver large values in a configuration of another kind'
          : 'use override: inventory, which adds nothing to this object',
    }),
  ];
}
