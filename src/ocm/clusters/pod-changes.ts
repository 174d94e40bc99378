import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { UpdateStrategy } from './manifest-options.ts';
import { mapAt, renameHint, type RefusedChange } from './refused-change.ts';

/** What the API server writes into a pod. */
const defaults: JsonMap = {
  dnsPolicy: 'ClusterFirst',
  enableServiceLinks: true,
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  securityContext: {},
  serviceAccountName: 'default',
  terminationGracePeriodSeconds: 30,
};

/** The fields with rules that are more than whether they differ. */
const separate: ReadonlySet<string> = new Set(['activeDeadlineSeconds', 'schedulingGates', 'tolerations']);

/** As ValidatePodUpdate. Update changes only labels and annotations, as ApplyPod of library-go. */
export function podChanges(
  before: JsonMap,
  after: JsonMap,
  strategy: UpdateStrategy,
): readonly RefusedChange[] {
  if (strategy === 'Update') return [];
  const [from, to] = [mapAt(before, 'spec'), mapAt(after, 'spec')];
  const immutable = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((field) => !separate.has(field) && contentOf(field, from) !== contentOf(field, to))
    .map((field) => ({ words: `spec.${field} is immutable`, hint: renameHint }));
  const [deadline, later] = [from['activeDeadlineSeconds'], to['activeDeadlineSeconds']];
  const isPostponed = typeof deadline === 'number' && (typeof later !== 'number' || later > deadline);
  return [
    ...immutable,
    ...(isPostponed ? [{ words: 'spec.activeDeadlineSeconds can only become less', hint: renameHint }] : []),
    ...(hasAll(to['tolerations'], from['tolerations'])
      ? []
      : [{ words: 'spec.tolerations can only be added', hint: renameHint }]),
    ...(hasAll(from['schedulingGates'], to['schedulingGates'])
      ? []
      : [{ words: 'spec.schedulingGates can only be removed', hint: renameHint }]),
  ];
}

/** Returns a field without the images of its containers. */
function contentOf(field: string, spec: JsonMap): string {
  const value = spec[field] ?? defaults[field] ?? null;
  if ((field !== 'containers' && field !== 'initContainers') || !Array.isArray(value)) return goJson(value);
  return goJson(value.map((item: unknown) => (isJsonMap(item) ? { ...item, image: '' } : item)));
}

function hasAll(list: unknown, items: unknown): boolean {
  const [all, wanted] = [list, items].map((value) => (Array.isArray(value) ? value.map(goJson) : []));
  const texts = new Set(all);
  return wanted?.every((text) => texts.has(text)) === true;
}
