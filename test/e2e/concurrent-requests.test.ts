import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { goJson } from '../../src/base/json/go-json.ts';
import { load } from '../../src/compiler/load/load.ts';
import { resolve, type Resolution } from '../../src/compiler/resolve.ts';
import { hubObjects } from '../../src/compiler/index.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { runIn } from '../cli/terminal.ts';
import { fleetOf } from '../resolve-text.ts';
import { addOn, config, installed, placement, template } from '../compiler/plan/states.ts';
import { Repository } from '../storm/history.ts';

// Two requests start from one base, and each is approved with its own plan. A merge queue merges one after the other, and verifies
// the approval against the base of that moment. REQUEST_PAIRS=1000 runs as many pairs, SEED another sequence.

const pairs = Number(process.env['REQUEST_PAIRS'] ?? 10);
const seed = Number(process.env['SEED'] ?? 1);
const hub = hubVersion('1.3');
const now = Date.parse('2026-06-01T00:00:00Z');

/** A small generator of numbers, so that a seed reproduces a sequence. */
function randomOf(start: number): (below: number) => number {
  let state = start >>> 0 || 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Files = Map<string, string>;

const environments = ['prod', 'stage', 'dev'];

/** One file per object, so that Git merges most pairs. */
function firstState(): Files {
  const files: Files = new Map();
  files.set('fleetwright.yaml', 'guardrails:\n  maxUninstalls: 3\n');
  files.set('fleet/sets.yaml', fleetOf({}));
  for (let index = 1; index <= 8; index++)
    files.set(`fleet/c${index}.yaml`, clusterText(`c${index}`, environments[index % 3] ?? 'dev'));
  files.set('apps/hello/add-on.yaml', addOn(installed('stage') + installed('prod', 'prod')).trimStart());
  files.set(
    'apps/hello/stage.yaml',
    placement('stage', '{ matchExpressions: [{ key: env, operator: In, values: [prod, stage] }] }'),
  );
  files.set('apps/hello/prod.yaml', placement('prod', '{ matchLabels: { env: prod } }'));
  files.set('apps/hello/base.yaml', config('base', 'info'));
  files.set('apps/hello/own.yaml', config('prod', 'warn'));
  files.set(
    'apps/hello/template.yaml',
    template('t1', '{ level: "{{LEVEL}}", cluster: "{{CLUSTER_NAME}}" }'),
  );
  return files;
}

function clusterText(name: string, env: string): string {
  return (
    fleetOf({ [name]: { env } })
      .split('---\n')
      .at(-1) ?? ''
  );
}

const group = 'addon.open-cluster-management.io';

/** Edits that people make. Each one returns the files that it writes. */
type Edit = (files: Files, random: (below: number) => number) => void;
const pick = <T>(list: readonly T[], random: (below: number) => number): T => {
  const item = list[random(list.length)];
  if (item === undefined) throw new Error('an empty list');
  return item;
};
const replace = (files: Files, name: string, pattern: RegExp, by: string): void => {
  const text = files.get(name);
  if (text !== undefined) files.set(name, text.replace(pattern, by));
};
const edits: readonly Edit[] = [
  (files, random) => {
    const name = `c${1 + random(8)}`;
    files.set(`fleet/${name}.yaml`, clusterText(name, pick(environments, random)));
  },
  (files, random) => {
    const name = `n${random(4)}`;
    files.set(`fleet/${name}.yaml`, clusterText(name, pick(environments, random)));
  },
  (files, random) => {
    const values = environments.filter(() => random(2) === 0);
    replace(files, 'apps/hello/stage.yaml', /values: \[[^\]]*\]/, `values: [${values.join(', ') || 'none'}]`);
  },
  (files, random) => {
    replace(files, 'apps/hello/prod.yaml', /env: \w+/, `env: ${pick(environments, random)}`);
  },
  (files, random) => {
    replace(files, 'apps/hello/base.yaml', /value: .*/, `value: "${pick(['info', 'debug'], random)}"`);
  },
  (files, random) => {
    replace(
      files,
      'apps/hello/own.yaml',
      /value: .*/,
      `value: "${pick(['warn', 'error', 'trace'], random)}"`,
    );
  },
  (files, random) => {
    replace(
      files,
      'apps/hello/template.yaml',
      /(?<!meta)data: .*/,
      `data: { level: "{{LEVEL}}", port: "${80 + random(3)}" }`,
    );
  },
  (files, random) => {
    const strategy = pick(
      ['{ type: All }', '{ type: Progressive, progressive: { maxConcurrency: 1, minSuccessTime: 5m } }'],
      random,
    );
    replace(files, 'apps/hello/add-on.yaml', /rolloutStrategy: .*/, `rolloutStrategy: ${strategy}`);
  },
  (files, random) => {
    replace(
      files,
      'apps/hello/add-on.yaml',
      /name: (?:prod|base) \}\]$/m,
      `name: ${pick(['prod', 'base'], random)} }]`,
    );
  },
  (files, random) => {
    const cluster = `c${1 + random(8)}`;
    files.set(
      `apps/hello/override-${cluster}.yaml`,
      `apiVersion: ${group}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster} }
spec:
  configs: [{ group: ${group}, resource: addondeploymentconfigs, namespace: default, name: ${pick(['base', 'prod'], random)} }]
`,
    );
  },
  (files, random) => {
    const number = random(2);
    files.set(
      `apps/hello/role-${number}.yaml`,
      `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader-${number} }
rules: [{ apiGroups: [''], resources: [pods], verbs: [${pick(['get', 'list', '"*"'], random)}] }]
`,
    );
  },
  (files, random) => {
    const name = pick(['stage', 'prod', 'base', 'own'], random);
    const text = files.get(`apps/hello/${name}.yaml`);
    if (text !== undefined) files.set(`apps/hello/${name}.yaml`, `# a comment\n${text}`);
  },
  (files) => {
    const text = files.get('apps/hello/own.yaml');
    if (text === undefined) return;
    files.delete('apps/hello/own.yaml');
    files.set('apps/hello/configs/own.yaml', text);
  },
];

