import { isGoJsonObject, type GoJsonObject } from '../../../base/json/go-json.ts';

/** When Helm creates a hook. */
export type HookEvent =
  | 'pre-install'
  | 'post-install'
  | 'pre-delete'
  | 'post-delete'
  | 'pre-upgrade'
  | 'post-upgrade'
  | 'pre-rollback'
  | 'post-rollback'
  | 'test';

/** An object that Helm creates beside the objects of a release, at an event. */
export interface ChartHook {
  /** Empty if Helm knows one of the events not: then it never creates the hook. */
  readonly events: readonly HookEvent[];
  /** The text of the annotation. */
  readonly text: string;
  /** Hooks with a lower weight come first. */
  readonly weight: number;
}

const events: ReadonlyMap<string, HookEvent> = new Map<string, HookEvent>([
  ...(
    [
      'pre-install',
      'post-install',
      'pre-delete',
      'post-delete',
      'pre-upgrade',
      'post-upgrade',
      'pre-rollback',
      'post-rollback',
      'test',
    ] as const
  ).map((event) => [event, event] as const),
  // The name in Helm 2.
  ['test-success', 'test'],
]);

/** Returns the hook that an object is. As Helm sorts a manifest file by its hooks. */
export function hookOf({ metadata }: GoJsonObject): ChartHook | undefined {
  const annotations = isGoJsonObject(metadata) ? metadata['annotations'] : undefined;
  if (!isGoJsonObject(annotations)) return undefined;
  const text = annotations['helm.sh/hook'];
  if (typeof text !== 'string') return undefined;
  const named = text.split(',').map((each) => events.get(each.trim().toLowerCase()));
  const known = named.filter((event) => event !== undefined);
  return {
    events: known.length === named.length ? known : [],
    text,
    weight: weightOf(annotations['helm.sh/hook-weight']),
  };
}

/** As strconv.Atoi; 0 for what is not an integer. */
function weightOf(text: unknown): number {
  return typeof text === 'string' && /^[-+]?\d+$/.test(text) ? Number(text) : 0;
}
