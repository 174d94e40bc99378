import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linkDependencies } from '../linked-repository.ts';
import { fleetOf } from '../resolve-text.ts';
import { run } from '../../src/cli/run.ts';
import { appliedObjects, filesOf, randomFrom, Repository } from './history.ts';
import { ModelHub } from './model-hub.ts';

const group = 'addon.open-cluster-management.io';
const clusters = ['c1', 'c2', 'c3', 'c4', 'c5'];

/** What a storm did. */
export interface StormResult {
  readonly seed: number;
  readonly accepted: number;
  readonly refused: number;
  /** The refusals by code; `outdated` is the list of differences. */
  readonly reasons: Readonly<Record<string, number>>;
  /** What is wrong: an accepted state that deletes what the hub uses, or a refusal without a reason or a remedy. */
  readonly faults: readonly string[];
  readonly commits: number;
}

/** The sources of an app: a file per object, so that changes of different objects do not conflict. */
function sourcesOf(app: string, value: number): Readonly<Record<string, string>> {
  const immutable = app === 'beta' ? `\n  annotations: { fleetwright.dev/immutable: 'true' }` : '';
  const version = app === 'beta' ? '' : `-${value}`;
  const head = (kind: string, name: string, api = `${group}/v1alpha1`): string =>
    `apiVersion: ${api}\nkind: ${kind}\nmetadata:\n  name: ${name}`;
  return {
    'namespace.yaml': `${head('Namespace', app, 'v1')}\n`,
    'binding.yaml': `${head('ManagedClusterSetBinding', 'global', 'cluster.open-cluster-management.io/v1beta2')}\n  namespace: ${app}\nspec: { clusterSet: global }\n`,
    'placement.yaml': `${head('Placement', 'all', 'cluster.open-cluster-management.io/v1beta1')}\n  namespace: ${app}\nspec: { clusterSets: [global], tolerations: [{ operator: Exists }] }\n`,
    'config.yaml': `${head('AddOnDeploymentConfig', `settings${version}`)}\n  namespace: ${app}${immutable}\nspec: { customizedVariables: [{ name: LEVEL, value: v${value} }] }\n`,
    'template.yaml': `${head('AddOnTemplate', `${app}${version}`)}${immutable}\nspec: { addonName: ${app}, agentSpec: { workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${app}, namespace: open-cluster-management-agent-addon }, data: { v: v${value} } }] } } }\n`,
    'add-on.yaml': addOnOf(app, `${app}${version}`, `settings${version}`, 'all'),
  };
}

function addOnOf(app: string, template: string, config: string, placement: string): string {
  return `apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: ${app}
spec:
  supportedConfigs:
    - { group: ${group}, resource: addontemplates, defaultConfig: { name: ${template} } }
    - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: ${config}, namespace: ${app} } }
  installStrategy:
    type: Placements
    placements:
      - name: ${placement}
        namespace: ${app}
        rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1 } }
`;
}

/** An app in TypeScript with an immutable template and configuration. */
function typeScriptApp(app: string, value: number): string {
  return `import { AddOnDeploymentConfig, AddOnTemplate, App, Chart, ClusterManagementAddOn, ManagedClusterSet, ManagedClusterSetBinding, Placement } from 'fleetwright';
const app = new App();
const chart = new Chart(app, '${app}', { namespace: '${app}' });
new ManagedClusterSetBinding(chart, 'global', { clusterSet: ManagedClusterSet.global });
const all = new Placement(chart, 'all', { clusterSets: [ManagedClusterSet.global] });
const config = new AddOnDeploymentConfig(chart, 'settings', { immutable: true, customizedVariables: { LEVEL: 'v${value}' } });
new ClusterManagementAddOn(chart, '${app}', { placements: [{ placement: all, configs: [config] }] });
export default app;
`;
}

type Change = (repository: Repository, random: () => number) => void;

function isPlain(app: string): boolean {
  return app === 'alpha';
}

