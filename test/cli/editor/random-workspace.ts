import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Random } from '../../hub/differential/random.ts';
import { commitAll } from './editor.ts';

const environments = ['dev', 'staging', 'prod'];
const api = 'addon.open-cluster-management.io/v1alpha1';

/** What can differ in the objects of an app. One edit of a value changes one of them. */
const choices = {
  env: ['dev', 'staging', 'prod', 'prdo'],
  number: ['numberOfClusters: 2', 'numberOfClusters: 1', 'numberOfCluster: 2', ''],
  level: ['info', 'debug', '"{{NAME}}"', '"1"'],
  ownLevel: ['trace', 'info'],
  placement: ['some', 'some', 'some', 'smoe'],
  config: ['settings', 'settings', 'setings'],
  immutable: ['', '', 'annotations: { fleetwright.dev/immutable: "true" }'],
  message: ['{{LEVEL}} on {{CLUSTER_NAME}}', 'fixed', '{{LEVL}}'],
  namespace: ['agents', 'agents', 'default', 'other'],
  strategy: [
    '',
    'rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 50% } }',
    'rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1, maxFailures: 9 } }',
    'rolloutStrategy: { type: ProgressivePerGroup }',
  ],
  delivery: ['', '', '', 'fleetwright.dev/delivery: compiled'],
  requires: ['', '', 'fleetwright.dev/requires: one'],
  override: ['', 'c0', 'c1', 'c9'],
  twin: ['', 'twin'],
  comment: ['', '# a comment\n', '# two\n# lines\n'],
  order: ['written', 'reversed'],
} as const;

type Choices = { -readonly [K in keyof typeof choices]: (typeof choices)[K][number] };

function randomChoices(random: Random): Choices {
  return Object.fromEntries(
    Object.entries(choices).map(([name, values]) => [name, random.pick<string>(values)]),
  ) as Choices;
}

/** Returns the text of an app, some of whose objects are wrong. */
function appText(app: string, chosen: Choices): string {
  const { order, comment } = chosen;
  const documents = objectsOf(app, chosen);
  return comment + (order === 'reversed' ? documents.toReversed() : documents).join(`---\n${comment}`);
}

function objectsOf(app: string, chosen: Choices): string[] {
  const { env, number, level, ownLevel, immutable, message, namespace, override, twin } = chosen;
  return [
    `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${app} }
spec: { clusterSet: global }
`,
    `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: some, namespace: ${app} }
spec:
  ${number}
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${env} } } } }]
`,
    `apiVersion: ${api}
kind: AddOnDeploymentConfig
metadata: { name: settings, namespace: ${app}, ${immutable} }
spec: { customizedVariables: [{ name: LEVEL, value: ${level} }] }
`,
    `apiVersion: ${api}
kind: AddOnTemplate
metadata: { name: ${app}-template }
spec:
  addonName: ${app}
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: settings, namespace: ${namespace} }
          data: { message: '${message}' }
`,
    addOnText(app, app, chosen),
    ...(twin === '' ? [] : [addOnText(`${app}-twin`, app, chosen)]),
    ...(override === ''
      ? []
      : [
          `apiVersion: ${api}
kind: AddOnDeploymentConfig
metadata: { name: own, namespace: ${app} }
spec: { customizedVariables: [{ name: LEVEL, value: ${ownLevel} }] }
`,
          `apiVersion: ${api}
kind: ManagedClusterAddOn
metadata: { name: ${app}, namespace: ${override} }
spec: { configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, name: own, namespace: ${app} }] }
`,
        ]),
  ];
}

/** Returns an add-on with the template and the configuration of an app. */
function addOnText(
  name: string,
  app: string,
  { config, placement, strategy, delivery, requires }: Choices,
): string {
  const annotations = [delivery, requires].filter((each) => each !== '').join(', ');
  return `apiVersion: ${api}
kind: ClusterManagementAddOn
metadata: { name: ${name}, annotations: { ${annotations} } }
spec:
  supportedConfigs:
    - group: addon.open-cluster-management.io
      resource: addontemplates
      defaultConfig: { name: ${app}-template }
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      defaultConfig: { name: ${config}, namespace: ${app} }
  installStrategy:
    type: Placements
    placements:
      - name: ${placement}
        namespace: ${app}
        ${strategy}
`;
}

function fleetText(random: Random): string {
  const clusters = Array.from({ length: random.between(0, 5) }, (_, index) => {
    const env = random.pick(environments);
    const status = random.chance(0.8)
      ? `status: { version: { kubernetes: v1.33.4 }, conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-0${random.between(1, 2)}T00:00:00Z" }] }\n`
      : '';
    return `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c${index}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
${status}`;
  });
  return clusters.join('---\n');
}

