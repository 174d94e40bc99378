import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findKindVersion } from '../../../schemas/index.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { Hub } from '../client/hub.ts';
import { Random } from '../differential/random.ts';
import { apiServerOf } from './api-server.ts';
import { jsonText } from './json-text.ts';
import { mutate } from './mutations.ts';
import { validObjects } from './valid-objects.ts';
import { agree, compilerVerdict, hubVerdict, type Verdict } from './verdicts.ts';

/** A mutated object, as text and as it is sent to the API server. */
export interface Mutant {
  /** The object before the mutation, which determines the path of the request. */
  readonly object: KubernetesObject;
  /** JSON. */
  readonly text: string;
}

/** A mutant about which the compiler and the API server disagree. */
export interface ValidationDisagreement {
  readonly seed: number;
  readonly hub: Verdict;
  readonly compiler: Verdict;
  /** Where the mutant is saved. */
  readonly file: string;
}

/** The result for the mutants of one or several seeds. */
export interface ValidationResult {
  readonly mutants: number;
  /** The number of mutants that the API server rejects. */
  readonly refusals: number;
  readonly agreements: number;
  /** How many mutants there were of each kind and version. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly disagreements: readonly ValidationDisagreement[];
}

export interface ValidationOptions {
  readonly seeds: readonly number[];
  readonly mutantsPerSeed: number;
  /** Folder for the mutants about which there is a disagreement. */
  readonly found: string;
}

/** Maximum number of concurrent requests to the API server. */
const parallel = 8;

/** The mutants of a seed. */
export function mutants(hub: Hub, seed: number, count: number): readonly Mutant[] {
  const random = new Random(seed);
  const server = apiServerOf(hub.versions);
  return validObjects(random, count).map((object) => ({
    object,
    text: jsonText(mutate(random, object, kindVersion(object).version.schema, server)),
  }));
}

/** Returns the API server's verdict about a mutant: a dry run of its creation, with strict field validation. */
export async function askApiServer({ client }: Hub, { object, text }: Mutant): Promise<Verdict> {
  const { apiVersion, kind } = object;
  const isNamespaced = kindVersion(object).kind.scope === 'Namespaced';
  const place = { apiVersion, kind, ...(isNamespaced ? { namespace: 'default' } : {}) };
  return hubVerdict(await client.refusal(place, text));
}

/** Compares the verdicts of `validate` about random mutants with those of the API server. */
export async function runValidation(hub: Hub, options: ValidationOptions): Promise<ValidationResult> {
  const disagreements: ValidationDisagreement[] = [];
  const kinds = new Map<string, number>();
  let refusals = 0;
  const judge = async (seed: number, index: number, mutant: Mutant): Promise<void> => {
    const [asked, compiler] = [await askApiServer(hub, mutant), compilerVerdict(mutant.text)];
    const kind = `${mutant.object.kind} ${mutant.object.apiVersion.split('/')[1] ?? ''}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (!asked.allowed) refusals++;
    if (agree(asked, compiler)) return;
    const file = path.join(options.found, `validation-${seed}-${index}.json`);
    mkdirSync(options.found, { recursive: true });
    writeFileSync(file, `${mutant.text}\n`);
    disagreements.push({ seed, hub: asked, compiler, file });
  };
  for (const seed of options.seeds) {
    const waiting = [...mutants(hub, seed, options.mutantsPerSeed).entries()];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await judge(seed, ...next);
    };
    await Promise.all(Array.from({ length: parallel }, work));
  }
  const count = options.seeds.length * options.mutantsPerSeed;
  return { mutants: count, refusals, agreements: count - disagreements.length, kinds, disagreements };
}

/** A disagreement as text. */
export function printDisagreement({ seed, hub, compiler, file }: ValidationDisagreement): string {
  const verdict = ({ allowed, blamed, messages }: Verdict): string =>
    allowed ? 'allows it' : `blames ${blamed.join(', ') || 'no field'}: ${messages.join('; ')}`;
  return `validation ${seed}: differs, saved in ${path.relative('.', file)}
  the API server ${verdict(hub)}
  validate       ${verdict(compiler)}
`;
}

function kindVersion({
  apiVersion,
  kind,
}: KubernetesObject): NonNullable<ReturnType<typeof findKindVersion>> {
  const found = findKindVersion(apiVersion, kind);
  if (found === undefined) throw new Error(`${apiVersion} ${kind} has no schema`);
  return found;
}
