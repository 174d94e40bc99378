import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as plus from 'cdk8s-plus-27';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AddOnTemplate,
  App,
  Chart,
  Duration,
  Size,
  Variable,
  type WorkloadBuilder,
} from '../../constructs/index.ts';
import { formatted, lintFaults, typeFaults } from './checked.ts';
import { emittedFrom, importText, synthesized, writeApp } from './imported.ts';

const root = path.resolve(import.meta.dirname, '../..');
let folder = '';
let count = 0;

beforeAll(async () => {
  // Beside build/, which other tests pack meanwhile.
  await mkdir(path.join(root, 'scratch'), { recursive: true });
  folder = await mkdtemp(path.join(root, 'scratch/workloads-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Manifest = Readonly<Record<string, unknown>>;

function template(manifests: readonly unknown[], addonName = 'greeter'): string {
  const metadata = { name: 'greeter-1.0.0' };
  const spec = { addonName, agentSpec: { workload: { manifests } } };
  return stringify(
    { apiVersion: 'addon.open-cluster-management.io/v1alpha1', kind: 'AddOnTemplate', metadata, spec },
    { aliasDuplicateObjects: false },
  );
}

/** The app of a template, which gives the template again. */
async function roundTrip(text: string): Promise<string> {
  const { app, diagnostics } = importText(text);
  if (app === undefined) throw new Error(JSON.stringify(diagnostics));
  const own = path.join(folder, String(count++));
  await writeApp(own, app);
  expect(Object.fromEntries(await synthesized(own, app))).toStrictEqual(
    Object.fromEntries(emittedFrom(text)),
  );
  expect(app.files).toStrictEqual(await formatted(app.files));
  return app.files.get('app.ts') ?? '';
}

/** The body of the function that creates the workload. */
function body(code: string): string {
  const [, inside = ''] = /workload: \(scope\) => \{\n(.*?)\n {2}\},\n/s.exec(code) ?? [];
  return inside.replaceAll(/^ {4}/gm, '');
}

const namespace = 'open-cluster-management-agent-addon';

function object(apiVersion: string, kind: string, name: string, fields: object, own: object = { namespace }) {
  return { apiVersion, kind, metadata: { name, ...own }, ...fields };
}

const rbac = 'rbac.authorization.k8s.io';

const container = {
  name: 'agent',
  image: 'quay.io/example/greeter:1.0.0',
  ports: [{ containerPort: 8080, hostIP: '10.0.0.1' }],
  envFrom: [{ configMapRef: { name: 'settings' } }],
  env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } }],
  resources: { requests: { cpu: '10m', memory: 67_108_864 } },
  livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
};

const byHand: readonly Manifest[] = [
  object('v1', 'Namespace', namespace, {}, {}),
  object('v1', 'ServiceAccount', 'greeter', {}),
  object('v1', 'ConfigMap', 'settings', { data: { LEVEL: '{{LEVEL}}' } }),
  object('v1', 'Secret', 'token', { stringData: { token: 't' } }),
  object(`${rbac}/v1`, 'ClusterRole', 'greets', { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }, {}),
  object(
    `${rbac}/v1`,
    'ClusterRoleBinding',
    'greets',
    {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'greets' },
      subjects: [{ kind: 'ServiceAccount', name: 'greeter', namespace }],
    },
    {},
  ),
  object('apps/v1', 'Deployment', 'greeter', {
    spec: {
      selector: { matchLabels: { app: 'greeter' } },
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
      template: {
        metadata: { labels: { app: 'greeter' } },
        spec: {
          serviceAccountName: 'greeter',
          hostPID: true,
          containers: [{ ...container, volumeMounts: [{ name: 'settings', mountPath: '/etc/greeter' }] }],
          volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
        },
      },
    },
  }),
  object('v1', 'Service', 'greeter', {
    spec: { clusterIP: 'None', selector: { app: 'greeter' }, ports: [{ port: 80, targetPort: 'http' }] },
  }),
  object('batch/v1', 'CronJob', 'tidy', {
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    },
  }),
  object('apps/v1', 'StatefulSet', 'store', {
    spec: {
      serviceName: 'greeter',
      selector: { matchLabels: { app: 'store' } },
      template: { metadata: { labels: { app: 'store' } }, spec: { containers: [container] } },
      volumeClaimTemplates: [
        { metadata: { name: 'd' }, spec: { resources: { requests: { storage: '1Gi' } } } },
      ],
    },
  }),
  object('networking.k8s.io/v1', 'NetworkPolicy', 'greeter', {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 'http' }, { port: 8080 }] }] },
  }),
  object('policy/v1', 'PodDisruptionBudget', 'greeter', { spec: { minAvailable: '50%' } }),
];

