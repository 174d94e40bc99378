import { checkNamedApps } from '../../../workspace/settings/named-apps.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import {
  admitObject,
  unservedVersion,
  checkPolicies,
  type Code,
  type Diagnostic,
  emptySharedContent,
  type FindingSettings,
  hubProfile,
  type HubProfile,
  type HubVersion,
  type Inventory,
  type LoadedObject,
  resolve,
  type Resolution,
  type SharedContent,
} from '../../../compiler/index.ts';
import { AddedNamespaces } from '../../../compiler/admit/added-namespace.ts';
import { unusedObjects } from '../../../compiler/check/unused-objects.ts';
import { hasFleet } from '../../../compiler/model/needs-fleet.ts';
import { previewRelease } from '../../../workspace/settings/preview-release.ts';
import { jsonText } from '../../../compiler/report/json/json-text.ts';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { Inputs } from '../../../workspace/inputs/inputs.ts';
import { isReported } from '../../../workspace/finding-selection.ts';
import { missingFleet } from '../../../workspace/inputs/missing-fleet.ts';
import {
  hubOptions,
  inputOptions,
  listOption,
  readHubOptions,
  type HubArguments,
  type InputArguments,
  policyOption,
  type PolicyArguments,
} from '../../options.ts';
import { maskOf } from '../../../workspace/masked-findings.ts';
import { readPolicies, type Policies } from '../../../workspace/settings/policies.ts';
import {
  fails,
  findingOptions,
  FindingsReport,
  type FindingArguments,
} from '../../terminal/findings-report.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import {
  notBuilt,
  skippedFiles,
  validatedUnits,
  withoutOverlaid,
  type ValidatedPaths,
} from './validated-units.ts';
import { checkEqualHubs } from '../../equal-hubs.ts';
import { findingsOfHubs } from '../../hub-findings.ts';
import { webhookCodes } from '../../../compiler/check/webhooks/webhook-codes.ts';
import { hubSelectionOption, type HubSelection } from '../../hub-selection.ts';
import { hostsOfHubs, openWorkspace, workspacePolicy } from '../../../workspace/workspace.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';

interface Arguments extends HubArguments, InputArguments, PolicyArguments, FindingArguments, HubSelection {
  readonly output: string;
  readonly exclude: readonly string[];
  readonly verbose: boolean;
}

/** The result for one document. */
export interface Result {
  readonly index: number;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The hub, if the workspace has several. */
  readonly hub?: string;
  /** The API server's verdict alone. */
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** `validate PATH…`: the API server's verdict on every document, and the findings of our rules. */
export function validateCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'validate [path..]',
    describe: "Check objects with the validation of the API server and Fleetwright's rules",
    builder: (command) =>
      findingOptions(policyOption(hubSelectionOption(hubOptions(inputOptions(command)))))
        .option('exclude', {
          ...listOption,
          describe: 'files and folders to exclude, as .gitignore patterns',
          defaultDescription: 'only those in .gitignore',
        })
        .option('verbose', {
          describe: 'list skipped files',
          type: 'boolean',
          default: false,
        })
        .option('output', {
          alias: 'o',
          describe: 'format',
          choices: ['text', 'json'],
          default: 'text',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright validate': 'all apps of the workspace',
            "fleetwright validate . --exclude 'test/**'": 'every manifest of a repository',
            'kustomize build . | fleetwright validate - -o json': 'standard input, for other tools',
          }),
        ),
    handler: async (options) => {
      end(await validate(options, terminal));
    },
  };
}

async function validate(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const judged = await judgeHubs(options, terminal);
  const { texts, skipped, isReported } = judged;
  const report = new FindingsReport(judged.findings, options, terminal);
  const results = judged.results.map((result) =>
    withDiagnostics(result, report.selection.select(result.diagnostics)),
  );
  // An acceptance matches the findings of all documents.
  const unplaced = [
    ...report.selection.select(judged.unplaced),
    ...report.selection.problems((code) => options.path.length === 0 && isReported(code)),
  ];
  const all = [...unplaced, ...results.flatMap((result) => result.diagnostics)];
  if (options.output === 'json') {
    const document = { results, ...(unplaced.length === 0 ? {} : { diagnostics: unplaced }) };
    terminal.out(jsonText(document));
    return fails(all, options.strict) ? exitCode.findings : exitCode.clean;
  }
  report.printSelected(findingsOf(results, unplaced), texts);
  report.end();
  terminal.err(skippedText(skipped, options.verbose));
  const valid = results.filter((result) => result.valid);
  if (valid.length < results.length)
    terminal.err('rules across objects were not checked where an object is invalid\n');
  const accepted = valid.filter((result) => !isRejectedByWebhook(result)).length;
  terminal.out(summary(accepted, results.length, all.filter(({ severity }) => severity === 'error').length));
  return report.hasFailed ? exitCode.findings : exitCode.clean;
}

