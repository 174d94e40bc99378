import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { formatTime } from '../../../base/time/rfc3339.ts';
import { objectKey, resolve, SensitiveValues } from '../../../compiler/index.ts';
import { fileName } from '../../../compiler/emit/file-name.ts';
import { ocmKinds } from '../../../../schemas/kinds.ts';
import {
  compareState,
  unaskedForWaves,
  waitingClusters,
  type ComparedNames,
  type HubRelease,
  type Unasked,
  type Verification,
  type VerifiedSubject,
} from '../../../compiler/verify/index.ts';
import { asApplied } from '../../../workspace/hub/applied-objects.ts';
import type { HubAddress } from '../../../workspace/hub/connect-to-hub.ts';
import { observedAddOns, observedClusterAddOns, readHub } from '../../../workspace/hub/hub-state.ts';
import { readHubRelease } from '../../../workspace/hub/verify/hub-release.ts';
import { reachPlacementServer } from '../../../workspace/hub/verify/reach-placement-server.ts';
import { removedObjects } from '../../../workspace/hub/verify/removed-objects.ts';
import { verifyObjects } from '../../../workspace/hub/verify/verify-objects.ts';
import { verifyRendered } from '../../../workspace/hub/verify/verify-rendered.ts';
import { verifyPlacements, type VerifiedPart } from '../../../workspace/hub/verify/verify-placements.ts';
import { emittedFolders } from '../../../workspace/output/output-folder.ts';
import { outputObjects } from '../../../workspace/output/output-objects.ts';
import { openWorkspace, workspacePolicies } from '../../../workspace/workspace.ts';
import { resolveForHub, type HubResolution } from '../../hub-resolution.ts';
import type { AppsArgument, HubArguments } from '../../options.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** The arguments that select what the hub is asked. */
export interface VerifyArguments extends HubArguments, HubAddress, AppsArgument {
  readonly app: readonly string[];
  readonly random: number;
  readonly seed: number | undefined;
  readonly 'placement-server': string | undefined;
  readonly 'placement-server-ca': string | undefined;
  readonly 'hub-namespace': string;
}

/**
 * Asks the hub, and compares its answers with the prediction. Returns undefined if the apps have errors, which are printed.
 *
 * @throws HubError if the hub cannot be read; UserError if an argument is invalid
 */
export async function askHub(
  options: VerifyArguments,
  terminal: Terminal,
): Promise<Verification | undefined> {
  const asked = await readForQuestions(options, terminal);
  if (asked === undefined) return undefined;
  const { questions, state } = asked;
  const { target, connection } = questions;
  const { reader } = connection;
  const seed = options.seed ?? Math.floor(terminal.now() / 1000);
  const { release, unasked } = await readHubRelease(connection);
  const parts: readonly VerifiedPart[] = [
    { subjects: releaseSubjects(release, target.hub.name), unasked },
    await askForPlacements(options, { ...questions, seed }, terminal),
    await askForObjects(options, questions, terminal),
    isAsPredicted(state) ? state : await computedState(questions, terminal),
  ];
  return {
    server: reader.server,
    time: formatTime(terminal.now()),
    hubVersion: target.hub.name,
    release,
    ...(options.random > 0 && { seed }),
    subjects: parts.flatMap(({ subjects }) => subjects),
    unasked: parts.flatMap(({ unasked }) => unasked),
  };
}

/** What the questions are made of. The prediction itself is not part of it: a large fleet must not be in memory twice. */
interface Questions extends Pick<HubResolution, 'connection' | 'target' | 'now'> {
  /** The Placements of the apps. */
  readonly placements: readonly PlacementV1beta1[];
  /** The Placements on the hub. */
  readonly held: readonly PlacementV1beta1[];
  /** The add-ons and Placements of the apps that are named; undefined if all that the hub has are asked about. */
  readonly names: ComparedNames | undefined;
  readonly masks: SensitiveValues;
}

/** What the hub has computed. */
const stateReading = { clusterAddOns: observedClusterAddOns, addOns: observedAddOns };

/**
 * Reads the hub, and compares what it has computed at once, because its objects need not stay in memory. Returns undefined if the apps
 * have errors, which are printed.
 */
async function readForQuestions(
  options: VerifyArguments,
  terminal: Terminal,
): Promise<{ readonly questions: Questions; readonly state: VerifiedPart } | undefined> {
  const read = { ...options, hub: [], path: [], fleet: [] };
  const resolved = await resolveForHub(read, terminal, stateReading);
  if (resolved === undefined) return undefined;
  const questions = await questionsOf(options, resolved, terminal);
  return { questions, state: await stateOf(questions, resolved.held, terminal) };
}

async function questionsOf(
  options: VerifyArguments,
  resolved: HubResolution,
  terminal: Terminal,
): Promise<Questions> {
  const { resolution, held, connection, target, now } = resolved;
  const { host } = await openWorkspace(terminal);
  const { sensitive } = await workspacePolicies(host);
  const isLimited = options.app.length > 0 || options.apps !== undefined;
  return {
    connection,
    target,
    now,
    placements: [...resolution.inventory.placements.values()].flatMap(({ object, source }) =>
      source === 'app' ? [object] : [],
    ),
    held: placementsOf(held),
    names: isLimited ? namesOf(resolution) : undefined,
    masks: new SensitiveValues([resolution.inventory], sensitive),
  };
}

