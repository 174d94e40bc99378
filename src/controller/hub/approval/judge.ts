import type { CertificateSigningRequest, HubFacts, Limits, ObjectFacts } from './facts.ts';
import type { Registration } from '../../add-on/registration.ts';
import { checkSize, type ExpectedContent, type RequestedKey } from './content.ts';
import {
  isIdentityOfAddOn,
  isSameRegistration,
  isSameInAnyOrder,
  registeredSubject,
} from '../../add-on/registered-subject.ts';
import { readRequester } from './requester.ts';
import { quoted, type Check, type Refusal, type Verdict } from './verdict.ts';
import { clusterNameLabel, addOnNameLabel } from '../../../ocm/labels.ts';
import { isKubernetesSigner, apiServerSigner } from '../../../ocm/signers.ts';

/** Usages of a client's certificate. Keys that cannot encipher may omit the second one, as Kubernetes recommends. */
const usages = { required: ['client auth', 'digital signature'], optional: ['key encipherment'] };

/** Kubernetes cuts the prefix of a generated name at this length. */
const generatedPrefixLength = 58;

/** The minimum of the API server, in seconds. */
const leastExpirationSeconds = 600;

/**
 * Returns the result of the comparison of a request's content with the expected content: its key, or the check that
 * it fails. Undefined if they have not been compared yet.
 */
export type ContentLookup = (expected: ExpectedContent) => RequestedKey | Refusal | undefined;

/** Returns the add-on and cluster that a request claims to be for; undefined if it has no such claim. */
export function claimOf({
  metadata: { labels = {} },
}: Pick<CertificateSigningRequest, 'metadata'>):
  { readonly cluster: string; readonly addOn: string } | undefined {
  const { [clusterNameLabel]: cluster = '', [addOnNameLabel]: addOn = '' } = labels;
  return cluster === '' || addOn === '' ? undefined : { cluster, addOn };
}

/**
 * Decides on a request. It is approved if everything in it matches a registration of an add-on on the requesting
 * cluster; otherwise the first failed check is returned.
 */
export function judge(
  request: CertificateSigningRequest,
  hub: HubFacts,
  limits: Limits,
  contentOf: ContentLookup,
): Verdict {
  const verdict = judgeEntitlement(request, hub, limits, contentOf);
  if (!verdict.approved) return verdict;
  const { fingerprint, cluster, addOn } = verdict.grant;
  const other = hub.approvedWithKey(fingerprint).find((name) => name !== request.metadata.name);
  if (other !== undefined) {
    return refuse('key-reuse', `its key is that of ${other}, which was approved before`);
  }
  if (hub.recentApprovals >= limits.approvals) {
    return refuse(
      'limit',
      `${hub.recentApprovals} requests of ${addOn} on ${cluster} were approved recently`,
    );
  }
  return verdict;
}

/**
 * Decides whether a request is entitled to its content, regardless of its approver and of the number of requests.
 * These rules must still hold when its certificate is signed.
 */
export function judgeEntitlement(
  request: CertificateSigningRequest,
  hub: HubFacts,
  limits: Limits,
  contentOf: ContentLookup,
): Verdict {
  const claim = claimOf(request);
  if (claim === undefined) {
    return refuse('labels', `it does not have both labels ${clusterNameLabel} and ${addOnNameLabel}`);
  }
  const { metadata, spec } = request;
  const refusal =
    checkName(metadata.name, claim) ?? checkSigner(spec.signerName) ?? checkHub(hub, claim, metadata);
  if (refusal !== undefined) return { approved: false, refusal };

  const registration = registrationOf(spec.signerName, hub);
  if ('check' in registration) return { approved: false, refusal: registration };
  const requester = readRequester(request, claim.cluster, { allowGrpcServer: limits.grpcServer });
  if ('refused' in requester) return refuse('requester', requester.refused);
  const subject = registeredSubject(registration, { ...claim, agent: requester.agent });
  if (spec.signerName === apiServerSigner && !isIdentityOfAddOn(subject, claim)) {
    return refuse(
      'registration',
      `${quoted(subject.commonName)} with its groups is not the add-on's own user`,
    );
  }

  const dnsName = `${claim.addOn}.addon.open-cluster-management.io`;
  const fieldRefusal = checkRequestFields(request, limits);
  if (fieldRefusal !== undefined) return { approved: false, refusal: fieldRefusal };
  const expected = { subject, dnsName };
  const key = contentOf(expected);
  if (key === undefined) return { approved: false, unread: expected };
  if ('check' in key) return { approved: false, refusal: key };
  const { signerName, expirationSeconds } = spec;
  const { encoded: publicKey, fingerprint } = key;
  return {
    approved: true,
    grant: { ...claim, signerName, subject, dnsNames: [dnsName], publicKey, fingerprint, expirationSeconds },
  };
}

function checkName(
  name: string,
  { cluster, addOn }: { readonly cluster: string; readonly addOn: string },
): Refusal | undefined {
  const prefix = `addon-${cluster}-${addOn}-`.slice(0, generatedPrefixLength);
  if (name.startsWith(prefix) && /^[a-z0-9]+$/.test(name.slice(prefix.length))) return undefined;
  return { check: 'name', message: `its name is not ${prefix} followed by letters and digits` };
}

