import type { AddOnTemplateV1alpha1RegistrationSpec } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { HubPermission } from './hub-permission.ts';

/** The access of an agent to the API server of the hub. */
export interface KubeClientOptions {
  /**
   * What the agent may do on the hub.
   *
   * @default - nothing
   */
  readonly hubPermissions?: readonly HubPermission[];
}

/** Who the certificate of an agent says that it is. */
export interface CertificateSubject {
  /**
   * The common name.
   *
   * @default - a name with the cluster and the add-on in it
   */
  readonly user?: string;

  /**
   * The organizations.
   *
   * @default - none
   */
  readonly groups?: readonly string[];

  /**
   * The organization units.
   *
   * @default - none
   */
  readonly organizationUnits?: readonly string[];
}

/** Certificates that the hub signs with a certificate authority of the add-on. */
export interface CustomSignerOptions {
  /** The name of the signer: a domain and a path, such as `example.com/helloworld`. */
  readonly signerName: `${string}.${string}/${string}`;

  /**
   * The Secret on the hub with the authority's `tls.crt` and `tls.key`. The key has to be an RSA key, and the
   * addon-manager must be allowed to read the Secret. It is looked for in the addon-manager's own namespace
   * where no other is given.
   */
  readonly signingCA: { readonly name: string; readonly namespace?: string };

  /**
   * Who the certificate says that the agent is.
   *
   * @default - a user and groups with the cluster and the add-on in their names
   */
  readonly subject?: CertificateSubject;
}

/**
 * A credential that the agent of an add-on gets. Containers find it under `/managed`.
 *
 * @see https://open-cluster-management.io/docs/developer-guides/addon/#registering-your-add-on
 */
export class Registration {
  /** A kubeconfig for the hub, in the Secret `<add-on>-hub-kubeconfig`. */
  static kubeClient(options: KubeClientOptions = {}): Registration {
    const hubPermissions = unlessEmpty((options.hubPermissions ?? []).map(({ permission }) => permission));
    return new Registration({ type: 'KubeClient', kubeClient: defined({ hubPermissions }) });
  }

  /** A certificate, in the Secret `<add-on>-<signer>-client-cert`. */
  static customSigner({ signerName, signingCA, subject }: CustomSignerOptions): Registration {
    const customSigner = defined({ signerName, signingCA, subject: subject && toSubject(subject) });
    return new Registration({ type: 'CustomSigner', customSigner });
  }

  /** As an AddOnTemplate writes it. */
  readonly registration: AddOnTemplateV1alpha1RegistrationSpec;

  private constructor(registration: AddOnTemplateV1alpha1RegistrationSpec) {
    this.registration = registration;
  }
}

function toSubject({ user, groups, organizationUnits }: CertificateSubject) {
  return defined({ user, groups, organizationUnit: organizationUnits });
}
