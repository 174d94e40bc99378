import { forbidden, incomplete, invalid, notSupported, required, type FieldFault } from './field-fault.ts';
import { GoStruct } from './go-struct.ts';
import { isEmptySelector, printedSelector, selectorFaults, selects, strictSelectorFaults } from './labels.ts';
import { podTemplateFaults } from './pod-spec.ts';
import { Struct } from './struct.ts';
import { amountOf, integerOrPercentFaults, negativeFaults, over100PercentFaults } from './values.ts';

/** As ValidateDeploymentSpec. */
export function deploymentFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const deadline = spec.integer('progressDeadlineSeconds') ?? 600;
  const minReady = spec.integer('minReadySeconds') ?? 0;
  const field = spec.at('progressDeadlineSeconds');
  return [
    ...counts(spec, ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds']),
    ...requiredSelectorFaults(spec, 'deployment', 'invalid label selector'),
    ...longRunningFaults(spec, 'ReplicaSet'),
    ...deploymentStrategyFaults(spec.embedded('strategy')),
    ...(deadline > minReady ? [] : [invalid(field, deadline, 'must be greater than minReadySeconds')]),
  ];
}

/** As ValidateReplicaSetSpec. */
export function replicaSetFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  return [
    ...counts(spec, ['replicas', 'minReadySeconds']),
    ...requiredSelectorFaults(spec, 'deployment', 'invalid label selector'),
    ...longRunningFaults(spec, 'ReplicaSet'),
  ];
}

/** As ValidateDaemonSetSpec. */
export function daemonSetFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const selector = spec.struct('selector');
  const isUsable = strictSelectorFaults(selector).length === 0;
  return [
    ...selectorFaults(selector),
    ...(!isUsable || selects(selector, templateLabels(spec)) ? [] : [unmatchedTemplate(spec)]),
    ...(selector !== undefined && isEmptySelector(selector)
      ? [invalid(selector.field, printedSelector(selector), 'empty selector is invalid for daemonset')]
      : []),
    ...podTemplateFaults(spec.embedded('template')),
    ...longRunningFaults(spec, 'DaemonSet'),
    ...counts(spec, ['minReadySeconds', 'revisionHistoryLimit']),
    ...daemonSetStrategyFaults(spec.embedded('updateStrategy')),
  ];
}

/**
 * As ValidateStatefulSetSpec. The templates of claims are volumes of the pods. The claims, their retention and the name of the
 * service are not checked, because older releases accept any.
 */
export function statefulSetFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const management = spec.text('podManagementPolicy');
  return [
    ...(['', 'OrderedReady', 'Parallel'].includes(management)
      ? []
      : [invalid(spec.at('podManagementPolicy'), management, "must be 'OrderedReady' or 'Parallel'")]),
    ...statefulSetStrategyFaults(spec.embedded('updateStrategy')),
    ...counts(spec, ['replicas', 'minReadySeconds']),
    ...requiredSelectorFaults(withClaims(spec), 'statefulset', ''),
    ...longRunningFaults(spec, 'StatefulSet'),
  ];
}

/** As volumesToAddForTemplates: the controller also sets the host name and the subdomain. */
function withClaims(spec: Struct): Struct {
  const template = spec.embedded('template');
  const pod = template.embedded('spec');
  const claims = spec
    .structs('volumeClaimTemplates')
    .map((claim) => claim.embedded('metadata').text('name'))
    .filter((name) => name !== '');
  const own = pod.structs('volumes').filter((volume) => !claims.includes(volume.text('name')));
  const { hostname: _, subdomain: __, ...others } = pod.fields;
  const volumes = [
    ...own.map(({ fields }) => fields),
    ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
  ];
  const changed = { ...template.fields, spec: { ...others, volumes } };
  return new Struct({ ...spec.fields, template: changed }, spec.field);
}

/** As ValidateReplicationControllerSpec. An absent selector is that of the template's labels. */
export function replicationControllerFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const template = spec.struct('template');
  const selector = spec.textMap('selector');
  const labels = templateLabels(spec);
  const isMatched = [...selector].every(([key, value]) => labels.get(key) === value);
  return [
    ...counts(spec, ['replicas', 'minReadySeconds']),
    ...(selector.size === 0 && labels.size === 0 ? [required(spec.at('selector'))] : []),
    ...(template === undefined
      ? [required(spec.at('template'))]
      : [...(isMatched ? [] : [unmatchedTemplate(spec)]), ...podTemplateFaults(template)]),
    ...longRunningFaults(spec, 'ReplicationController'),
  ];
}

/** The selector that must exist, and the template that it must select. An invalid selector ends the validation of the template. */
function requiredSelectorFaults(spec: Struct, kind: string, unusable: string): readonly FieldFault[] {
  const selector = spec.struct('selector');
  const wrong = strictSelectorFaults(selector);
  if (wrong.length > 0 && selector !== undefined)
    return [...wrong, invalid(selector.field, printedSelector(selector), unusable)];
  const isEmpty = selector !== undefined && isEmptySelector(selector);
  return [
    ...(selector === undefined ? [required(spec.at('selector'))] : []),
    ...(isEmpty
      ? [invalid(selector.field, printedSelector(selector), `empty selector is invalid for ${kind}`)]
      : []),
    ...(isEmpty || selects(selector, templateLabels(spec)) ? [] : [unmatchedTemplate(spec)]),
    ...podTemplateFaults(spec.embedded('template')),
  ];
}

