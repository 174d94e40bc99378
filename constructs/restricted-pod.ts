/** Limits and requests of a container, such as `{ memory: '128Mi' }`. */
export interface PodResources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** The settings of a pod that the `restricted` Pod Security Standard requires. The Dockerfile sets the user. */
export const restrictedPod = {
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  seccompProfile: { type: 'RuntimeDefault' },
} as const;

/** The settings of a container that the `restricted` Pod Security Standard requires, and a read-only file system. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
} as const;

/** The port where the controllers serve `/healthz`, `/readyz` and `/metrics`. */
export const operationPort = 8080;

/** The probes of a controller, and their port. */
export const operationProbes = {
  ports: [{ name: 'metrics', containerPort: operationPort }],
  livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' }, periodSeconds: 20, timeoutSeconds: 5 },
  readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' }, periodSeconds: 10, timeoutSeconds: 5 },
} as const;
