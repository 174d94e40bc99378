import { addToGroup } from '../../../src/base/collections/groups.ts';
import { goJson } from '../../../src/base/json/go-json.ts';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import {
  check,
  hubVersion,
  load,
  plan,
  resolve,
  type Code,
  type Plan,
  type Resolution,
} from '../../../src/compiler/index.ts';
import { isTried } from '../../../src/compiler/check/cluster/sent-manifest.ts';
import { applyFaults } from '../../../src/ocm/clusters/apply-faults.ts';
import { updateStrategyOf, type UpdateStrategy } from '../../../src/ocm/clusters/manifest-options.ts';
import { validationFaults } from '../../../src/base/validation/validation-faults.ts';
import { isRecreated, storedManifest } from '../../../src/ocm/clusters/stored-manifest.ts';
import { ocmKinds } from '../client/kinds.ts';
import { made } from '../differential/fleet.ts';
import { permittingWork } from './granted-permissions.ts';
import { cluster, workOf, type RandomWork, type Side } from './random-works.ts';
import type { ManifestPair } from './manifest-pairs.ts';

/** Why a manifest is not applied: a finding of the compiler, and its words about the manifest. */
export interface Reason {
  readonly code: Code;
  readonly message: string;
}

/** What the compiler predicts of a manifest. */
export interface Answer {
  /** Empty if the manifest is applied. */
  readonly reasons: readonly Reason[];
  /** What the object has afterwards. Undefined if it does not exist. */
  readonly stored: JsonMap | undefined;
  /** Whether the API server validates the manifest together with the fields that the object has besides. */
  readonly isMerged: boolean;
  /** Whether the object is applied once, and refused whenever the agent looks at it again. */
  readonly isUpdatedInVain: boolean;
  /** Why nothing is predicted. */
  readonly unpredicted?: string;
}

/** The findings that mean that a cluster does not apply a manifest. */
const refusing: ReadonlySet<Code> = new Set([
  'FW7131',
  'FW7139',
  'FW8310',
  'FW8311',
  'FW8312',
  'FW8313',
  'FW8319',
]);

/** An object that is created once, and whose later updates the cluster refuses. When the agent looks at it again, no input decides. */
const inVain: Code = 'FW8314';

const hub = hubVersion('1.3');

/** Returns what `validate` and `plan` predict for each manifest of the works and of their updates. */
export function predictedAnswers(
  works: readonly RandomWork[],
): ReadonlyMap<ManifestPair, Readonly<Record<Side, Answer>>> {
  const [base, head] = [resolved(works, 'before'), resolved(works, 'after')];
  const refusals = { before: refusalsOf(base), after: refusalsOf(head) };
  const changes = refusedChanges(plan([{ app: 'app', base, head }], { hub, by: [] }).value);
  return new Map(
    single(works).map(({ work: { name, options }, pair }) => {
      const before = answerOf(pair.before, pair, { options, reasons: refusals.before.get(name) });
      const after = answerOf(pair.after, pair, {
        options,
        earlier: before,
        reasons: refusals.after.get(name),
        changes: changes.get(name),
      });
      return [pair, { before, after }] as const;
    }),
  );
}

/** What is known of a manifest. */
interface Known {
  /** The fields of the work that concern all manifests. */
  readonly options: JsonMap;
  /** What was predicted of the manifest before the update. */
  readonly earlier?: Answer;
  /** The findings of `validate`. */
  readonly reasons?: readonly Reason[] | undefined;
  /** The changes that clusters refuse, as the plan says. */
  readonly changes?: readonly Reason[] | undefined;
}

function answerOf(manifest: JsonMap, pair: ManifestPair, known: Known): Answer {
  const { options, earlier, reasons: findings = [], changes = [] } = known;
  const found = findings.filter(({ code }) => code !== inVain);
  const { key, resource, config } = pair;
  const existing = earlier?.stored;
  const strategy = updateStrategyOf({ manifestConfigs: config === undefined ? [] : [config] }, resource);
  const stored = storedManifest(key, strategy, existing, manifest);
  // `validate` is about a new object. Of one that exists, the API server validates what the agent changes
  const isNew = existing === undefined || isTried(options, { resource });
  const faults = isNew ? undefined : updateFaults(strategy, existing, stored, manifest);
  const reasons = [
    ...found.filter(
      ({ code, message }) =>
        code !== 'FW7139' || faults === undefined || faults.some((fault) => message.includes(fault)),
    ),
    // a plan assumes that the earlier manifest was applied
    ...(existing === undefined ? [] : changes),
  ];
  // the agent has deleted it before the API server refuses the new one
  const isLost =
    existing !== undefined &&
    reasons.every(({ code }) => code === 'FW7139') &&
    isRecreated(key, strategy, existing, manifest);
  const unpredicted =
    earlier?.unpredicted ??
    unpredictedOf({ key, strategy, existing, manifest, isApplied: reasons.length === 0 });
  return {
    reasons,
    isUpdatedInVain: found.length < findings.length,
    isMerged: existing !== undefined && strategy === 'ServerSideApply',
    stored: reasons.length > 0 ? (isLost ? undefined : existing) : stored,
    ...(unpredicted !== undefined && { unpredicted }),
  };
}

