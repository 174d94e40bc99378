import type { Check } from '../../../../../src/controller/hub/approval/verdict.ts';
import { contextTag } from '../../../../../src/base/certificates/der-reader.ts';
import { element, sequence } from '../../../../../src/base/certificates/der-writer.ts';
import { dnsNames, extension } from '../../../../../src/base/certificates/extensions.ts';
import { oids } from '../../../../../src/base/certificates/object-identifiers.ts';
import {
  attribute,
  forge,
  inBase64,
  type ForgedRequest,
} from '../../../../base/certificates/forged-request.ts';

/** One request of a table, as what it has instead of what OCM's agent sends. */
export interface TableRequest {
  readonly name: string;
  /** @default - the registration agent of the cluster */
  readonly requester?: { readonly user: string; readonly groups: readonly string[] };
  readonly metadata?: {
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: {
    readonly request?: string;
    readonly signerName?: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
  };
  /** The check that refuses it; `none` where it is approved. */
  readonly refusedBy: Check | 'none';
  /**
   * What becomes of it on a real hub, where that is something else: the API server does not take it, it is not of an add-on of
   * the companion, or nobody can send it, since headers lose spaces at their ends.
   */
  readonly onHub?: 'not taken' | 'left alone' | 'not sent';
}

/** Who a table is about. */
export interface Target {
  readonly cluster: string;
  readonly addOn: string;
  /** A cluster whose name begins with that of `cluster`. */
  readonly neighbor: string;
  /** The add-on's own signer, which it registers, with the subject `hello` in `readers` and `edge`. */
  readonly signer: string;
}

/** The texts of the identity that an add-on registers with the hub's API server. */
export function identityOf({ cluster, addOn }: Pick<Target, 'cluster' | 'addOn'>) {
  const own = `system:open-cluster-management:cluster:${cluster}:addon:${addOn}`;
  return {
    user: `${own}:agent:${addOn}-agent`,
    groups: [own, `system:open-cluster-management:addon:${addOn}`],
    dnsName: `${addOn}.addon.open-cluster-management.io`,
  };
}

/** Makes requests that differ from a good one in one respect. */
export class Forger {
  readonly user: string;
  readonly groups: readonly string[];
  readonly dnsName: string;
  readonly organizations: readonly Buffer[];
  readonly commonName: Buffer;
  readonly alternativeName: Buffer;

  constructor(target: Target) {
    const { user, groups, dnsName } = identityOf(target);
    [this.user, this.groups, this.dnsName] = [user, groups, dnsName];
    this.organizations = groups.map((group) => attribute(oids.organization, group));
    this.commonName = attribute(oids.commonName, user);
    this.alternativeName = extension(oids.subjectAlternativeName, dnsNames([dnsName]));
  }

  /** The DER of a good request, but for these parts. */
  der(parts: Partial<ForgedRequest> = {}): Buffer {
    return forge({
      name: [this.organizations, [this.commonName]],
      extensions: [this.alternativeName],
      ...parts,
    });
  }

  with(parts: Partial<ForgedRequest>): { readonly request: string } {
    return { request: inBase64(this.der(parts)) };
  }

  /** With another subject. */
  named(...name: readonly (readonly Buffer[])[]): { readonly request: string } {
    return this.with({ name });
  }

  /** With another common name: text in UTF-8, or an encoded string. */
  calling(text: string | Buffer): { readonly request: string } {
    return this.named(this.organizations, [attribute(oids.commonName, text)]);
  }

  /** With other organizations. */
  organized(...texts: readonly (string | Buffer)[]): { readonly request: string } {
    return this.named(...texts.map((text) => [attribute(oids.organization, text)]), [this.commonName]);
  }

  /** With other extensions beside its alternative name. */
  extended(...extensions: readonly Buffer[]): { readonly request: string } {
    return this.with({ extensions: [this.alternativeName, ...extensions] });
  }

  /** With other alternative names. */
  alternatively(...names: readonly Buffer[]): { readonly request: string } {
    return this.with({ extensions: [extension(oids.subjectAlternativeName, sequence(...names))] });
  }

  /** With its PEM changed. */
  inPem(change: (pem: string) => string): { readonly request: string } {
    const pem = Buffer.from(inBase64(this.der()), 'base64').toString();
    return { request: Buffer.from(change(pem), 'latin1').toString('base64') };
  }

  /** With its DER changed, and no longer signed. */
  inDer(change: (der: Buffer) => Buffer): { readonly request: string } {
    return { request: inBase64(change(this.der())) };
  }
}

/** A name of an alternative name. */
export function generalName(tag: number, content: string | Buffer, constructed = false): Buffer {
  return element(contextTag(tag, constructed), Buffer.from(content));
}
