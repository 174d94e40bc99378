import type { ObjectName } from '../../kube/object.ts';

/** Which authority may sign for a signer, and for whom. */
export interface AllowedSigner {
  readonly signerName: string;
  /** Its Secret. */
  readonly authority: Required<ObjectName>;
  /** Undefined where every add-on may use it. */
  readonly addOn: string | undefined;
}

const written =
  /^(?<signerName>[^=/\s]+\/[^=\s]+)=(?<namespace>[a-z0-9][-a-z0-9]*)\/(?<name>[a-z0-9][-a-z0-9.]*)(?::(?<addOn>[a-z0-9][-a-z0-9.]*))?$/;

/** Reads `SIGNER=NAMESPACE/SECRET`, or `SIGNER=NAMESPACE/SECRET:ADD-ON`; undefined for other text. */
export function parseAllowedSigner(text: string): AllowedSigner | undefined {
  const { signerName, namespace, name, addOn } = written.exec(text)?.groups ?? {};
  if (signerName === undefined || namespace === undefined || name === undefined) return undefined;
  return { signerName, authority: { namespace, name }, addOn };
}

/** What a text must be that names no signer. */
export function allowedSignerFault(text: string): string | undefined {
  return parseAllowedSigner(text) === undefined
    ? 'SIGNER=NAMESPACE/SECRET or SIGNER=NAMESPACE/SECRET:ADD-ON'
    : undefined;
}
