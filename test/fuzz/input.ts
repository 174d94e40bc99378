import { stringify } from 'yaml';
import { Random } from '../hub/differential/random.ts';
import { mutateText } from './mutate-text.ts';
import { mutateValues } from './mutate-values.ts';
import { oddTexts } from './odd-values.ts';
import { commandLines } from './command-lines.ts';
import { documentsOf, readObjects, readSeeds, type Seed } from './seeds.ts';

/** What of the workspace a mutated input is. */
export const inputKinds = ['app', 'fleet', 'settings', 'revisions', 'list', 'ownership'] as const;
export type InputKind = (typeof inputKinds)[number];

/** A workspace with something odd in it. */
export interface FuzzInput {
  readonly kind: InputKind;
  /** The files of the workspace, and below `base/` those of its earlier state. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Standard input. */
  readonly list: string | Buffer;
  /** Names that commands ask for; the workspace may not have them. */
  readonly names: Names;
}

interface Names {
  readonly cluster: string;
  readonly addOn: string;
  /** Of an object, with its namespace. */
  readonly object: string;
}

const settings = `guardrails:
  maxUninstalls: 3
  atMost: { env: { prod: 50%, stage: 2 } }
  protect: [c9]
  approved: []
policies:
  levels:
    message: agents need a log level
    expression: 'addOn.name != "none"'
    severity: warning
fleet: { maxAge: 30d }
engine: flux
apps: { unconfined: [] }
external:
- { kind: Placement, namespace: default, name: elsewhere }
`;

const modes: readonly unknown[] = [
  {},
  { mode: 'validate', fleet: 'apps/hello/fleet.yaml' },
  { mode: 'generate', fleet: 'apps/hello/fleet.yaml', app: 'apps/hello' },
];

/** Makes inputs: the same number gives the same input. */
export class InputMaker {
  readonly #seeds: readonly Seed[] = readSeeds();
  readonly #objects = readObjects();

  /** @param only - what the command line begins with, where one command is wanted */
  input(seed: number, only?: string): { readonly input: FuzzInput; readonly command: readonly string[] } {
    const random = new Random(seed);
    const input = this.#input(random);
    const all = commandLines(input);
    const wanted = only === undefined ? all : all.filter(([name]) => name === only);
    return { input, command: random.pick(wanted.length > 0 ? wanted : all) };
  }

  #input(random: Random): FuzzInput {
    const chosen = random.pick(this.#seeds);
    const kind = random.pick(inputKinds);
    const when = (kinds: readonly InputKind[], text: string): string | Buffer =>
      kinds.includes(kind) ? this.#mutated(text, random) : text;
    const hub = when(['app', 'revisions'], this.#withObject(chosen.app, kind, random));
    const fleet = when(['fleet'], chosen.fleet);
    return {
      kind,
      files: {
        'fleetwright.yaml': when(['settings'], settings),
        'apps/hello/hub.yaml': hub,
        'apps/hello/fleet.yaml': fleet,
        'base/fleetwright.yaml': settings,
        'base/apps/hello/hub.yaml': when(['revisions'], chosen.app),
        'base/apps/hello/fleet.yaml': chosen.fleet,
        'dist/hello/.fleetwright.json': when(['ownership'], '{ "files": ["namespace_x.yaml"] }\n'),
        'dist/hello/namespace_x.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: x }\n',
        'dist/hello/notes.txt': 'not written by synth\n',
      },
      list: when(['list'], listOf(chosen.app, random)),
      names: random.chance(0.1) ? oddNames(random) : namesIn(chosen),
    };
  }

  /** Some apps have one object more: recorded ones are of every kind, and most of them are not valid. */
  #withObject(app: string, kind: InputKind, random: Random): string {
    return kind === 'app' && random.chance(0.3)
      ? `${app}\n---\n${JSON.stringify(random.pick(this.#objects))}\n`
      : app;
  }

  #mutated(text: string, random: Random): string | Buffer {
    if (random.chance(0.4)) {
      const once = mutateText(text, random);
      return typeof once === 'string' && random.chance(0.3) ? mutateText(once, random) : once;
    }
    let documents = documentsOf(text);
    for (let count = random.pick([1, 1, 1, 2, 4]); count > 0; count--)
      if (documents.length > 0) documents = mutateValues(documents, random);
    const isFlow = random.chance(0.3);
    const options = {
      collectionStyle: isFlow ? 'flow' : 'block',
      lineWidth: 0,
      aliasDuplicateObjects: false,
    } as const;
    return documents.map((document) => stringify(document, options)).join('---\n');
  }
}

/** A ResourceList as kustomize sends it to functions. */
function listOf(app: string, random: Random): string {
  return stringify(
    {
      apiVersion: 'config.kubernetes.io/v1',
      kind: 'ResourceList',
      functionConfig: {
        apiVersion: 'fleetwright.dev/v1alpha1',
        kind: 'Fleetwright',
        metadata: { name: 'fleetwright' },
        spec: random.pick(modes),
      },
      items: documentsOf(app).filter((document) => document !== null),
    },
    { aliasDuplicateObjects: false },
  );
}

function namesIn({ app, fleet }: Seed): Names {
  const nameOf = (text: string, kind: string): string | undefined =>
    new RegExp(`^kind: ${kind}\\nmetadata:(?: \\{ |\\n  )(?:name|"name"): ([^\\s,]+)`, 'm').exec(text)?.[1];
  return {
    cluster: nameOf(fleet, 'ManagedCluster') ?? 'c1',
    addOn: nameOf(app, 'ClusterManagementAddOn') ?? 'hello',
    object: nameOf(app, 'AddOnDeploymentConfig') ?? 'default/base',
  };
}

function oddNames(random: Random): Names {
  const name = (): string => random.pick(oddTexts.filter((text) => text.length < 1000));
  return { cluster: name(), addOn: name(), object: name() };
}
