import { canonicalString, signOf } from '../quantity.ts';
import { invalid, invalidEach, notSupported, required, undecodable, type FieldFault } from './field-fault.ts';
import { quantityOf } from './quantities.ts';
import type { Struct } from './struct.ts';
import { pathSegmentErrors, unsupported } from './values.ts';

/**
 * As validateHorizontalPodAutoscalerSpec, in all versions. That a minimum of 0 needs a feature gate, and the group of the target, are
 * not checked.
 */
export function horizontalPodAutoscalerFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const [least, most] = [spec.integer('minReplicas') ?? 1, spec.integer('maxReplicas') ?? 0];
  const field = spec.at('maxReplicas');
  return [
    ...(least < 0 ? [invalid(spec.at('minReplicas'), least, 'must be greater than or equal to 1')] : []),
    ...(most < 1 ? [invalid(field, most, 'must be greater than 0')] : []),
    ...(most < least ? [invalid(field, most, 'must be greater than or equal to `minReplicas`')] : []),
    ...referenceFaults(spec.embedded('scaleTargetRef')),
    // in autoscaling/v1 the metrics are annotations
    ...spec.structs('metrics').flatMap(metricFaults),
    ...['scaleUp', 'scaleDown'].flatMap((name) => {
      const rules = spec.embedded('behavior').struct(name);
      return rules === undefined ? [] : scalingFaults(rules);
    }),
  ];
}

/** As ValidateCrossVersionObjectReference, without the version. */
function referenceFaults(reference: Struct): readonly FieldFault[] {
  return ['kind', 'name'].flatMap((part) => {
    const text = reference.text(part);
    const field = reference.at(part);
    return text === '' ? [required(field)] : invalidEach(field, text, pathSegmentErrors(text));
  });
}

/** The source of a metric by its type. */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

/** As validateMetricSpec, for a metric with one source. */
function metricFaults(metric: Struct): readonly FieldFault[] {
  const type = metric.text('type');
  const field = metric.at('type');
  const name = sources[type];
  if (name === undefined)
    return [
      ...(type === '' ? [required(field, 'must specify a metric source type')] : []),
      notSupported(field, type, Object.keys(sources)),
    ];
  const source = metric.struct(name);
  if (source === undefined)
    return [required(metric.at(name), 'must populate information for the given metric source')];
  return [...sourceFaults(type, source), ...targetFaults(source.embedded('target'))];
}

function sourceFaults(type: string, source: Struct): readonly FieldFault[] {
  const target = source.embedded('target');
  const hasAverage = target.has('averageValue');
  const average = target.at('averageValue');
  switch (type) {
    case 'Resource':
    case 'ContainerResource':
      return [
        ...(source.text('name') === '' ? [required(source.at('name'), 'must specify a resource name')] : []),
        ...(type === 'ContainerResource' && source.text('container') === ''
          ? [required(source.at('container'), 'must specify a container')]
          : []),
        ...(hasAverage || target.has('averageUtilization')
          ? []
          : [
              required(
                target.at('averageUtilization'),
                'must set either a target raw value or a target utilization',
              ),
            ]),
      ];
    case 'Pods':
      return [
        ...identifierFaults(source),
        ...(hasAverage ? [] : [required(average, 'must specify a positive target averageValue')]),
      ];
    default:
      return [
        ...(type === 'Object' ? referenceFaults(source.embedded('describedObject')) : []),
        ...identifierFaults(source),
        ...(hasAverage || target.has('value')
          ? []
          : [
              required(
                average,
                type === 'Object'
                  ? 'must set either a target value or averageValue'
                  : 'must set either a target value for metric or a per-pod target',
              ),
            ]),
      ];
  }
}

function identifierFaults(source: Struct): readonly FieldFault[] {
  const metric = source.embedded('metric');
  const name = metric.text('name');
  const field = metric.at('name');
  return name === ''
    ? [required(field, 'must specify a metric name')]
    : invalidEach(field, name, pathSegmentErrors(name));
}

/** As validateMetricTarget. */
function targetFaults(target: Struct): readonly FieldFault[] {
  const type = target.text('type');
  const utilization = target.integer('averageUtilization');
  return [
    ...(type === '' ? [required(target.at('type'), 'must specify a metric target type')] : []),
    ...(['Utilization', 'Value', 'AverageValue'].includes(type)
      ? []
      : [invalid(target.at('type'), type, 'must be either Utilization, Value, or AverageValue')]),
    ...['value', 'averageValue'].flatMap((name) => {
      const read = quantityOf(target.value(name));
      if (read === undefined) return [];
      if (read.quantity === undefined) return [undecodable(target.at(name), read.error)];
      return signOf(read.quantity) > 0
        ? []
        : [invalid(target.at(name), canonicalString(read.quantity), 'must be positive')];
    }),
    ...(utilization !== undefined && utilization < 1
      ? [invalid(target.at('averageUtilization'), utilization, 'must be greater than 0')]
      : []),
  ];
}

/** As validateScalingRules. Absent policies have a default, an empty list has none. */
function scalingFaults(rules: Struct): readonly FieldFault[] {
  const window = rules.integer('stabilizationWindowSeconds') ?? 0;
  const field = rules.at('stabilizationWindowSeconds');
  const policies = rules.structs('policies');
  return [
    ...(window < 0 ? [invalid(field, window, 'must be greater than or equal to zero')] : []),
    ...(window > 3600 ? [invalid(field, window, 'must be less than or equal to 3600')] : []),
    ...unsupported(rules, 'selectPolicy', ['Disabled', 'Max', 'Min']),
    ...(rules.has('policies') && policies.length === 0
      ? [required(rules.at('policies'), 'must specify at least one Policy')]
      : []),
    ...policies.flatMap(policyFaults),
  ];
}

/** As validateScalingPolicy. */
function policyFaults(policy: Struct): readonly FieldFault[] {
  const type = policy.text('type');
  const [value, period] = [policy.integer('value') ?? 0, policy.integer('periodSeconds') ?? 0];
  return [
    ...(type === 'Pods' || type === 'Percent'
      ? []
      : [notSupported(policy.at('type'), type, ['Percent', 'Pods'])]),
    ...(value > 0 ? [] : [invalid(policy.at('value'), value, 'must be greater than zero')]),
    ...(period > 0 ? [] : [invalid(policy.at('periodSeconds'), period, 'must be greater than zero')]),
    ...(period > 1800
      ? [invalid(policy.at('periodSeconds'), period, 'must be less than or equal to 1800')]
      : []),
  ];
}
