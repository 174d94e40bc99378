import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/*
 * The fields that constructs of cdk8s-plus can express, with the names of manifests. `typedObject` has verified the types of all
 * present fields. No construct can express a field that is not listed here.
 */

export interface PodSpec {
  readonly restartPolicy?: string;
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly hostNetwork?: boolean;
  readonly dnsPolicy?: string;
  readonly setHostnameAsFQDN?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
}

export interface PodSecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly fsGroupChangePolicy?: string;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly fsGroup?: number;
}

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: PodSpec;
}

export interface WorkloadObject extends KubernetesObject {
  readonly spec?: {
    readonly template?: PodTemplate;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  };
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvVariable[];
  readonly envFrom?: readonly EnvSource[];
  readonly ports?: readonly ContainerPort[];
  readonly resources?: Resources;
  readonly securityContext?: SecurityContext;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

export interface EnvVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly configMapKeyRef?: KeySelector;
    readonly secretKeyRef?: KeySelector;
  };
}

interface KeySelector {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string };
  readonly secretRef?: { readonly name?: string };
}

export interface ContainerPort {
  readonly containerPort: number;
  readonly name?: string;
  readonly protocol?: string;
  readonly hostPort?: number;
}

export interface Resources {
  readonly limits?: Readonly<Record<string, string | number>>;
  readonly requests?: Readonly<Record<string, string | number>>;
}

export interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly privileged?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly subPath?: string;
}

export interface Volume {
  readonly name: string;
  readonly configMap?: FileSource & { readonly name?: string };
  readonly secret?: FileSource & { readonly secretName?: string };
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string | number };
  readonly hostPath?: { readonly path: string; readonly type?: string };
}

export interface FileSource {
  readonly defaultMode?: number;
  readonly optional?: boolean;
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number }[];
}

export interface Probe {
  readonly failureThreshold?: number;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly timeoutSeconds?: number;
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: { readonly path?: string; readonly port: number | string; readonly scheme?: string };
  readonly tcpSocket?: { readonly port: number | string };
}

export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

export interface RoleObject extends KubernetesObject {
  readonly rules?: readonly PolicyRule[];
}

export interface BindingObject extends KubernetesObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  }[];
}

export interface ServiceObject extends KubernetesObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly {
      readonly port: number;
      readonly targetPort?: number | string;
      readonly name?: string;
      readonly protocol?: string;
      readonly nodePort?: number;
    }[];
  };
}
