import type {
  PlacementV1beta1AddOnScore,
  PlacementV1beta1PrioritizerConfig,
  PlacementV1beta1PrioritizerPolicy,
} from '../../../../schemas/types.gen.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { Misconfiguration } from '../fault.ts';

export type BuiltInPrioritizer =
  'Balance' | 'Steady' | 'ResourceAllocatableCPU' | 'ResourceAllocatableMemory';

/** A prioritizer that counts for a placement. */
export type WeightedPrioritizer = {
  /** The name that the hub shows: the built-in's name, or `AddOn/<resource>/<score>`. */
  readonly name: string;
  /** Never 0. */
  readonly weight: number;
} & (
  | { readonly builtIn: BuiltInPrioritizer; readonly addOn?: undefined }
  | { readonly builtIn?: undefined; readonly addOn: PlacementV1beta1AddOnScore }
);

interface Entry {
  readonly type: string;
  readonly builtIn: string;
  readonly addOn?: PlacementV1beta1AddOnScore;
  readonly weight: number;
  readonly path: FieldPath;
}

const policyPath: FieldPath = ['spec', 'prioritizerPolicy'];
const builtIns: readonly string[] = [
  'Balance',
  'Steady',
  'ResourceAllocatableCPU',
  'ResourceAllocatableMemory',
] satisfies BuiltInPrioritizer[];

/** Returns the prioritizers of a placement and their weights. As getWeights and getPrioritizers of OCM's schedule.go. */
export function weightedPrioritizers(
  policy: PlacementV1beta1PrioritizerPolicy | undefined,
): readonly WeightedPrioritizer[] | Misconfiguration {
  const entries: Entry[] = [];
  const mode = policy?.mode ?? '';
  if (mode === 'Additive' || mode === '') entries.push(byDefault('Balance'), byDefault('Steady'));
  else if (mode !== 'Exact')
    return misconfigured(`incorrect prioritizer policy mode: ${mode}`, [...policyPath, 'mode']);

  for (const [index, configuration] of (policy?.configurations ?? []).entries()) {
    const path: FieldPath = [...policyPath, 'configurations', index];
    const entry = entryOf(configuration, path);
    if (entry === undefined) return misconfigured('scoreCoordinate field is required', path);
    const replaced = entries.findIndex((other) => isSame(other, entry));
    if (replaced < 0) entries.push(entry);
    else entries[replaced] = entry;
  }
  return prioritizersOf(entries);
}

function prioritizersOf(entries: readonly Entry[]): readonly WeightedPrioritizer[] | Misconfiguration {
  const prioritizers: WeightedPrioritizer[] = [];
  for (const { type, builtIn, addOn, weight, path } of entries) {
    // disabled before its name is read
    if (weight === 0) continue;
    if (type === 'BuiltIn') {
      if (!isBuiltIn(builtIn)) return misconfigured(`incorrect builtin prioritizer: ${builtIn}`, path);
      prioritizers.push({ name: builtIn, builtIn, weight });
    } else {
      if (addOn === undefined) return misconfigured('addOn should not be empty', path);
      prioritizers.push({ name: `AddOn/${addOn.resourceName}/${addOn.scoreName}`, addOn, weight });
    }
  }
  return prioritizers;
}

/**
 * Returns the entry of a configuration; undefined without a coordinate. The schema requires one; without it the controller
 * reports an error.
 */
function entryOf(
  configuration: Partial<PlacementV1beta1PrioritizerConfig>,
  path: FieldPath,
): Entry | undefined {
  const { scoreCoordinate, weight = 0 } = configuration;
  if (scoreCoordinate === undefined) return undefined;
  const { builtIn = '', addOn }: Partial<typeof scoreCoordinate> = scoreCoordinate;
  const type: string | undefined = scoreCoordinate.type;
  return { type: type ?? '', builtIn, weight, path, ...(addOn === undefined ? {} : { addOn }) };
}

function byDefault(builtIn: BuiltInPrioritizer): Entry {
  return { type: 'BuiltIn', builtIn, weight: 1, path: policyPath };
}

// The hub compares add-on scores by address: two equal ones are separate, and both count.
function isSame(a: Entry, b: Entry): boolean {
  return a.addOn === undefined && b.addOn === undefined && a.type === b.type && a.builtIn === b.builtIn;
}

function isBuiltIn(name: string): name is BuiltInPrioritizer {
  return builtIns.includes(name);
}

function misconfigured(message: string, path: FieldPath): Misconfiguration {
  return { plugin: '', message, path };
}
