import type { AddOnTemplateV1alpha1RegistrationSpec } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { HubPermission } from './hub-permission.ts';

/** The access of an agent to the hub's API server. */
export interface KubeClientOptions {
  /**
   * The permissions of the agent on the hub.
   *
   * @default - none
   */
  readonly hubPermissions?: readonly HubPermission[];
}

/** The subject of an agent's certificate. */
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
   * The organizational units.
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
   * The Secret on the hub with the authority's `tls.crt` and `tls.key`. The key must be an RSA key, and the
   * addon-manager must be allowed to read the Secret. Without a namespace, the Secret is read from the
   * addon-manager's own namespace.
   */
  readonly signingCA: { readonly name: string; readonly namespace?: string };

  /**
   * The subject of the certificate.
   *
   * @default - a user and groups with the names of the cluster and the add-on
   */
  readonly subject?: CertificateSubject;
}

/**
 * A credential of an add-on's agent. It is mounted into containers under `/managed`.
 *
 * @example
 * Registration.customSigner({
 *   signerName: 'example.com/hello',
 *   signingCA: { name: 'hello-ca', namespace: 'hello' },
 * });
 *
 * @see https://open-cluster-management.io/docs/developer-guides/addon/#registering-your-add-on
 */
export class Registration {
  /** Returns the registration of a kubeconfig for the hub, in the Secret `<add-on>-hub-kubeconfig`. */
  static kubeClient(options: KubeClientOptions = {}): Registration {
    const hubPermissions = unlessEmpty((options.hubPermissions ?? []).map(({ permission }) => permission));
    return new Registration({ type: 'KubeClient', kubeClient: defined({ hubPermissions }) });
  }

  /** Returns the registration of a certificate, in the Secret `<add-on>-<signer>-client-cert`. */
  static customSigner({ signerName, signingCA, subject }: CustomSignerOptions): Registration {
    const customSigner = defined({ signerName, signingCA, subject: subject && toSubject(subject) });
    return new Registration({ type: 'CustomSigner', customSigner });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'Registration';

  /**
   * Returns the registration as written in an AddOnTemplate.
   *
   * @internal
   */
  readonly registration: AddOnTemplateV1alpha1RegistrationSpec;

  private constructor(registration: AddOnTemplateV1alpha1RegistrationSpec) {
    this.registration = registration;
  }
}

function toSubject({ user, groups, organizationUnits }: CertificateSubject) {
  return defined({ user, groups, organizationUnit: organizationUnits });
}
