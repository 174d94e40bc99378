import { checkNamedApps } from '../../../workspace/settings/named-apps.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import { concatenated, joined, partsOf } from '../../../base/collections/joined-lists.ts';
import { Remembered } from '../../../base/collections/remembered.ts';
import {
  admitObject,
  unservedVersion,
  checkPolicies,
  type Code,
  type Diagnostic,
  type FindingSettings,
  hasErrors,
  hubProfile,
  type HubProfile,
  type HubVersion,
  type LoadedObject,
  resolve,
  type Resolution,
  type SharedContent,
} from '../../../compiler/index.ts';
import { withoutChecked } from '../../../compiler/check/requirements/across-apps.ts';
import type { Admission } from '../../../compiler/admit/admit-object.ts';
import { AddedNamespaces } from '../../../compiler/admit/added-namespace.ts';
import { unusedObjects } from '../../../compiler/check/unused-objects.ts';
import { hasFleet } from '../../../compiler/model/needs-fleet.ts';
import { previewRelease } from '../../../workspace/settings/preview-release.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { Inputs } from '../../../workspace/inputs/inputs.ts';
import { isReported } from '../../../workspace/finding-selection.ts';
import { missingFleet } from '../../../workspace/inputs/missing-fleet.ts';
import { readHubOptions, type HubArguments, type PolicyArguments } from '../../options.ts';
import { maskOf } from '../../../workspace/masked-findings.ts';
import { comparedWithOthers } from './compared-with-others.ts';
import { readPolicies, type Policies } from '../../../workspace/settings/policies.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import {
  notBuilt,
  otherApps,
  skippedFiles,
  validatedUnits,
  inOtherFolders,
  type KeptOf,
  type ReadUnit,
  type ValidatedPaths,
} from './validated-units.ts';
import { checkEqualHubs } from '../../equal-hubs.ts';
import { findingsOfHubs } from '../../hub-findings.ts';
import type { HubSelection } from '../../hub-selection.ts';
import { hostsOfHubs, openWorkspace, workspacePolicy } from '../../../workspace/workspace.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';

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

/** Returns the verdicts for every selected hub, one after the other. Documents of several hubs have one result per hub. */
export async function judgeHubs(
  options: ValidatedPaths & HubArguments & PolicyArguments & HubSelection,
  terminal: Terminal,
  keptOf?: KeptOf,
): Promise<Judgement> {
  const judgements: (Judgement & { readonly hub: string | undefined })[] = [];
  for (const host of await hostsOfHubs(terminal, options.hub)) {
    const { root, settings } = await openWorkspace(host);
    await checkNamedApps(root, settings);
    const target = readHubOptions(options, settings);
    judgements.push({ ...(await judge(options, target, host, keptOf)), hub: host.hub });
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
    units: judgements.flatMap(({ units }) => units),
    texts: new Map(judgements.flatMap(({ texts }) => [...texts])),
    skipped: new Map(judgements.flatMap(({ skipped }) => [...skipped])),
    findings: first.findings,
    isReported: (code) => judgements.every((judgement) => judgement.isReported(code)),
  };
}

