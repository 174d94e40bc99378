import { goJson } from '../../../base/json/go-json.ts';
import type {
  ManagedClusterAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1ConfigReference,
  ManifestWorkV1,
} from '../../../../schemas/types.gen.ts';
import type { Stored } from '../../../client/object.ts';
import { configKey, nameOf } from '../configuration/config-references.ts';
import type { DecidedCondition } from '../condition.ts';
import { conditionOf } from '../../../base/objects/condition.ts';
import { isTemplate, isDeploymentConfig } from '../../../ocm/referent.ts';
import { specHashAnnotation } from '../../../ocm/annotations.ts';

type ConfigReference = ManagedClusterAddOnV1alpha1ConfigReference;

/** The inputs for the progress. */
export interface ProgressFacts {
  /** As it is written. */
  readonly spec: ManagedClusterAddOnV1alpha1['spec'];
  /** As it will be written. */
  readonly status: ManagedClusterAddOnV1alpha1['status'] & object;
  readonly works: readonly Stored<ManifestWorkV1>[];
  /** Whether another cluster hosts the agent, so that there are works for it too. @default false */
  readonly isHosted?: boolean;
  /** The configurations without a hash, each as a sentence with the reason. */
  readonly missing: readonly string[];
  /** Whether the compiler rendered the works. */
  readonly isCompiled: boolean;
}

/** The progress of the add-on on the cluster. */
export interface Progress {
  readonly condition: DecidedCondition;
  /** Whether the whole desired state is applied. */
  readonly isCompleted: boolean;
}

/** Returns the condition `Progressing`. As OCM addonprogressing: the first that matches. */
export function progressOf({
  spec,
  status,
  works,
  isHosted = false,
  missing,
  isCompiled,
}: ProgressFacts): Progress {
  const supported = new Set(
    (status.supportedConfigs ?? []).map(({ group = '', resource }) => `${group}/${resource}`),
  );
  for (const { group = '', resource } of spec.configs ?? []) {
    if (supported.has(`${group}/${resource}`)) continue;
    const message = `Configuration with gvr ${group}/${resource} is not supported for this addon`;
    return waiting('ConfigurationUnsupported', message);
  }
  if (conditionOf(status.conditions, 'ManifestApplied') === undefined)
    return waiting('WaitingForManifestApplied', 'Waiting for ManagedClusterAddOn ManifestApplied condition');
  if (isHosted && conditionOf(status.conditions, 'HostingManifestApplied') === undefined)
    return waiting(
      'WaitingForHostingManifestApplied',
      'Waiting for ManagedClusterAddOn HostingManifestApplied condition',
    );
  if (works.length === 0) return progressing('no addon works');
  // OCM reports that as a mismatch too: nothing is completed before all configurations are known.
  const [first, ...more] = missing;
  if (first !== undefined)
    return progressing(more.length === 0 ? first : `${first}; ${more.length} more have no hash`);
  // The compiler reads only these kinds, so others do not change any work.
  const references = (status.configReferences ?? []).filter(
    (reference) => !isCompiled || isTemplate(reference) || isDeploymentConfig(reference),
  );
  for (const work of works) {
    if (!isRenderedWith(work, references)) return progressing('mca and work configs mismatch');
    if (!isReady(work)) return progressing('work is not ready');
  }
  const condition = {
    type: 'Progressing',
    status: 'False',
    reason: 'Completed',
    message: 'completed with no errors.',
  } as const;
  return { condition, isCompleted: true };
}

function waiting(reason: string, message: string): Progress {
  return { condition: { type: 'Progressing', status: 'False', reason, message }, isCompleted: false };
}

function progressing(what: string): Progress {
  const message = `progressing... ${what}`;
  const condition = { type: 'Progressing', status: 'True', reason: 'Progressing', message } as const;
  return { condition, isCompleted: false };
}

/**
 * Whether a work is rendered with the desired configurations. An empty hash on either side matches nothing: it is unknown
 * whether the configurations are the same.
 */
function isRenderedWith(
  { metadata }: Stored<ManifestWorkV1>,
  references: readonly ConfigReference[],
): boolean {
  const rendered = hashesOf(metadata.annotations?.[specHashAnnotation]);
  const desired = Object.fromEntries(
    references.map((reference) => [configKey(nameOf(reference)), reference.desiredConfig?.specHash ?? '']),
  );
  if ([...Object.values(rendered), ...Object.values(desired)].includes('')) return false;
  return goJson(rendered) === goJson(desired);
}

function hashesOf(annotation: string | undefined): Readonly<Record<string, string>> {
  if (annotation === undefined || annotation === '') return {};
  try {
    const hashes: unknown = JSON.parse(annotation);
    if (typeof hashes !== 'object' || hashes === null || Array.isArray(hashes)) return unreadable;
    return Object.values(hashes).every((hash) => typeof hash === 'string')
      ? (hashes as Readonly<Record<string, string>>)
      : unreadable;
  } catch {
    return unreadable;
  }
}

/** Matches nothing. */
const unreadable = { '': '' };

function isReady({ metadata, status }: Stored<ManifestWorkV1>): boolean {
  return ['Applied', 'Available'].every((type) => {
    const condition = conditionOf(status?.conditions, type);
    return condition?.status === 'True' && condition.observedGeneration === metadata.generation;
  });
}