/** The names in the apps. */
function namesOf({ inventory }: HubResolution['resolution']): ComparedNames {
  const isOfApp = ({ source }: { readonly source: string }): boolean => source === 'app';
  const placements = [...inventory.placements].filter(([, placement]) => isOfApp(placement));
  const addOns = [...inventory.clusterManagementAddOns].filter(([, addOn]) => isOfApp(addOn));
  return {
    placements: new Set(placements.map(([key]) => key)),
    addOns: new Set(addOns.map(([name]) => name)),
  };
}

/** The hub shows its release, or not. */
function releaseSubjects({ ocm }: HubRelease, hubVersion: string): readonly VerifiedSubject[] {
  if (ocm === undefined) return [];
  const difference = { part: 'hubVersion', predicted: hubVersion, answered: ocm };
  const disagreements = ocm === hubVersion ? [] : [{ differences: [difference] }];
  return [{ kind: 'release', subject: 'release of OCM', answers: 1, disagreements }];
}

async function askForPlacements(
  options: VerifyArguments,
  { placements, connection, target, held, seed }: Questions & { readonly seed: number },
  terminal: Terminal,
): Promise<VerifiedPart> {
  if (placements.length === 0) return { subjects: [], unasked: [] };
  const workspace = await openWorkspace(terminal);
  const address = {
    url: options['placement-server'],
    authority: options['placement-server-ca'],
    namespace: options['hub-namespace'],
  };
  const reached = await reachPlacementServer(connection, address, workspace.path);
  if ('why' in reached) {
    const unasked: Unasked = { what: placementWords(placements), ...reached };
    return { subjects: [], unasked: [unasked] };
  }
  try {
    return await verifyPlacements({
      reader: connection.reader,
      server: reached.server,
      placements,
      held,
      release: target.hub,
      variations: options.random,
      seed,
      now: () => terminal.now(),
      progress: (answers) => terminal.progress?.(`asked about ${answers} Placements …`),
    });
  } finally {
    terminal.progress?.('');
    reached.close();
  }
}

/** The API server has validated them. */
function placementsOf(held: HubResolution['held']): readonly PlacementV1beta1[] {
  const { kind } = ocmKinds.placement;
  return held.flatMap(({ object }) => (object.kind === kind ? [object as unknown as PlacementV1beta1] : []));
}

/** Asks about the output of the selected apps. Whether something is removed depends on the output of all apps. */
async function askForObjects(
  { app, apps }: VerifyArguments,
  { masks, connection }: Questions,
  terminal: Terminal,
): Promise<VerifiedPart> {
  const workspace = await openWorkspace(terminal);
  const out = path.join(workspace.root, workspace.settings.out);
  const selected = new Set(app.map((word) => path.basename(word)));
  const folders = (await emittedFolders(out)).filter((name) => app.length === 0 || selected.has(name));
  const objects: KubernetesObject[] = [];
  for (const folder of folders) objects.push(...(await outputObjects(path.join(out, folder))));
  const isWhole = app.length === 0 && apps === undefined;
  const { removals, unasked } = isWhole
    ? await removedObjects(connection.reader, workspace)
    : { removals: [], unasked: [] };
  const part = await verifyObjects({
    hub: connection,
    engine: workspace.settings.engine,
    objects: distinct(objects),
    removals,
    masks,
    now: () => terminal.now(),
    progress: (answers) => terminal.progress?.(`asked about ${answers} objects …`),
  });
  terminal.progress?.('');
  return { subjects: part.subjects, unasked: [...unasked, ...part.unasked] };
}

/** How often the state of the hub is read again if it differs: its controllers may be at work. */
const repetitions = 2;
const pause = 3000;

/** Reads again what the hub has computed. */
async function computedState(questions: Questions, terminal: Terminal): Promise<VerifiedPart> {
  const { connection, now } = questions;
  for (let time = 1; ; time++) {
    terminal.progress?.('read what the hub has computed …');
    const held = await readHub(connection.reader, [], now, stateReading);
    terminal.progress?.('');
    const part = await stateOf(questions, held, terminal);
    if (isAsPredicted(part) || time === repetitions) return part;
    await wait(pause);
  }
}

/** Compares what the hub has computed for the objects that it has. */
async function stateOf(
  { target, connection, names }: Questions,
  held: HubResolution['held'],
  terminal: Terminal,
): Promise<VerifiedPart> {
  const { value, diagnostics } = resolve(asApplied(held), { now: terminal.now(), hub: target.hub });
  if (value === undefined) {
    const [first] = diagnostics;
    const why = `its objects have errors: ${first?.message ?? ''}`;
    return { subjects: [], unasked: [{ what: 'what the hub has computed', why }] };
  }
  const objects = held.map(({ object }) => object);
  const waiting = waitingClusters(value, objects);
  const state = compareState(value, target, objects, waiting, names);
  const rendered = await verifyRendered(connection.reader, value, waiting, names);
  return {
    subjects: [...state.subjects, ...rendered.subjects],
    unasked: [...unaskedForWaves(waiting, names?.addOns), ...state.unasked, ...rendered.unasked],
  };
}

function isAsPredicted({ subjects }: VerifiedPart): boolean {
  return subjects.every(({ disagreements }) => disagreements.length === 0);
}

/** Several apps may contain the same object. */
function distinct(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return [...new Map(objects.map((object) => [fileName(object), object])).values()];
}

function placementWords(placements: readonly PlacementV1beta1[]): string {
  const names = placements.map(({ metadata: { namespace, name = '' } }) => objectKey(namespace, name));
  return names.length === 1 ? `Placement ${names.join()}` : `${names.length} Placements`;
}