/** The results for documents: the findings of each document, and the findings that belong to no document. */
export interface Judgement {
  readonly results: readonly Result[];
  readonly unplaced: readonly Diagnostic[];
  /** The files that were checked together, in order. */
  readonly units: readonly JudgedUnit[];
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

/** What was checked together: an app, or the files of the command line. */
export interface JudgedUnit {
  /** The hub, if the workspace has several. */
  readonly hub?: string;
  /** The files and folders that were named, or the folder of the app. */
  readonly paths: readonly string[];
  readonly inputs: Inputs;
  readonly target: CompileTarget;
  /** The result of the hub. Absent if the API server rejects an object. */
  readonly resolution?: Resolution;
}

/** Returns the API server's verdict on every document, and the findings of our rules. */
export async function judge(
  { policy, ...given }: ValidatedPaths & PolicyArguments,
  target: CompileTarget,
  terminal: Terminal,
  keptOf?: KeptOf,
): Promise<Judgement> {
  const judged: JudgedUnit[] = [];
  const read = await validatedUnits(given, terminal, keptOf);
  const units = read.map(({ inputs }) => inputs);
  const policies = await readPolicies({ policy: await workspacePolicy(policy, terminal.cwd) }, terminal);
  const results: Result[] = [];
  const unplaced = [
    ...eachOnce(units.flatMap(({ diagnostics }) => diagnostics)),
    ...notBuilt(units),
    ...inOtherFolders(read),
    ...policies.diagnostics,
  ];
  const { equal, by } = (await openWorkspace(terminal)).settings;
  const mustBeEqual = equal.some(({ value }) => value.includes(terminal.hub ?? ''));
  const checkedUnits = checkUnits(read, policies, target, terminal);
  const resolutions = checkedUnits.flatMap(({ rules: { resolution } }) => resolution ?? []);
  const inventories = resolutions.map(({ inventory }) => inventory);
  const across = await comparedWithOthers(resolutions, target.hub, async function* () {
    for await (const unit of otherApps(given, read, terminal, keptOf))
      yield resolveUnit(unit, policies, target, terminal).value;
  });
  for (const { unit, verdicts, rules } of checkedUnits) {
    const { paths, inputs } = unit;
    judged.push({
      paths,
      inputs,
      target,
      ...(terminal.hub !== undefined && { hub: terminal.hub }),
      ...(rules.resolution && { resolution: rules.resolution }),
    });
    const ofUnit = withoutChecked(rules.diagnostics, across.checked);
    const checked = withFindings(verdicts, inputs.objects, ofUnit);
    // Do not pass these as arguments: their number is limited.
    for (const result of checked.placed) results.push(result);
    unplaced.push(...checked.unplaced);
  }
  // Objects that were not checked may use objects of the others.
  const unused = inventories.length === units.length ? unusedObjects(inventories) : [];
  const objects = joined(units.map((inputs) => inputs.objects));
  const { placed, unplaced: more } = withFindings(results, objects, [...across.findings, ...unused]);
  const texts = new Map(units.flatMap((inputs) => [...inputs.texts]));
  const masked = maskOf({ objects, texts, sensitive: policies.sensitive }, terminal);
  return {
    results: placed.map((result) => withDiagnostics(result, masked(result.diagnostics))),
    unplaced: masked([
      ...unplaced,
      ...more,
      ...previewRelease(target.hub),
      ...missingFleet(
        checkedUnits.flatMap(({ unit: { isApp, paths }, rules: { resolution } }) => {
          if (resolution === undefined) return [];
          const [app] = isApp && given.path.length === 0 ? paths : [];
          return [{ inventory: resolution.inventory, ...(app !== undefined && { app }) }];
        }),
        terminal.hub,
      ),
    ]),
    units: judged,
    texts: new Map([...texts, ...policies.texts]),
    skipped: skippedFiles(units),
    findings: policies.findings,
    ...(mustBeEqual && { profile: hubProfile(resolutions, { by, sensitive: policies.sensitive }) }),
    isReported: (code) =>
      inventories.length === units.length && isReported(code, 'validate', inventories.every(hasFleet)),
  };
}

/** Apps share a fleet snapshot, and each of them reports its faults. */
function eachOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values()];
}

/** A unit with the verdicts on its documents, and the findings of our rules. */
interface CheckedUnit {
  readonly unit: ReadUnit;
  readonly verdicts: readonly Result[];
  readonly rules: ReturnType<typeof findings>;
}

function checkUnits(
  units: readonly ReadUnit[],
  policies: Policies,
  target: CompileTarget,
  terminal: Terminal,
): readonly CheckedUnit[] {
  let documents = 0;
  return units.map((unit) => {
    const { inputs, cache } = unit;
    const addedNamespaces = new AddedNamespaces();
    const verdicts = concatenated(
      partsOf(inputs.objects).map((part) => {
        const ofPart = verdictsOn(part, documents, cache, target.hub);
        documents += part.length;
        return part.some(({ origin }) => origin.changes !== undefined)
          ? ofPart.map((result, index) => withoutAdded(result, part[index], addedNamespaces))
          : ofPart;
      }),
    );
    // What a file has that cannot be read is no reason to report it as missing.
    const isComplete = !hasErrors(inputs.diagnostics) && verdicts.every(({ valid }) => valid);
    const rules = isComplete
      ? findings(unit, policies, target, terminal)
      : { diagnostics: addedNamespaces.findings() };
    return { unit, verdicts, rules };
  });
}