/** Returns the verdicts for every selected hub, one after the other. Documents of several hubs have one result per hub. */
async function judgeHubs(options: Arguments, terminal: Terminal): Promise<Judgement> {
  const judgements: (Judgement & { readonly hub: string | undefined })[] = [];
  for (const host of await hostsOfHubs(terminal, options.hub)) {
    const { root, settings } = await openWorkspace(host);
    await checkNamedApps(root, settings);
    const target = readHubOptions(options, settings);
    judgements.push({ ...(await judge(options, target, host)), hub: host.hub });
  }
  const [first] = judgements;
  if (first === undefined) throw new Error('a workspace has at least one hub');
  if (judgements.length === 1) return first;
  // Paths are only a part of what a hub has.
  const { equal, by } =
    options.path.length > 0 ? { equal: [], by: [] } : (await openWorkspace(terminal)).settings;
  const profiles = new Map(
    judgements.flatMap(({ hub, profile }) => (hub && profile ? [[hub, profile] as const] : [])),
  );
  const results = judgements.flatMap(({ hub, results }) =>
    results.map((result) => ({ ...result, ...(hub !== undefined && { hub }) })),
  );
  return {
    results: results.map((result, index) => ({ ...result, index })),
    unplaced: [
      ...findingsOfHubs(judgements.map(({ hub, unplaced }) => ({ hub, diagnostics: unplaced }))),
      ...checkEqualHubs(equal, profiles, by),
    ],
    texts: new Map(judgements.flatMap(({ texts }) => [...texts])),
    skipped: new Map(judgements.flatMap(({ skipped }) => [...skipped])),
    findings: first.findings,
    isReported: (code) => judgements.every((judgement) => judgement.isReported(code)),
  };
}

/** Returns the findings of all documents, those that several hubs share once. */
function findingsOf(results: readonly Result[], unplaced: readonly Diagnostic[]): readonly Diagnostic[] {
  const hubs = [...new Set(results.map(({ hub }) => hub))];
  const ofDocuments = hubs.map((hub) => ({
    hub,
    diagnostics: results.flatMap((result) => (result.hub === hub ? result.diagnostics : [])),
  }));
  return [...unplaced, ...(hubs.length === 0 ? [] : findingsOfHubs(ofDocuments))];
}

/** Whether a webhook of the hub rejects a valid object. The hub accepts sets whose works it rejects. */
function isRejectedByWebhook({ kind, diagnostics }: Result): boolean {
  return kind !== 'ManifestWorkReplicaSet' && diagnostics.some(({ code }) => webhookCodes.has(code));
}

function summary(valid: number, objects: number, errors: number): string {
  const count = `${valid} of ${objects} ${objects === 1 ? 'object' : 'objects'}`;
  if (errors === 0) return `${count} ${objects === 1 ? 'is' : 'are'} valid\n`;
  return `${errors} ${errors === 1 ? 'error' : 'errors'}; the API server accepts ${count}\n`;
}

function skippedText(skipped: Judgement['skipped'], isVerbose: boolean): string {
  if (skipped.size === 0) return '';
  if (isVerbose)
    return [...skipped]
      .flatMap(([reason, files]) => files.map((file) => `${terminalLine(`skipped ${file}: ${reason}`)}\n`))
      .join('');
  const counts = [...skipped].map(([reason, files]) => `${files.length} ${reason}`);
  return `skipped: ${counts.join(', ')}; --verbose lists them\n`;
}

/** The results for documents: the findings of each document, and the findings that belong to no document. */
export interface Judgement {
  readonly results: readonly Result[];
  readonly unplaced: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files and folders that were not read, by the reason. */
  readonly skipped: ReadonlyMap<string, readonly string[]>;
  /** What the workspace decides about findings. */
  readonly findings: FindingSettings;
  /** The effective configurations, if hubs must be equal. */
  readonly profile?: HubProfile;
  /** Whether all findings of a code are among the results. */
  readonly isReported: (code: Code) => boolean;
}