/** Returns what the API server says about an object that the agent changes. */
function updateFaults(
  strategy: UpdateStrategy,
  existing: JsonMap,
  stored: JsonMap | undefined,
  manifest: JsonMap,
): readonly string[] {
  if (stored === undefined || stored === existing) return [];
  const unmergeable = strategy === 'ServerSideApply' ? applyFaults(manifest) : [];
  return [...unmergeable, ...validationFaults(stored).filter(({ isOfNew }) => !isOfNew)].map(
    ({ field, message }) => `${field}: ${message}`,
  );
}

interface Written {
  /** `group/Kind`. */
  readonly key: string;
  readonly strategy: UpdateStrategy;
  readonly existing: JsonMap | undefined;
  readonly manifest: JsonMap;
  /** Whether no reason against it is known. */
  readonly isApplied: boolean;
}

/** Returns why nothing is predicted of a manifest. docs/plan.md lists these reasons. */
function unpredictedOf({ key, strategy, existing, manifest, isApplied }: Written): string | undefined {
  const isWritten = strategy === 'Update' || strategy === 'ServerSideApply';
  const hasClass = (claim: JsonMap | undefined): boolean =>
    (claim?.['spec'] as JsonMap | undefined)?.['storageClassName'] !== undefined;
  if (key === '/PersistentVolumeClaim' && isWritten && existing && !hasClass(existing) && hasClass(manifest))
    return 'storageClassName of a claim that had none';
  if (!isApplied || strategy !== 'ServerSideApply') return undefined;
  if (validationFaults(manifest).some(({ isMissing }) => isMissing))
    return 'ServerSideApply without a required field';
  const isAggregated = (existing?.['aggregationRule'] ?? undefined) !== undefined;
  return isAggregated && manifest['rules'] !== undefined
    ? 'ServerSideApply of rules into an aggregated ClusterRole'
    : undefined;
}

/** Each manifest as a work by itself, so that every finding is about one manifest. */
function single(
  works: readonly RandomWork[],
): readonly { readonly work: RandomWork; readonly pair: ManifestPair }[] {
  return works.flatMap(({ name, pairs, options }) =>
    pairs.map((pair, index) => ({ work: { name: `${name}-${index}`, pairs: [pair], options }, pair })),
  );
}

function resolved(works: readonly RandomWork[], side: Side): Resolution {
  const objects: readonly KubernetesObject[] = [
    made(ocmKinds.managedCluster, cluster, undefined, { spec: { hubAcceptsClient: true } }),
    permittingWork(cluster),
    ...single(works).map(({ work }) => workOf(work, side)),
  ];
  const text = objects.map(goJson).join('\n---\n');
  const loaded = load([{ file: 'works.yaml', text, source: 'app' }]);
  const { value, diagnostics } = resolve(loaded.value, { now: 0, hub });
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return value;
}

/** Returns the findings of `validate` that mean a refusal, now or later, by work. */
function refusalsOf(resolution: Resolution): ReadonlyMap<string, readonly Reason[]> {
  const findings = check({ ...resolution, hub }).filter(({ code }) => refusing.has(code) || code === inVain);
  const reasons = new Map<string, Reason[]>();
  for (const { code, message, object } of findings)
    addToGroup(reasons, object?.name ?? '', { code, message });
  return reasons;
}

/** Returns the changes that clusters refuse as the plan says, by work. */
function refusedChanges({ addOns }: Plan): ReadonlyMap<string, readonly Reason[]> {
  return new Map(
    addOns.map(({ addOn, groups }) => [
      addOn,
      groups
        .flatMap(({ answers = [] }) => answers.filter(({ kind }) => kind === 'refused'))
        .map(({ words }) => ({ code: 'FW8320', message: words })),
    ]),
  );
}
