import type { CommandModule } from 'yargs';
import { examples } from './examples.ts';
import { admitObject } from '../compiler/admit/admit.ts';
import { checkPolicies } from '../compiler/check/policy.ts';
import { hasErrors, type Diagnostic } from '../compiler/diagnostic.ts';
import type { LoadedObject } from '../compiler/inventory.ts';
import { resolve } from '../compiler/resolve.ts';
import { isJsonMap, type JsonMap } from '../encoding/json-map.ts';
import { readInputs, type Inputs } from './inputs.ts';
import { missingFleet } from './missing-fleet.ts';
import {
  hubOptions,
  inputOptions,
  readHubOptions,
  type Hub,
  type HubArguments,
  type InputArguments,
} from './options.ts';
import { policyOption, readPolicies, type Policies, type PolicyArguments } from './policy.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';
import { workspacePolicy, withAppNames } from './workspace.ts';

interface Arguments extends HubArguments, InputArguments, PolicyArguments {
  readonly output: string;
}

/** What is said of one document. */
export interface Result {
  readonly index: number;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The API server's verdict alone. */
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** `validate PATH…`: the API server's verdict on every document, and what our rules say of them. */
export function validateCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'validate <path..>',
    describe: "Say what the API server and Fleetwright's rules find wrong",
    builder: (command) =>
      policyOption(hubOptions(inputOptions(command)))
        .option('output', {
          alias: 'o',
          describe: 'format',
          choices: ['text', 'json'],
          default: 'text',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright validate manifests/': 'every YAML file of a folder',
            'kustomize build . | fleetwright validate - -o json': 'standard input, for other tools',
          }),
        ),
    handler: async (options) => {
      end(await validate(options, terminal));
    },
  };
}

async function validate(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const hub = readHubOptions(options);
  const path = await withAppNames(options.path, terminal);
  const { results, unplaced, texts } = await judge({ ...options, path }, hub, terminal);
  if (options.output === 'json') {
    const document = { results, ...(unplaced.length === 0 ? {} : { diagnostics: unplaced }) };
    terminal.out(`${JSON.stringify(document, null, 2)}\n`);
    const all = [...unplaced, ...results.flatMap((result) => result.diagnostics)];
    return hasErrors(all) ? exitCode.findings : exitCode.clean;
  }
  const all = [...unplaced, ...results.flatMap((result) => result.diagnostics)];
  const failed = printDiagnostics(all, texts, terminal);
  const valid = results.filter((result) => result.valid).length;
  terminal.out(
    `${valid} of ${results.length === 1 ? '1 object is' : `${results.length} objects are`} valid\n`,
  );
  return failed ? exitCode.findings : exitCode.clean;
}

/** What is said of documents: under each what is about it, and what is about none of them. */
export interface Judgement {
  readonly results: readonly Result[];
  readonly unplaced: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The API server's verdict on every document, and the findings of our rules. */
export async function judge(
  { path, fleet, policy }: InputArguments & PolicyArguments,
  hub: Hub,
  terminal: Terminal,
): Promise<Judgement> {
  const inputs = await readInputs(path, fleet, terminal);
  const policies = await readPolicies({ policy: await workspacePolicy(policy, terminal.cwd) }, terminal.cwd);
  const verdicts = inputs.objects.map((loaded, index) => verdict(loaded, index));
  const rules = verdicts.every(({ valid }) => valid) ? findings(inputs, policies, hub, terminal) : [];
  const { placed, unplaced } = withFindings(verdicts, rules);
  return {
    results: placed,
    unplaced: [...inputs.diagnostics, ...policies.diagnostics, ...unplaced],
    texts: new Map([...inputs.texts, ...policies.texts]),
  };
}

function verdict(loaded: LoadedObject, index: number): Result {
  const { valid, diagnostics } = admitObject(loaded);
  const { kind, metadata } = loaded.object;
  // The document may be anything: its metadata need not be a mapping.
  const { name, namespace }: JsonMap = isJsonMap(metadata) ? metadata : {};
  return {
    index,
    kind: textOf(kind),
    ...(namespace === undefined ? {} : { namespace: textOf(namespace) }),
    name: textOf(name),
    valid,
    diagnostics,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The findings of our rules and policies; without a fleet those of rules that need none. */
function findings(
  { objects, time }: Inputs,
  { policies }: Policies,
  { hub, now }: Hub,
  terminal: Terminal,
): readonly Diagnostic[] {
  const { value, diagnostics } = resolve(objects, { now: now ?? time ?? terminal.now(), hub });
  if (value === undefined) return diagnostics;
  return [...diagnostics, ...checkPolicies(value, policies), ...missingFleet([value])];
}

/** Puts each finding under the document that it is about. */
function withFindings(
  results: readonly Result[],
  found: readonly Diagnostic[],
): { placed: readonly Result[]; unplaced: readonly Diagnostic[] } {
  const known = new Set(
    results.flatMap(({ diagnostics }) => diagnostics.map((diagnostic) => JSON.stringify(diagnostic))),
  );
  const byDocument = new Map<string, Diagnostic[]>();
  for (const result of results) byDocument.set(documentKey(result), []);
  const unplaced: Diagnostic[] = [];
  for (const diagnostic of found) {
    if (known.has(JSON.stringify(diagnostic))) continue;
    const { object } = diagnostic;
    (object === undefined ? unplaced : (byDocument.get(documentKey(object)) ?? unplaced)).push(diagnostic);
  }
  const placed = results.map((result) => ({
    ...result,
    diagnostics: [...result.diagnostics, ...(byDocument.get(documentKey(result)) ?? [])],
  }));
  return { placed, unplaced };
}

function documentKey({ kind, namespace, name }: { kind: string; namespace?: string; name: string }): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}
