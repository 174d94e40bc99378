import type { CertificateSigningRequest, HubFacts, Limits, Registration } from './facts.ts';
import { apiServerSigner, isKubernetesSigner } from '../registration/registrations.ts';
import { checkContent } from './content.ts';
import {
  isOwnIdentity,
  isSameRegistration,
  isSameInAnyOrder,
  registeredSubject,
} from './registered-subject.ts';
import { readRequester } from './requester.ts';
import { quoted, type Check, type Refusal, type Verdict } from './verdict.ts';

/** Labels with which OCM's agents mark the requests of add-ons. Anybody may set them, so they only say what to hold a request against. */
export const labels = {
  cluster: 'open-cluster-management.io/cluster-name',
  addOn: 'open-cluster-management.io/addon-name',
} as const;

/** Usages of a client's certificate. Keys that cannot encipher may leave the second out, as Kubernetes advises. */
const usages = { required: ['client auth', 'digital signature'], optional: ['key encipherment'] };

/** Kubernetes cuts the prefix of a generated name at this length. */
const generatedPrefixLength = 58;

/** Seconds below which the API server does not go. */
const leastExpirationSeconds = 600;

/** Which add-on, on which cluster, a request says it is for; undefined where it does not say so. */
export function claimOf({
  metadata: { labels: found = {} },
}: CertificateSigningRequest): { readonly cluster: string; readonly addOn: string } | undefined {
  const { [labels.cluster]: cluster = '', [labels.addOn]: addOn = '' } = found;
  return cluster === '' || addOn === '' ? undefined : { cluster, addOn };
}

/**
 * Decides on a request. It is approved if everything in it fits a registration of an add-on on the cluster that asks;
 * else the first check that it fails is named.
 */
export function judge(request: CertificateSigningRequest, hub: HubFacts, limits: Limits): Verdict {
  const verdict = judgeEntitlement(request, hub, limits);
  if (!verdict.approved) return verdict;
  const { fingerprint, cluster, addOn } = verdict.grant;
  const other = hub.approvedWithKey(fingerprint).find((name) => name !== request.metadata.name);
  if (other !== undefined) {
    return refuse('key-reuse', `its key is that of ${other}, which was approved before`);
  }
  if (hub.recentApprovals >= limits.approvals) {
    return refuse('limit', `${hub.recentApprovals} requests of ${addOn} on ${cluster} were approved of late`);
  }
  return verdict;
}

/**
 * Decides whether a request is entitled to what it asks for, whoever approved it and however often it was asked: what
 * has to hold still when its certificate is signed.
 */
export function judgeEntitlement(request: CertificateSigningRequest, hub: HubFacts, limits: Limits): Verdict {
  const claim = claimOf(request);
  if (claim === undefined) {
    return refuse('labels', `it has not both labels ${labels.cluster} and ${labels.addOn}`);
  }
  const { metadata, spec } = request;
  const refusal = checkName(metadata.name, claim) ?? checkSigner(spec.signerName) ?? checkHub(hub, claim);
  if (refusal !== undefined) return { approved: false, refusal };

  const registration = registrationOf(spec.signerName, hub);
  if ('check' in registration) return { approved: false, refusal: registration };
  const requester = readRequester(request, claim.cluster, { allowGrpcServer: limits.grpcServer });
  if ('refused' in requester) return refuse('requester', requester.refused);
  const subject = registeredSubject(registration, { ...claim, agent: requester.agent });
  if (spec.signerName === apiServerSigner && !isOwnIdentity(subject, claim)) {
    return refuse(
      'registration',
      `${quoted(subject.commonName)} with its groups is not the add-on's own user`,
    );
  }

  const dnsName = `${claim.addOn}.addon.open-cluster-management.io`;
  const key = checkAsked(request, limits) ?? checkContent(request, { subject, dnsName, limits });
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
  return { check: 'name', message: `its name is not ${prefix} with letters and digits behind it` };
}

function checkSigner(signerName: string): Refusal | undefined {
  if (signerName === apiServerSigner || !isKubernetesSigner(signerName)) return undefined;
  return { check: 'signer', message: `the signer ${quoted(signerName)} is not for add-ons` };
}

function checkHub(
  { cluster, addOn }: HubFacts,
  claim: { readonly cluster: string; readonly addOn: string },
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
  if (addOn === undefined) {
    return { check: 'add-on', message: `there is no add-on ${quoted(claim.addOn)} on ${claim.cluster}` };
  }
  if (addOn.metadata.deletionTimestamp !== undefined) {
    return { check: 'add-on', message: `${onCluster} is being deleted` };
  }
  return undefined;
}

/** The registration that a request is for: declared on the hub, and written into the status as it is declared. */
function registrationOf(
  signerName: string,
  { addOn, declared, foreignSigners }: HubFacts,
): Registration | Refusal {
  if (foreignSigners?.has(signerName) === true) {
    const signer = quoted(signerName);
    return { check: 'signer', message: `the settings allow ${signer} for another authority or add-on only` };
  }
  const isOfSigner = (registration: Registration): boolean => registration.signerName === signerName;
  const inStatus = addOn?.status?.registrations?.filter(isOfSigner) ?? [];
  const registration = declared.find(isOfSigner);
  if (registration === undefined) {
    return { check: 'signer', message: `it registers nothing with the signer ${quoted(signerName)}` };
  }
  if (inStatus.length !== 1 || !inStatus.every((found) => isSameRegistration(found, registration))) {
    return {
      check: 'registration',
      message: `status.registrations does not say of ${quoted(signerName)} what the add-on declares`,
    };
  }
  return registration;
}

/** What a request asks for outside its PEM. */
function checkAsked(
  { spec: { usages: asked = [], expirationSeconds } }: CertificateSigningRequest,
  limits: Limits,
): Refusal | undefined {
  const needed = asked.filter((usage) => !usages.optional.includes(usage));
  if (!isSameInAnyOrder(needed, usages.required) || new Set(asked).size !== asked.length) {
    const list = asked.map(quoted).join(', ');
    return {
      check: 'usages',
      message: `its usages are ${list === '' ? 'none' : list.slice(0, 500)}, not client auth and digital signature, key encipherment or not`,
    };
  }
  if (
    expirationSeconds !== undefined &&
    !(
      Number.isSafeInteger(expirationSeconds) &&
      expirationSeconds >= leastExpirationSeconds &&
      expirationSeconds <= limits.expirationSeconds
    )
  ) {
    return {
      check: 'expiration',
      message: `it wants to live ${expirationSeconds} seconds, not ${leastExpirationSeconds} to ${limits.expirationSeconds}`,
    };
  }
  return undefined;
}

function refuse(check: Check, message: string): Verdict {
  return { approved: false, refusal: { check, message } };
}