/** Returns the labels of the pod template of a workload. */
export function templateLabels(spec: Struct): ReadonlyMap<string, string> {
  return spec.embedded('template').embedded('metadata').textMap('labels');
}

/** The fault of a template that the selector of its workload does not select. */
export function unmatchedTemplate(spec: Struct): FieldFault {
  const metadata = spec.embedded('template').embedded('metadata');
  return incomplete(
    metadata.at('labels'),
    metadata.value('labels'),
    '`selector` does not match template `labels`',
  );
}

/** Pods that a controller keeps running restart always, and have no deadline. */
function longRunningFaults(spec: Struct, kind: string): readonly FieldFault[] {
  const pod = spec.embedded('template').embedded('spec');
  const policy = pod.text('restartPolicy');
  // Deployments and ReplicaSets with an invalid selector are validated no further
  if (kind === 'ReplicaSet' && strictSelectorFaults(spec.struct('selector')).length > 0) return [];
  return [
    ...(policy === '' || policy === 'Always'
      ? []
      : [notSupported(pod.at('restartPolicy'), policy, ['Always'])]),
    ...(pod.has('activeDeadlineSeconds')
      ? [forbidden(pod.at('activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`)]
      : []),
  ];
}

function counts(spec: Struct, names: readonly string[]): readonly FieldFault[] {
  return names.flatMap((name) => negativeFaults(spec.at(name), spec.integer(name)));
}

/** As ValidateDeploymentStrategy. The defaults are 25%. */
function deploymentStrategyFaults(strategy: Struct): readonly FieldFault[] {
  const type = strategy.text('type');
  if (type === 'Recreate')
    return strategy.has('rollingUpdate')
      ? [forbidden(strategy.at('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  if (type !== '' && type !== 'RollingUpdate')
    return [
      notSupported(strategy.field, printedStrategy(strategy, printedRollout), ['Recreate', 'RollingUpdate']),
    ];
  const update = strategy.embedded('rollingUpdate');
  const [unavailable, surge] = [update.value('maxUnavailable') ?? '25%', update.value('maxSurge') ?? '25%'];
  const isStuck = amountOf(unavailable) === 0 && amountOf(surge) === 0;
  return [
    ...integerOrPercentFaults(update.at('maxUnavailable'), unavailable),
    ...integerOrPercentFaults(update.at('maxSurge'), surge),
    ...(isStuck
      ? [invalid(update.at('maxUnavailable'), unavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...over100PercentFaults(update.at('maxUnavailable'), unavailable),
  ];
}

/** As ValidateDaemonSetUpdateStrategy. */
function daemonSetStrategyFaults(strategy: Struct): readonly FieldFault[] {
  const type = strategy.text('type');
  if (type === 'OnDelete') return [];
  if (type !== '' && type !== 'RollingUpdate')
    return [
      notSupported(strategy.field, printedStrategy(strategy, printedRollout), ['RollingUpdate', 'OnDelete']),
    ];
  const update = strategy.embedded('rollingUpdate');
  const [unavailable, surge] = [update.value('maxUnavailable') ?? 1, update.value('maxSurge') ?? 0];
  const [isUnavailable, isSurging] = [amountOf(unavailable) !== 0, amountOf(surge) !== 0];
  return [
    ...[[update.at('maxUnavailable'), unavailable] as const, [update.at('maxSurge'), surge] as const].flatMap(
      ([field, value]) => [...integerOrPercentFaults(field, value), ...over100PercentFaults(field, value)],
    ),
    ...(isUnavailable && isSurging
      ? [invalid(update.at('maxSurge'), surge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(!isUnavailable && !isSurging
      ? [required(update.at('maxUnavailable'), 'cannot be 0 when maxSurge is 0')]
      : []),
  ];
}

/** As ValidateStatefulSetSpec, for the strategy. The number of unavailable pods depends on a feature gate. */
function statefulSetStrategyFaults(strategy: Struct): readonly FieldFault[] {
  const type = strategy.text('type');
  const update = strategy.struct('rollingUpdate');
  if (type === 'OnDelete')
    return update === undefined
      ? []
      : [invalid(update.field, printedPartition(update), "only allowed for updateStrategy 'RollingUpdate'")];
  if (type !== '' && type !== 'RollingUpdate')
    return [
      invalid(
        strategy.field,
        printedStrategy(strategy, printedPartition),
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    ];
  return update === undefined ? [] : negativeFaults(update.at('partition'), update.integer('partition'));
}

/** As the strategies of package apps, which differ in what they have of a rolling update. */
function printedStrategy(strategy: Struct, printedUpdate: (update: Struct) => GoStruct): GoStruct {
  const update = strategy.struct('rollingUpdate');
  return new GoStruct({ Type: strategy.text('type'), RollingUpdate: update && printedUpdate(update) });
}

/** As apps.RollingUpdateDeployment and apps.RollingUpdateDaemonSet. */
function printedRollout(update: Struct): GoStruct {
  return new GoStruct({
    MaxUnavailable: update.value('maxUnavailable') ?? 0,
    MaxSurge: update.value('maxSurge') ?? 0,
  });
}

/** As apps.RollingUpdateStatefulSetStrategy. */
function printedPartition(update: Struct): GoStruct {
  return new GoStruct({
    Partition: update.integer('partition') ?? 0,
    MaxUnavailable: update.value('maxUnavailable'),
  });
}