/** The edits of sources, which Git merges if they are of different objects. */
const changes: readonly Change[] = [
  (repository, random) => release(repository, 'alpha', Math.floor(random() * 9)),
  (repository, random) => release(repository, 'beta', Math.floor(random() * 9)),
  (repository, random) => {
    const [app, value] = [random() < 0.5 ? 'alpha' : 'beta', Math.floor(random() * 9)];
    if (!isPlain(app))
      repository.write(`apps/${app}/config.yaml`, sourcesOf(app, value)['config.yaml'] ?? '');
    else release(repository, app, value);
  },
  // Another placement, and none of the earlier name.
  (repository, random) => {
    const name = `p${Math.floor(random() * 3)}`;
    for (const app of ['alpha', 'beta'])
      if (random() < 0.6) {
        const text = repository.read(`apps/${app}/add-on.yaml`);
        repository.write(`apps/${app}/add-on.yaml`, text.replace(/- name: .*/, `- name: ${name}`));
        const placement = sourcesOf(app, 0)['placement.yaml'] ?? '';
        repository.write(`apps/${app}/placement.yaml`, placement.replace('name: all', `name: ${name}`));
      }
  },
  // An override of one cluster, or none any more.
  (repository, random) => {
    const file = 'apps/alpha/override.yaml';
    const cluster = clusters[Math.floor(random() * clusters.length)] ?? '';
    if (random() < 0.4) return repository.remove(file);
    repository.write(
      file,
      `apiVersion: ${group}/v1alpha1\nkind: AddOnDeploymentConfig\nmetadata: { name: special-${cluster}, namespace: alpha }\nspec: {}\n---\napiVersion: ${group}/v1alpha1\nkind: ManagedClusterAddOn\nmetadata: { name: alpha, namespace: ${cluster} }\nspec: { configs: [{ group: ${group}, resource: addondeploymentconfigs, name: special-${cluster}, namespace: alpha }] }\n`,
    );
  },
  (repository, random) => {
    if (filesOf(path.join(repository.folder, 'apps/gamma')).length > 0)
      repository.write('apps/gamma/app.ts', typeScriptApp('gamma', Math.floor(random() * 9)));
    else release(repository, 'beta', Math.floor(random() * 9));
  },
];

function release(repository: Repository, app: string, value: number): void {
  const sources = sourcesOf(app, value);
  for (const file of ['config.yaml', 'template.yaml'])
    repository.write(`apps/${app}/${file}`, sources[file] ?? '');
  if (!isPlain(app)) return;
  const placement = /- name: (.*)/.exec(repository.read(`apps/${app}/add-on.yaml`))?.[1] ?? 'all';
  repository.write(
    `apps/${app}/add-on.yaml`,
    addOnOf(app, `${app}-${value}`, `settings-${value}`, placement),
  );
}

/** One storm over a repository and the model of a hub. */
class Storm {
  readonly repository = new Repository(mkdtempSync(path.join(tmpdir(), 'fleetwright-storm-')));
  readonly random: () => number;
  readonly engine: 'argocd' | 'flux';
  readonly hub: ModelHub;
  readonly faults: string[] = [];
  readonly reasons: Record<string, number> = {};
  readonly log: string[] = [];
  accepted = 0;
  refused = 0;

  readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
    this.random = randomFrom(seed);
    this.engine = seed % 2 === 0 ? 'argocd' : 'flux';
    this.hub = new ModelHub(clusters, this.engine);
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }

  async command(...parameters: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await run(parameters, {
      cwd: this.repository.folder,
      now: () => Date.parse('2026-06-01T00:00:00Z'),
      readInput: () => Promise.resolve(Buffer.alloc(0)),
      out: (text) => (out += text),
      err: (text) => (err += text),
      color: false,
    });
    return { code, out, err };
  }

  async begin(): Promise<void> {
    const { repository } = this;
    repository.write('fleetwright.yaml', `engine: ${this.engine}\n`);
    repository.write('fleet.yaml', fleetOf(Object.fromEntries(clusters.map((cluster) => [cluster, {}]))));
    for (const app of ['alpha', 'beta'])
      for (const [file, text] of Object.entries(sourcesOf(app, 0)))
        repository.write(`apps/${app}/${file}`, text);
    repository.write('.gitignore', 'node_modules\n');
    if (this.seed % 10 === 0) linkDependencies(repository.folder);
    if (this.seed % 10 === 0) repository.write('apps/gamma/app.ts', typeScriptApp('gamma', 0));
    else
      for (const [file, text] of Object.entries(sourcesOf('gamma', 0)))
        repository.write(`apps/gamma-yaml/${file}`, text.replaceAll('gamma', 'gamma-yaml'));
    const { code, err } = await this.command('synth');
    if (code !== 0) throw new Error(err);
    repository.commit('first');
    this.sync();
  }

  /** The state of the working tree is a candidate for the branch, after `base`. */
  async offer(base: string, what: string): Promise<void> {
    const { repository } = this;
    const check = await this.command('synth', '--check', '--base', base);
    if (check.code === 0) return this.accept(what);
    this.refused += 1;
    const codes = [...check.err.matchAll(/^error (FW\d+)/gm)].map(([, code = '']) => code);
    // A revert of the first commit leaves no workspace.
    const isGone = check.err.startsWith('fleetwright: no folder apps\n');
    for (const code of new Set(codes.length > 0 ? codes : [isGone ? 'no workspace' : 'outdated']))
      this.reasons[code] = (this.reasons[code] ?? 0) + 1;
    if (codes.length === 0 && !isGone && !check.err.includes('run synth'))
      this.fault(`${what}: refused without a reason: ${check.err}`);
    if (codes.some((code) => code.startsWith('FW915')) && !check.err.includes('fleetwright synth'))
      this.fault(`${what}: refused without a remedy`);
    // The one command that mends it.
    const mended = await this.command('synth', '--base', base);
    if (mended.code !== 0) {
      repository.git('reset', '--quiet', '--hard', base);
      repository.git('clean', '-fdq');
      return;
    }
    repository.commit(`mend ${what}`);
    const again = await this.command('synth', '--check', '--base', base);
    if (again.code !== 0) this.fault(`${what}: refused again after synth: ${again.err}${again.out}`);
    else this.accept(`${what}, mended`);
  }

  accept(what: string): void {
    this.accepted += 1;
    this.log.push(what);
    // An engine misses commits, and a rollout is always under way.
    if (this.random() < 0.7) this.sync();
    if (this.random() < 0.5) this.hub.advance(Math.floor(this.random() * clusters.length));
  }

  sync(): void {
    const wrong = this.hub.sync(appliedObjects(path.join(this.repository.folder, 'dist')));
    if (wrong.length > 0) this.fault(`deletes what the hub uses: ${wrong.join(', ')}`);
    const missing = this.hub.missing();
    if (missing.length > 0) this.fault(`the hub lacks what clusters use: ${missing.join(', ')}`);
  }

  fault(text: string): void {
    this.faults.push(`seed ${this.seed}, after ${this.log.slice(-4).join(' > ')}: ${text}`);
  }

  async change(message: string): Promise<void> {
    this.pick(changes)(this.repository, this.random);
    // Some forget to compile.
    if (this.random() < 0.9) await this.command('synth');
    this.repository.commit(message);
  }

  async step(number: number): Promise<void> {
    const { repository } = this;
    const base = repository.head;
    const kind = this.random();
    const count = kind < 0.25 || kind >= 0.86 ? 0 : repository.length;
    const back = (most: number): string => `HEAD~${Math.min(count - 1, Math.floor(this.random() * most))}`;
    if (kind < 0.25) {
      await this.change(`change ${number}`);
      return await this.offer(base, 'change');
    }
    if (kind < 0.5) {
      const isSquash = kind > 0.4;
      repository.git('checkout', '--quiet', '-B', 'topic', back(4));
      for (let index = 0; index <= Math.floor(this.random() * 3); index++)
        await this.change(`topic ${number}.${index}`);
      repository.git('checkout', '--quiet', 'main');
      const merged = isSquash
        ? repository.try('merge', '--squash', 'topic')
        : repository.try('merge', '--no-edit', '--no-ff', 'topic');
      if (!merged) {
        // A team takes one side of its sources, and may leave the output to synth.
        repository.try('checkout', this.pick(['--ours', '--theirs']), '--', 'apps');
        repository.try('add', 'apps');
        if (this.random() < 0.7) await this.command('synth');
      }
      repository.commit(isSquash ? `squash ${number}` : `merge ${number}`);
      return await this.offer(base, isSquash ? 'squash' : 'merge');
    }
    if (kind < 0.65 && count > 1) {
      const target = back(3);
      const isMerge = repository.git('rev-list', '--parents', '-n', '1', target).split(' ').length > 2;
      if (!repository.try('revert', '--no-edit', ...(isMerge ? ['-m', '1'] : []), target)) {
        repository.try('revert', '--abort');
        repository.git('reset', '--quiet', '--hard', base);
      } else repository.commits += 1;
      return await this.offer(base, 'revert');
    }
    if (kind < 0.72 && count > 2) {
      const commits = repository.git('log', '--all', '--no-merges', '--format=%H', '-n', '20').split('\n');
      if (!repository.try('cherry-pick', this.pick(commits))) {
        repository.try('cherry-pick', '--abort');
        repository.git('reset', '--quiet', '--hard', base);
      } else repository.commits += 1;
      return await this.offer(base, 'cherry-pick');
    }
    if (kind < 0.79 && count > 2) {
      repository.git('reset', '--quiet', '--hard', back(4));
      return await this.offer(base, 'force-push');
    }
    if (kind < 0.86 && count > 2) {
      repository.try('checkout', back(5), '--', 'dist');
      repository.commit(`restore dist ${number}`);
      return await this.offer(base, 'restored dist');
    }
    const files = filesOf(path.join(repository.folder, 'dist')).map((file) =>
      path.relative(repository.folder, file),
    );
    const file = this.pick(files);
    const text = repository.read(file);
    this.pick([
      () => repository.remove(file),
      () => repository.write(file, `${text}# by hand\n`),
      () => repository.write(file, text.replace(/Prune=false|disabled/g, 'Other')),
      () => repository.write(file, `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> topic\n`),
    ])();
    repository.commit(`hand edit ${number}`);
    return await this.offer(base, `hand edit of ${path.basename(file)}`);
  }
}

/** Plays a random history of 10 to 40 commits. */
export async function storm(seed: number): Promise<StormResult> {
  const run = new Storm(seed);
  try {
    await run.begin();
    const length = 10 + Math.floor(run.random() * 31);
    const { repository } = run;
    for (let number = 1; repository.commits < length; number++) await run.step(number);
    const { accepted, refused, reasons, faults } = run;
    return { seed, accepted, refused, reasons, faults, commits: repository.commits };
  } finally {
    run.repository.close();
  }
}