/** What the hub holds and delivers, by object. Computed without a plan. */
type Deployed = ReadonlyMap<string, string>;

interface State {
  readonly deployed: Deployed;
  readonly resolution: Resolution;
}

function stateOf(folder: string, earlier?: State): State {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?:apps|fleet)\/.*\.yaml$/.test(name),
  );
  const loaded = load(
    names.sort().map((file) => ({
      file,
      text: readFileSync(path.join(folder, file), 'utf8'),
      source: file.startsWith('fleet/') ? ('fleet' as const) : ('app' as const),
    })),
  );
  const { value: resolution } = resolve(loaded.value, {
    now,
    hub,
    ...(earlier && { earlier: earlier.resolution.decisions }),
  });
  if (resolution === undefined) throw new Error('a state that does not resolve');
  const deployed = new Map<string, string>();
  for (const object of hubObjects(resolution, { hub, addOnApiVersion: 'v1beta1' })) {
    const { kind, metadata } = object;
    if (!['ManagedClusterAddOn', 'ManifestWork', 'RoleBinding'].includes(kind)) continue;
    const name = `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    const { configReferences = null } = (object['status'] ?? {}) as { readonly configReferences?: unknown };
    // One request can write the override of a cluster, and another one edit the configuration that it names.
    deployed.set(name, digest(kind === 'ManagedClusterAddOn' ? configReferences : object));
    if (kind === 'ManagedClusterAddOn') deployed.set(`spec of ${name}`, digest(object['spec']));
  }
  for (const { object, source } of resolution.inventory.objects) {
    if (source !== 'app') continue;
    const { apiVersion: _apiVersion, status: _status, ...content } = object;
    const { namespace = '', name = '' } = object.metadata;
    deployed.set(`written ${object.kind} ${namespace}/${name}`, digest(content));
  }
  return { deployed, resolution };
}

function digest(value: unknown): string {
  return createHash('sha256').update(goJson(value)).digest('hex').slice(0, 16);
}

/** What a merge does: each object with its content before and after. */
function transitions(before: Deployed, after: Deployed): Set<string> {
  const changed = new Set<string>();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [from = '', to = ''] = [before.get(name), after.get(name)];
    if (from !== to) changed.add(to === '' ? `${name} is gone` : `${name}: ${from} -> ${to}`);
  }
  return changed;
}

interface Request {
  readonly branch: string;
  /** The file with the approved plan. */
  readonly plan: string;
  readonly approved: ReadonlySet<string>;
}

/** A repository with two requests, each of which changes the same base and was approved with its own plan. */
class Pair {
  readonly repository = new Repository(
    realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-requests-'))),
  );
  readonly #temporary = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-plans-')));
  readonly #start: State;

  constructor(files: Files) {
    this.#write(files);
    this.repository.commit('start');
    this.repository.git('branch', 'start');
    this.#start = stateOf(this.repository.folder);
  }

  async request(branch: string, files: Files): Promise<Request> {
    this.repository.git('checkout', '--quiet', '-b', branch, 'start');
    this.#write(files);
    this.repository.commit(branch);
    const plan = path.join(this.#temporary, `${branch}.json`);
    const { code, err } = await this.#fleetwright('plan', `start..${branch}`, '-o', `json=${plan}`);
    // An exceeded guardrail is a verdict that people approve.
    if (code > 1 || err.includes('cannot be resolved')) throw new Error(err);
    const approved = transitions(this.#start.deployed, stateOf(this.repository.folder, this.#start).deployed);
    return { branch, plan, approved };
  }

  /** Merges requests in this order, as a queue does: each one only if its approval stands. */
  async mergeAll(requests: readonly Request[], verifiesFirst: boolean): Promise<Outcome[]> {
    const { repository } = this;
    repository.git('checkout', '--quiet', '-B', 'main', 'start');
    let before = this.#start;
    const outcomes: Outcome[] = [];
    for (const { branch, plan, approved } of requests) {
      repository.git('checkout', '--quiet', '-B', 'queue', 'main');
      if (!repository.try('merge', '--quiet', '--no-ff', '--no-edit', branch)) {
        repository.git('merge', '--abort');
        outcomes.push({ verdict: 'conflict', unapproved: [], isSame: false });
        continue;
      }
      const after = stateOf(repository.folder, before);
      const effects = transitions(before.deployed, after.deployed);
      const isTrivial = before === this.#start && !verifiesFirst;
      const stands = isTrivial || (await this.#verify(plan));
      const unapproved = [...effects].filter((effect) => !approved.has(effect));
      const isSame = unapproved.length === 0 && effects.size === approved.size;
      outcomes.push({ verdict: stands ? 'stands' : 'refused', unapproved, isSame });
      if (!stands) continue;
      repository.git('branch', '--force', 'main', 'queue');
      before = after;
    }
    return outcomes;
  }

  async #verify(plan: string): Promise<boolean> {
    const { code, err } = await this.#fleetwright('plan', 'main..queue', '--verify', plan);
    const stands = err.includes('the approval stands: ');
    if (!stands && !/FW802[01]/.test(err)) throw new Error(`${code} ${err}`);
    return stands;
  }

  close(): void {
    this.repository.close();
    rmSync(this.#temporary, { recursive: true });
  }

  #write(files: Files): void {
    const { repository } = this;
    for (const folder of ['apps', 'fleet']) repository.remove(folder);
    for (const [name, text] of files) repository.write(name, text);
  }

  async #fleetwright(...parameters: readonly string[]) {
    return await runIn(this.repository.folder, parameters);
  }
}

/** What became of one request in a queue. */
interface Outcome {
  readonly verdict: 'stands' | 'refused' | 'conflict';
  /** What the merge does, and the approved change did not. */
  readonly unapproved: readonly string[];
  /** Whether the merge does what was approved, no more and no less. */
  readonly isSame: boolean;
}

function edited(files: Files, random: (below: number) => number): Files {
  const copy = new Map(files);
  for (let count = 1 + random(3); count > 0; count--) pick(edits, random)(copy, random);
  return copy;
}

test(
  `of ${pairs} random pairs of requests, no queue merges an effect that nobody approved`,
  async () => {
    const random = randomOf(seed);
    const counts = { stands: 0, refused: 0, conflict: 0, needless: 0 };
    for (let number = 0; number < pairs; number++) {
      const files = firstState();
      const pair = new Pair(files);
      try {
        const first = await pair.request('first', edited(files, random));
        const second = await pair.request('second', edited(files, random));
        for (const order of [
          [first, second],
          [second, first],
        ]) {
          // Nothing was merged before the first one, so verifying some of them is enough.
          const outcomes = await pair.mergeAll(order, number % 5 === 0);
          expect(outcomes[0]?.verdict, `pair ${number}`).toBe('stands');
          for (const { verdict, unapproved, isSame } of outcomes) {
            counts[verdict]++;
            expect(verdict === 'stands' ? unapproved : [], `pair ${number}`).toEqual([]);
            if (verdict === 'refused' && isSame) counts.needless++;
          }
        }
      } finally {
        pair.close();
      }
    }
    if (process.env['REQUEST_PAIRS'] !== undefined) process.stderr.write(`${JSON.stringify(counts)}\n`);
    expect(counts.stands).toBeGreaterThan(2 * pairs);
    expect(counts.refused).toBeGreaterThan(0);
  },
  pairs * 30_000,
);
