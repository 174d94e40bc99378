import type { ObjectName } from '../../../client/object.ts';
import { isKubernetesSigner } from '../../../ocm/signers.ts';

/** The authority that may sign for a signer, and the add-on that may use it. */
export interface AllowedSigner {
  readonly signerName: string;
  /** Its Secret. */
  readonly authority: Required<ObjectName>;
  /** Undefined if every add-on may use it. */
  readonly addOn: string | undefined;
}

const syntax =
  /^(?<signerName>[^=/\s]+\/[^=\s]+)=(?<namespace>[a-z0-9][-a-z0-9]*)\/(?<name>[a-z0-9][-a-z0-9.]*)(?::(?<addOn>[a-z0-9][-a-z0-9.]*))?$/;

/** Reads `SIGNER=NAMESPACE/SECRET`, or `SIGNER=NAMESPACE/SECRET:ADD-ON`; undefined for other text. */
export function parseAllowedSigner(text: string): AllowedSigner | undefined {
  const { signerName, namespace, name, addOn } = syntax.exec(text)?.groups ?? {};
  if (signerName === undefined || namespace === undefined || name === undefined) return undefined;
  return { signerName, authority: { namespace, name }, addOn };
}

/** Returns the requirement that a text violates if it names no signer, or one whose certificates Kubernetes signs. */
export function allowedSignerFault(text: string): string | undefined {
  const signer = parseAllowedSigner(text);
  if (signer === undefined) return 'SIGNER=NAMESPACE/SECRET or SIGNER=NAMESPACE/SECRET:ADD-ON';
  if (isKubernetesSigner(signer.signerName))
    return `a signer of add-ons: Kubernetes itself signs for ${signer.signerName}, and needs no setting`;
  return undefined;
}