const settings = [
  '{}\n',
  '{}\n',
  'hubVersion: "1.2"\n',
  'hubVersion: "1.4"\n',
  'hubVersions: 1\n',
  'external: [{ kind: Namespace, name: agents }, { kind: Placement, namespace: one, name: smoe }]\n',
  'findings: { severity: { FW7101: error, FW7203: "off" } }\n',
  'sensitive: { variables: [LEVEL] }\n',
  'hubs: { east: { fleet: fleet.yaml }, west: { fleet: fleet.yaml, hubVersion: "1.2" } }\n',
];

/** Shows texts in an editor; undefined closes a file. */
export interface Shown {
  readonly show: (file: string, text: string | undefined) => void;
}

/** A workspace that is edited at random: as text in an editor, on disk, and in Git. */
export class RandomWorkspace {
  readonly #folder: string;
  readonly #random: Random;
  readonly #apps = new Map<string, Choices>();
  readonly #files = new Map([
    ['one', 'apps/one/objects.yaml'],
    ['two', 'apps/two/objects.yaml'],
  ]);
  /** The texts that the editor shows, by file. */
  readonly shown = new Map<string, string>();

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
    this.#save('fleetwright.yaml', '{}\n');
    this.#save('fleet.yaml', fleetText(random));
    for (const [app, file] of this.#files) {
      this.#apps.set(app, randomChoices(random));
      this.#save(file, this.#textOf(app));
    }
    if (random.chance(0.8)) commitAll(folder);
  }

  /** Makes one edit. @returns what it did */
  edit(editor: Shown): string {
    const [app, file] = this.#random.pick([...this.#files]);
    const kind = this.#random.pick([
      'type',
      'type',
      'type',
      'type',
      'save',
      'save',
      'remove',
      'more',
      'rename',
      'fleet',
      'settings',
      'commit',
      'reset',
      'close',
    ]);
    const place = path.join(this.#folder, file);
    if (kind === 'type' || kind === 'save') {
      const changed = this.#changeOne(app);
      // An editor shows a file that exists.
      if (kind === 'save' || !existsSync(place)) this.#save(file, this.#textOf(app));
      if (kind === 'type') this.#show(editor, place, this.#textOf(app));
      return `${kind} ${file}: ${changed}`;
    }
    if (kind === 'close') this.#show(editor, place, undefined);
    else if (kind === 'remove') rmSync(place, { force: true });
    else if (kind === 'more') this.#changeMore();
    else if (kind === 'rename') return this.#rename(app, file);
    else if (kind === 'fleet') this.#save('fleet.yaml', fleetText(this.#random));
    else if (kind === 'settings') this.#save('fleetwright.yaml', this.#random.pick(settings));
    else if (kind === 'commit') commitAll(this.#folder);
    else this.#reset();
    return `${kind} ${file}`;
  }

  /** Changes one value in an app, or all of them. */
  #changeOne(app: string): string {
    if (this.#random.chance(0.1)) {
      this.#apps.set(app, randomChoices(this.#random));
      return 'everything';
    }
    const name = this.#random.pick(Object.keys(choices)) as keyof Choices;
    const chosen = { ...this.#apps.get(app), [name]: this.#random.pick<string>(choices[name]) };
    this.#apps.set(app, chosen as Choices);
    return `${name} is ${chosen[name]}`;
  }

  /** Writes or removes a file with namespaces, or one with objects that another file of the app has too. */
  #changeMore(): void {
    const file = 'apps/two/more.yaml';
    const name = this.#random.pick(['agents', 'extra', 'Extra', '']);
    if (name === '') rmSync(path.join(this.#folder, file), { force: true });
    else this.#save(file, `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`);
  }

  #rename(app: string, file: string): string {
    const place = path.join(this.#folder, file);
    const name = this.#random.pick(['objects', 'renamed', 'again']);
    const renamed = path.join(path.dirname(file), `${name}.yaml`);
    if (existsSync(place) && renamed !== file) {
      renameSync(place, path.join(this.#folder, renamed));
      this.#files.set(app, renamed);
    }
    return `rename ${file} to ${renamed}`;
  }

  /** Moves HEAD to the commit before, if there is one. */
  #reset(): void {
    try {
      execFileSync('git', ['reset', '-q', '--soft', 'HEAD~1'], { cwd: this.#folder, stdio: 'ignore' });
    } catch {
      commitAll(this.#folder);
    }
  }

  #textOf(app: string): string {
    const chosen = this.#apps.get(app);
    if (chosen === undefined) throw new Error(`there is no app ${app}`);
    return appText(app, chosen);
  }

  #show(editor: Shown, place: string, text: string | undefined): void {
    if (text === undefined) this.shown.delete(place);
    else this.shown.set(place, text);
    editor.show(place, text);
  }

  #save(file: string, text: string): void {
    const place = path.join(this.#folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
}
