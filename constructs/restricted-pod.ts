/** Limits and requests of a container, such as `{ memory: '128Mi' }`. */
export interface PodResources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** What the `restricted` Pod Security Standard asks of a pod. The user is that of the Dockerfile. */
export const restrictedPod = {
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  seccompProfile: { type: 'RuntimeDefault' },
} as const;

/** What the `restricted` Pod Security Standard asks of a container, and a file system that nobody writes to. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
} as const;

/** Where the controllers serve `/healthz`, `/readyz` and `/metrics`. */
export const operationPort = 8080;

/** The probes of a controller, and the port that they ask. */
export const operationProbes = {
  ports: [{ name: 'metrics', containerPort: operationPort }],
  livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' }, periodSeconds: 20, timeoutSeconds: 5 },
  readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' }, periodSeconds: 10, timeoutSeconds: 5 },
} as const;