const rememberedVerdicts = new Remembered<readonly Result[]>();

/** Returns the verdicts on a part of the documents: those of an earlier answer if it had the part at the same index. */
function verdictsOn(
  part: readonly LoadedObject[],
  start: number,
  cache: SharedContent,
  hub: HubVersion,
): readonly Result[] {
  return rememberedVerdicts.of(part, [start, cache, hub], () =>
    part.map((loaded, index) => verdict(loaded, start + index, cache, hub)),
  );
}

/** Returns a verdict without the finding about a namespace that kustomize adds, which is reported once for all objects. */
function withoutAdded(
  result: Result,
  loaded: LoadedObject | undefined,
  addedNamespaces: AddedNamespaces,
): Result {
  return loaded === undefined
    ? result
    : withDiagnostics(result, addedNamespaces.take(loaded, result.diagnostics));
}

/** The last verdicts, by the admissions that they are about. */
const verdicts = new WeakMap<Admission, { readonly result: Result; readonly hub: HubVersion }>();

function verdict(loaded: LoadedObject, index: number, cache: SharedContent, hub: HubVersion): Result {
  const admission = admitObject(loaded, cache, hub);
  const known = verdicts.get(admission);
  if (known?.hub === hub && known.result.index === index) return known.result;
  const result = verdictOf(loaded, admission, index, hub);
  verdicts.set(admission, { result, hub });
  return result;
}

function verdictOf(loaded: LoadedObject, admission: Admission, index: number, hub: HubVersion): Result {
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
  unit: ReadUnit,
  policies: Policies,
  target: CompileTarget,
  terminal: Terminal,
): { readonly diagnostics: readonly Diagnostic[]; readonly resolution?: Resolution } {
  const { value, diagnostics } = resolveUnit(unit, policies, target, terminal);
  if (value === undefined) return { diagnostics };
  return { diagnostics: [...diagnostics, ...checkPolicies(value, policies.policies)], resolution: value };
}

function resolveUnit(
  unit: ReadUnit,
  { external }: Policies,
  { hub, now }: CompileTarget,
  terminal: Terminal,
): ReturnType<typeof resolve> {
  const { inputs, cache, results, ofOneHub } = unit;
  return resolve(ofOneHub.objects, {
    now: now ?? inputs.time ?? terminal.now(),
    hub,
    cache,
    ...(results && { results }),
    surroundings: { ...inputs.surroundings, external },
  });
}

/** Assigns each finding to its document: of several documents with one name, the one that it points into. */
function withFindings(
  results: readonly Result[],
  objects: readonly LoadedObject[],
  found: readonly Diagnostic[],
): { placed: readonly Result[]; unplaced: readonly Diagnostic[] } {
  if (found.length === 0) return { placed: results, unplaced: [] };
  const identities = new Set<string>();
  const names = new Set(found.map(({ object }) => object?.name));
  const messages = new Set(found.map(({ message }) => message));
  const byKey = new Map<string, number[]>();
  for (const [index, result] of results.entries()) {
    for (const diagnostic of result.diagnostics)
      if (messages.has(diagnostic.message)) identities.add(JSON.stringify(diagnostic));
    // Most documents have no findings.
    if (names.has(result.name)) addToGroup(byKey, documentKey(result), index);
  }
  const byDocument = new Map<number, Diagnostic[]>();
  const unplaced: Diagnostic[] = [];
  for (const diagnostic of found) {
    if (identities.size > 0 && identities.has(JSON.stringify(diagnostic))) continue;
    const candidates = (diagnostic.object && byKey.get(documentKey(diagnostic.object))) ?? [];
    const index = candidates.findLast((each) => isBefore(objects[each], diagnostic)) ?? candidates[0];
    if (index === undefined) {
      unplaced.push(diagnostic);
      continue;
    }
    addToGroup(byDocument, index, diagnostic);
  }
  if (byDocument.size === 0) return { placed: results, unplaced };
  const placed = results.map((result, index) => {
    const more = byDocument.get(index);
    return more === undefined ? result : withDiagnostics(result, [...result.diagnostics, ...more]);
  });
  return { placed, unplaced };
}

/** Returns the result itself if it has no findings before and after: most documents have none. */
export function withDiagnostics(result: Result, diagnostics: readonly Diagnostic[]): Result {
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
