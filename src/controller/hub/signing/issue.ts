import { signClientCertificate } from '../../../base/certificates/certificate.ts';
import { writePemBlock } from '../../../base/certificates/pem.ts';
import type { Grant } from '../approval/verdict.ts';
import type { Authority } from './authority.ts';

/** The values that are decided when a certificate is signed. */
export interface Issuing {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The maximum lifetime of a certificate, in seconds. */
  readonly lifetime: number;
  /** Random octets, at least 16 of them, so that the next one cannot be predicted. */
  readonly serialNumber: Buffer;
}

/** Milliseconds that a certificate is backdated, for clocks that are behind. As kube-controller-manager does. */
const backdating = 5 * 60_000;

/**
 * Signs the certificate that a request was granted, and returns it in PEM with the chain of its authority. Only the
 * key comes from the request: subject and alternative names come from the registration. The lifetime is the requested
 * one, but at most the allowed one and that of its authority.
 */
export function issueCertificate(grant: Grant, authority: Authority, issuing: Issuing): string {
  const { certificate: issuer, signer, chain } = authority;
  const { now, lifetime, serialNumber } = issuing;
  const seconds = Math.min(grant.expirationSeconds ?? lifetime, lifetime);
  const der = signClientCertificate(
    {
      subject: grant.subject,
      dnsNames: grant.dnsNames,
      publicKey: grant.publicKey,
      serialNumber,
      notBefore: Math.max(now - backdating, issuer.notBefore),
      notAfter: Math.min(now + seconds * 1000, issuer.notAfter),
    },
    { name: issuer.name, keyIdentifier: issuer.keyIdentifier, signer },
  );
  return [writePemBlock(der, 'CERTIFICATE'), ...chain].join('');
}