function checkSigner(signerName: string): Refusal | undefined {
  if (signerName === apiServerSigner || !isKubernetesSigner(signerName)) return undefined;
  return { check: 'signer', message: `the signer ${quoted(signerName)} is not for add-ons` };
}

function checkHub(
  { cluster, addOn }: HubFacts,
  claim: { readonly cluster: string; readonly addOn: string },
  request: ObjectFacts,
): Refusal | undefined {
  const onCluster = `${claim.addOn} on ${claim.cluster}`;
  if (cluster === undefined)
    return { check: 'cluster', message: `there is no cluster ${quoted(claim.cluster)}` };
  if (cluster.metadata.deletionTimestamp !== undefined) {
    return { check: 'cluster', message: `the cluster ${claim.cluster} is being deleted` };
  }
  if (cluster.spec?.hubAcceptsClient !== true) {
    return { check: 'cluster', message: `the hub does not accept the cluster ${claim.cluster}` };
  }
  if (isOlder(request, cluster.metadata)) {
    return {
      check: 'cluster',
      message: `it is older than the cluster ${claim.cluster}, and was sent by an earlier cluster of that name`,
    };
  }
  if (addOn === undefined) {
    return { check: 'add-on', message: `there is no add-on ${quoted(claim.addOn)} on ${claim.cluster}` };
  }
  if (addOn.metadata.deletionTimestamp !== undefined) {
    return { check: 'add-on', message: `${onCluster} is being deleted` };
  }
  return undefined;
}

/** Kubernetes records whole seconds of its own clock. */
function isOlder(
  { creationTimestamp: one = '' }: ObjectFacts,
  { creationTimestamp: other = '' }: ObjectFacts,
): boolean {
  return Date.parse(one) < Date.parse(other);
}

/** Returns the registration that a request is for: declared on the hub, and in the status as it is declared. */
function registrationOf(
  signerName: string,
  { addOn, declared, foreignSigners }: HubFacts,
): Registration | Refusal {
  if (foreignSigners?.has(signerName) === true) {
    const signer = quoted(signerName);
    return { check: 'signer', message: `the settings allow ${signer} only for another authority or add-on` };
  }
  const isOfSigner = (registration: Registration): boolean => registration.signerName === signerName;
  const inStatus = addOn?.status?.registrations?.filter(isOfSigner) ?? [];
  const registration = declared.find(isOfSigner);
  if (registration === undefined) {
    return { check: 'signer', message: `it registers nothing with the signer ${quoted(signerName)}` };
  }
  if (
    inStatus.length !== 1 ||
    !inStatus.every((inStatusRegistration) => isSameRegistration(inStatusRegistration, registration))
  ) {
    return {
      check: 'registration',
      message: `status.registrations for ${quoted(signerName)} differs from what the add-on declares`,
    };
  }
  return registration;
}

/** Checks the fields of a request outside of its PEM, and the size of the PEM. */
function checkRequestFields(
  {
    spec: { usages: requestedUsages = [], signerName, expirationSeconds },
    requestLength,
  }: CertificateSigningRequest,
  limits: Limits,
): Refusal | undefined {
  const needed = requestedUsages.filter((usage) => !usages.optional.includes(usage));
  if (
    !isSameInAnyOrder(needed, usages.required) ||
    new Set(requestedUsages).size !== requestedUsages.length
  ) {
    const list = requestedUsages.map(quoted).join(', ');
    return {
      check: 'usages',
      message: `its usages are ${list === '' ? 'none' : list.slice(0, 500)}; required: client auth and digital signature; optional: key encipherment`,
    };
  }
  return checkLifetime(signerName, expirationSeconds, limits) ?? checkSize(requestLength, limits);
}

/**
 * Checks the lifetime. An approver cannot shorten the certificate of a request. Certificates of the add-ons' own
 * signers are signed here, and live no longer than allowed.
 */
function checkLifetime(
  signerName: string,
  expirationSeconds: number | undefined,
  { lifetime, apiServerLifetime }: Limits,
): Refusal | undefined {
  const refused = (message: string): Refusal => ({ check: 'expiration', message });
  if (expirationSeconds === undefined) {
    return signerName !== apiServerSigner || apiServerLifetime <= lifetime
      ? undefined
      : refused(
          `it does not request a lifetime: the default of this signer is ${apiServerLifetime} seconds, and the maximum is ${lifetime}`,
        );
  }
  const isFit =
    Number.isSafeInteger(expirationSeconds) &&
    expirationSeconds >= leastExpirationSeconds &&
    expirationSeconds <= lifetime;
  return isFit
    ? undefined
    : refused(
        `it requests a lifetime of ${expirationSeconds} seconds, not ${leastExpirationSeconds} to ${lifetime}`,
      );
}

function refuse(check: Check, message: string): Verdict {
  return { approved: false, refusal: { check, message } };
}