/** The workload of an app, as synth emitted it. */
async function emittedWorkload(
  app: string,
  file: string,
): Promise<{ addonName: string; manifests: Manifest[] }> {
  const text = await readFile(path.join(root, 'dist', app, file), 'utf8');
  const { spec } = parse(text) as {
    spec: { addonName: string; agentSpec: { workload: { manifests: Manifest[] } } };
  };
  return { addonName: spec.addonName, manifests: spec.agentSpec.workload.manifests };
}
/** The workload that constructs give. */
function constructed(build: WorkloadBuilder): Manifest[] {
  const owner = new AddOnTemplate(new Chart(new App(), 'hub'), 'greeter', {
    addonName: 'greeter',
    workload: build,
  });
  return owner.workload.manifests();
}

// The casts are because cdk8s-plus does not compile with exactOptionalPropertyTypes.
const withEverything = constructed((scope) => {
  const settings = new plus.ConfigMap(scope, 'settings', { data: { LEVEL: Variable.custom('LEVEL') } });
  const token = new plus.Secret(scope, 'token', { stringData: { token: 't' } });
  const account = new plus.ServiceAccount(scope, 'greeter', { automountToken: true });
  const role = new plus.Role(scope, 'greets', { metadata: { labels: { a: 'b' } } });
  role.allowRead(
    plus.ApiResource.PODS,
    plus.ApiResource.custom({ apiGroup: 'x.io', resourceType: 'greetings' }),
  );
  const binding = new plus.RoleBinding(scope, 'greets-pods', { role: role as plus.IRole });
  binding.addSubjects(account, plus.User.fromName(scope, 'me', 'me'), plus.Group.fromName(scope, 'us', 'us'));
  const elsewhere = plus.ServiceAccount.fromServiceAccountName(scope, 'x', 'x', { namespaceName: 'y' });
  new plus.ClusterRoleBinding(scope, 'views', {
    role: plus.ClusterRole.fromClusterRoleName(scope, 'view', 'view'),
  }).addSubjects(elsewhere);
  const shared = plus.Volume.fromEmptyDir(scope, 'shared', 'shared', { medium: plus.EmptyDirMedium.MEMORY });
  const deployment = new plus.Deployment(scope, 'greeter-agent', {
    replicas: 3,
    strategy: plus.DeploymentStrategy.recreate(),
    serviceAccount: account as plus.IServiceAccount,
    podMetadata: { labels: { app: 'greeter' }, annotations: { note: 'x' } },
    hostNetwork: true,
    dns: { policy: plus.DnsPolicy.CLUSTER_FIRST_WITH_HOST_NET, hostname: 'greeter' },
    securityContext: { user: 1000, fsGroup: 2000 },
    dockerRegistryAuth: plus.Secret.fromSecretName(scope, 'pull', 'pull'),
    terminationGracePeriod: Duration.seconds(5),
    volumes: [
      plus.Volume.fromSecret(scope, 'spare', token as plus.ISecret, {
        name: 'spare',
        items: { token: { path: 't' } },
      }),
    ],
    initContainers: [
      { name: 'prepare', image: 'prepare:1', volumeMounts: [{ path: '/shared', volume: shared }] },
    ],
    containers: [
      {
        image: 'greeter:1',
        command: ['greet'],
        workingDir: '/greeter',
        ports: [{ number: 8080, name: 'http', protocol: plus.Protocol.TCP }],
        envFrom: [
          plus.Env.fromConfigMap(settings as plus.IConfigMap, 'P_'),
          plus.Env.fromSecret(token as plus.ISecret),
        ],
        envVariables: {
          LEVEL: plus.EnvValue.fromConfigMap(settings as plus.IConfigMap, 'LEVEL'),
          TOKEN: token.envValue('token', { optional: true }),
          POD: plus.EnvValue.fromFieldRef(plus.EnvFieldPaths.POD_NAME),
        },
        resources: { cpu: { request: plus.Cpu.millis(10) }, memory: { limit: Size.mebibytes(64) } },
        securityContext: { user: 1000, readOnlyRootFilesystem: false },
        liveness: plus.Probe.fromHttpGet('/healthz', { port: 8080, periodSeconds: Duration.seconds(3) }),
        readiness: plus.Probe.fromCommand(['ready'], { failureThreshold: 5 }),
        startup: plus.Probe.fromTcpSocket({ port: 8080 }),
        volumeMounts: [{ path: '/shared', volume: shared, readOnly: true, subPath: 'greeter' }],
      },
    ],
  });
  new plus.Service(scope, 'greeter-service', {
    selector: deployment,
    type: plus.ServiceType.NODE_PORT,
    ports: [{ port: 80, targetPort: 8080 }],
  });
  new plus.Job(scope, 'tidy', {
    backoffLimit: 2,
    ttlAfterFinished: Duration.hours(1),
    containers: [{ image: 'tidy:1', resources: {} }],
  });
});