/** Returns the API server's verdict on every document, and the findings of our rules. */
export async function judge(
  { policy, ...paths }: ValidatedPaths & PolicyArguments,
  target: CompileTarget,
  terminal: Terminal,
): Promise<Judgement> {
  const units = await validatedUnits(paths, terminal);
  const policies = await readPolicies({ policy: await workspacePolicy(policy, terminal.cwd) }, terminal);
  const results: Result[] = [];
  const unplaced = [
    ...units.flatMap(({ diagnostics }) => diagnostics),
    ...notBuilt(units),
    ...policies.diagnostics,
  ];
  const { equal, by } = (await openWorkspace(terminal)).settings;
  const mustBeEqual = equal.some(({ value }) => value.includes(terminal.hub ?? ''));
  const inventories: Inventory[] = [];
  const resolutions: Resolution[] = [];
  for (const inputs of units) {
    // The rules are checked on the same objects.
    const cache = emptySharedContent();
    const addedNamespaces = new AddedNamespaces();
    const verdicts = inputs.objects.map((loaded, index) => {
      const result = verdict(loaded, results.length + index, cache, target.hub);
      return withDiagnostics(result, addedNamespaces.take(loaded, result.diagnostics));
    });
    const isChecked = verdicts.every(({ valid }) => valid);
    const rules = isChecked
      ? findings(inputs, policies, target, terminal, cache)
      : { diagnostics: addedNamespaces.findings() };
    if (rules.resolution !== undefined) {
      inventories.push(rules.resolution.inventory);
      if (mustBeEqual) resolutions.push(rules.resolution);
    }
    const checked = withFindings(verdicts, inputs.objects, rules.diagnostics);
    results.push(...checked.placed);
    unplaced.push(...checked.unplaced);
  }
  // Objects that were not checked may use objects of the others.
  const unused = inventories.length === units.length ? unusedObjects(inventories) : [];
  const objects = units.flatMap((inputs) => inputs.objects);
  const { placed, unplaced: more } = withFindings(results, objects, unused);
  const texts = new Map(units.flatMap((inputs) => [...inputs.texts]));
  const masked = maskOf({ objects, texts, sensitive: policies.sensitive }, terminal);
  return {
    results: placed.map((result) => withDiagnostics(result, masked(result.diagnostics))),
    unplaced: masked([
      ...unplaced,
      ...more,
      ...previewRelease(target.hub),
      ...missingFleet(
        inventories.map((inventory) => ({ inventory })),
        terminal.hub,
      ),
    ]),
    texts: new Map([...texts, ...policies.texts]),
    skipped: skippedFiles(units),
    findings: policies.findings,
    ...(mustBeEqual && { profile: hubProfile(resolutions, { by, sensitive: policies.sensitive }) }),
    isReported: (code) =>
      inventories.length === units.length && isReported(code, 'validate', inventories.every(hasFleet)),
  };
}

function verdict(loaded: LoadedObject, index: number, cache: SharedContent, hub: HubVersion): Result {
  const admission = admitObject(loaded, cache, hub);
  const unserved = admission.valid ? unservedVersion(loaded, hub) : undefined;
  const valid = admission.valid && unserved === undefined;
  const diagnostics = [...admission.diagnostics, ...(unserved === undefined ? [] : [unserved])];
  const { kind, metadata } = loaded.object;
  // The document is not validated: its metadata may not be a mapping.
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

/** Returns the findings of our rules and policies; without a fleet only those of rules that need none. */
function findings(
  inputs: Inputs,
  { policies, external }: Policies,
  { hub, now }: CompileTarget,
  terminal: Terminal,
  cache: SharedContent,
): { readonly diagnostics: readonly Diagnostic[]; readonly resolution?: Resolution } {
  const { value, diagnostics } = resolve(withoutOverlaid(inputs), {
    now: now ?? inputs.time ?? terminal.now(),
    hub,
    cache,
    surroundings: { ...inputs.surroundings, external },
  });
  if (value === undefined) return { diagnostics };
  return { diagnostics: [...diagnostics, ...checkPolicies(value, policies)], resolution: value };
}

/** Assigns each finding to its document: of several documents with one name, the one that it points into. */
function withFindings(
  results: readonly Result[],
  objects: readonly LoadedObject[],
  found: readonly Diagnostic[],
): { placed: readonly Result[]; unplaced: readonly Diagnostic[] } {
  if (found.length === 0) return { placed: results, unplaced: [] };
  const identities = new Set(
    results.flatMap(({ diagnostics }) => diagnostics.map((diagnostic) => JSON.stringify(diagnostic))),
  );
  const byKey = new Map<string, number[]>();
  for (const [index, result] of results.entries()) {
    addToGroup(byKey, documentKey(result), index);
  }
  const byDocument = new Map<number, Diagnostic[]>();
  const unplaced: Diagnostic[] = [];
  for (const diagnostic of found) {
    if (identities.has(JSON.stringify(diagnostic))) continue;
    const candidates = (diagnostic.object && byKey.get(documentKey(diagnostic.object))) ?? [];
    const index = candidates.findLast((each) => isBefore(objects[each], diagnostic)) ?? candidates[0];
    if (index === undefined) {
      unplaced.push(diagnostic);
      continue;
    }
    addToGroup(byDocument, index, diagnostic);
  }
  const placed = results.map((result, index) => {
    const more = byDocument.get(index);
    return more === undefined ? result : withDiagnostics(result, [...result.diagnostics, ...more]);
  });
  return { placed, unplaced };
}

/** Returns the result itself if it has no findings before and after: most documents have none. */
function withDiagnostics(result: Result, diagnostics: readonly Diagnostic[]): Result {
  return diagnostics.length === 0 && result.diagnostics.length === 0 ? result : { ...result, diagnostics };
}

/** Whether an object begins in the file of a finding, at its line or before it. */
function isBefore(loaded: LoadedObject | undefined, { location }: Diagnostic): boolean {
  const start = loaded?.origin.location;
  if (start === undefined || location === undefined || !('file' in start) || !('file' in location))
    return false;
  return start.file === location.file && start.line <= location.line;
}

function documentKey({ kind, namespace, name }: { kind: string; namespace?: string; name: string }): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}