const logForwarder = await emittedWorkload('log-forwarder', 'addontemplate_log-forwarder-0.1.0.yaml');

describe('output of cdk8s-plus', () => {
  test('becomes its constructs again, which take one another', async () => {
    const { manifests, addonName } = logForwarder;
    const code = body(await roundTrip(template(manifests, addonName)));

    expect([...code.matchAll(/new kplus\.([\w.]+)\(/g)].map(([, name]) => name)).toEqual([
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'ConfigMap',
      'DaemonSet',
    ]);
    expect(code).toContain('{ role: logForwarderReader }).addSubjects(\n  logForwarder,\n);');
    expect(code).toContain('serviceAccount: logForwarder,');
    expect(code).toContain(
      "kplus.Volume.fromConfigMap(scope, 'configmap-log-forwarder-config', logForwarderConfig)",
    );
  });

  test('becomes constructs with everything that they can express', async () => {
    const code = body(await roundTrip(template(withEverything)));

    expect(code).not.toContain('k8s.');
    expect(code).not.toContain('ApiObject');
    expect(code).toContain('selector: greeterAgent,');
    expect(code).toContain(
      "const sharedVolume = kplus.Volume.fromEmptyDir(scope, 'shared', 'shared', {\n  medium: kplus.EmptyDirMedium.MEMORY,\n});",
    );
    expect(code).toContain("envFrom: [new kplus.EnvFrom(settings, 'P_'), kplus.Env.fromSecret(token)]");
    expect(code).toContain(
      "liveness: kplus.Probe.fromHttpGet('/healthz', { port: 8080, periodSeconds: Duration.seconds(3) })",
    );
  });

  test('is only typed if it was changed manually', async () => {
    const { manifests, addonName } = logForwarder;
    const changed = manifests.map((manifest) =>
      manifest['kind'] === 'DaemonSet'
        ? parse(stringify(manifest).replace('hostNetwork: false', 'hostPID: true'))
        : manifest,
    );
    const code = body(await roundTrip(template(changed, addonName)));

    expect(code).toContain("new kplus.k8s.KubeDaemonSet(scope, 'log-forwarder-nodes', {");
    expect(code).toContain('hostPid: true,');
    expect(code).toContain('serviceAccountName: logForwarder.name,');
    expect(code).toContain('configMap: { name: logForwarderConfig.name }');
  });
});

describe('fields that users wrote', () => {
  test('is typed, and its objects refer to one another', async () => {
    const code = body(await roundTrip(template(byHand)));

    expect([...code.matchAll(/new ([\w.]+)\(/g)].map(([, name]) => name)).toEqual([
      'kplus.k8s.KubeNamespace',
      'kplus.k8s.KubeServiceAccount',
      'kplus.k8s.KubeConfigMap',
      'kplus.k8s.KubeSecret',
      'kplus.k8s.KubeClusterRole',
      'kplus.k8s.KubeClusterRoleBinding',
      'kplus.k8s.KubeDeployment',
      'kplus.k8s.KubeService',
      'kplus.k8s.KubeCronJob',
      'kplus.k8s.KubeStatefulSet',
      'kplus.k8s.KubeNetworkPolicy',
      'kplus.k8s.KubePodDisruptionBudget',
    ]);
    expect(code).toContain("rules: [{ nonResourceUrLs: ['/x'], verbs: ['get'] }]");
    expect(code).toContain(
      "roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: greets.name }",
    );
    expect(code).toContain('name: greeter.name');
    expect(code).toContain('envFrom: [{ configMapRef: { name: settings.name } }]');
    expect(code).toContain("secretKeyRef: { name: token.name, key: 'token' }");
    expect(code).toContain('memory: kplus.k8s.Quantity.fromNumber(67108864)');
    expect(code).toContain("maxUnavailable: kplus.k8s.IntOrString.fromString('25%')");
    expect(code).toContain("data: { LEVEL: Variable.custom('LEVEL') }");
  });

  test('is named after its kind if its name is not a valid id', async () => {
    const manifests = [
      object('v1', 'Namespace', '{{INSTALL_NAMESPACE}}', {}, {}),
      object('v1', 'ServiceAccount', 'greeter', {}),
      object('apps/v1', 'DaemonSet', 'greeter', { spec: { selector: {}, template: {} } }),
    ];
    expect(body(await roundTrip(template(manifests)))).toBe(`\
new kplus.k8s.KubeNamespace(scope, 'namespace', { metadata: { name: Variable.installNamespace } });

new kplus.k8s.KubeServiceAccount(scope, 'greeter');

new kplus.k8s.KubeDaemonSet(scope, 'greeter-daemon-set', {
  metadata: { name: 'greeter' },
  spec: { selector: {}, template: {} },
});`);
  });

  test('is an ApiObject if cdk8s-plus does not have the kind or a field', async () => {
    const manifests = [
      object('example.com/v1', 'Greeting', 'hello', { text: 'hello' }),
      object('v1', 'Service', 'late', { spec: { trafficDistribution: 'PreferClose' } }),
      object('apps/v1', 'Deployment', 'counted', {
        spec: { replicas: '{{REPLICAS}}', selector: {}, template: {} },
      }),
    ];
    const code = body(await roundTrip(template(manifests)));

    expect(code).toContain(
      "new ApiObject(scope, 'hello', { apiVersion: 'example.com/v1', kind: 'Greeting', text: 'hello' });",
    );
    expect(code).toContain("new ApiObject(scope, 'late', {");
    expect(code).toContain("new ApiObject(scope, 'counted', {");
  });
});

describe('any manifest', () => {
  const seeds = [byHand, logForwarder.manifests, withEverything];
  const strange = fc.constantFrom('x', '{{X}}', '', 0, 1, 7, true, false, null, [], {}, ['x'], [{}], {
    x: 'x',
  });

  interface Change {
    readonly at: number;
    readonly value: unknown;
    readonly isRemoval: boolean;
  }

  /** Changes one of the values in a manifest, but none that says which object it is. */
  function changed(manifest: Manifest, { at, value, isRemoval }: Change): Manifest {
    const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = [];
    const copy = structuredClone(manifest) as Record<string, unknown>;
    const visit = (holder: Record<string, unknown>): void => {
      for (const [key, inner] of Object.entries(holder)) {
        if (holder === copy && ['apiVersion', 'kind', 'metadata'].includes(key)) continue;
        places.push({ holder, key });
        if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>);
      }
    };
    visit(copy);
    const place = places[at % Math.max(1, places.length)];
    if (place === undefined) return copy;
    if (isRemoval && !Array.isArray(place.holder)) delete place.holder[place.key];
    else place.holder[place.key] = value;
    return copy;
  }

  test('is the same after import and synth', async () => {
    const change = fc.record({
      object: fc.nat({ max: 20 }),
      at: fc.nat({ max: 200 }),
      value: strange,
      isRemoval: fc.boolean(),
    });
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...seeds), changes, async (seed, all) => {
        let manifests: readonly Manifest[] = seed;
        for (const { object, ...one } of all) {
          const chosen = object % seed.length;
          manifests = manifests.map((manifest, index) =>
            index === chosen ? changed(manifest, one) : manifest,
          );
        }
        const addonName = seed === logForwarder.manifests ? logForwarder.addonName : 'greeter';
        await expect(roundTrip(template(manifests, addonName))).resolves.toBeTypeOf('string');
      }),
      { numRuns: 60, endOnFailure: true },
    );
  }, 120_000);
});

test('all of this passes the type check and the lint', async () => {
  expect(count).toBeGreaterThan(40);
  expect(await typeFaults(folder)).toBe('');
  expect(await lintFaults(folder)).toBe('');
}, 120_000);
