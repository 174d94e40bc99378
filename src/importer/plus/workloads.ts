import { call, plain } from '../code/expression.ts';
import type { Props } from './props.ts';
import type { PodSpec, WorkloadObject } from './manifests.ts';
import { podProps } from './pod.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { hasOthers, kplus, seconds, unlessDefault } from './field-code.ts';

/** The label that cdk8s-plus adds to identify pods. */
const addressLabel = 'cdk8s.io/metadata.addr';

interface DeploymentSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly progressDeadlineSeconds?: number;
  readonly strategy?: { readonly type?: string; readonly rollingUpdate?: unknown };
}

export function deploymentProps(
  { spec = {}, ...others }: WorkloadObject,
  scope: WorkloadScope,
): Props | undefined {
  const {
    replicas,
    minReadySeconds,
    progressDeadlineSeconds,
    strategy,
    ...more
  }: typeof spec & DeploymentSpec = spec;
  const pods = podsOf({ spec: more, ...others }, 'Always', scope);
  if (pods === undefined || hasOthers(more, 'selector', 'template')) return undefined;
  return {
    replicas: unlessDefault(replicas, 2),
    minReady: seconds(minReadySeconds, 0),
    progressDeadline: seconds(progressDeadlineSeconds, 600),
    strategy: strategy?.type === 'Recreate' ? call(kplus('DeploymentStrategy'), 'recreate') : undefined,
    ...pods,
  };
}

export function daemonSetProps(
  { spec = {}, ...others }: WorkloadObject,
  scope: WorkloadScope,
): Props | undefined {
  const { minReadySeconds, ...more }: typeof spec & { readonly minReadySeconds?: number } = spec;
  const pods = podsOf({ spec: more, ...others }, 'Always', scope);
  if (pods === undefined || hasOthers(more, 'selector', 'template')) return undefined;
  return { minReadySeconds: unlessDefault(minReadySeconds, 0), ...pods };
}

interface JobSpec {
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly ttlSecondsAfterFinished?: number;
}

export function jobProps({ spec = {}, ...others }: WorkloadObject, scope: WorkloadScope): Props | undefined {
  const { activeDeadlineSeconds, backoffLimit, ttlSecondsAfterFinished, ...more }: typeof spec & JobSpec =
    spec;
  const pods = podsOf({ spec: more, ...others }, 'Never', scope);
  if (pods === undefined || hasOthers(more, 'template')) return undefined;
  return {
    activeDeadline: seconds(activeDeadlineSeconds),
    backoffLimit: unlessDefault(backoffLimit),
    ttlAfterFinished: seconds(ttlSecondsAfterFinished),
    ...pods,
  };
}

function podsOf({ spec }: WorkloadObject, restartPolicy: string, scope: WorkloadScope): Props | undefined {
  const template = spec?.template;
  const pod: PodSpec | undefined = template?.spec;
  if (template === undefined || pod === undefined) return undefined;
  const props = podProps(pod, restartPolicy, scope);
  if (props === undefined) return undefined;
  const { [addressLabel]: address, ...labels } = template.metadata?.labels ?? {};
  if (address === undefined) return undefined;
  const metadata = {
    ...template.metadata,
    labels: Object.keys(labels).length > 0 ? labels : undefined,
  };
  const podMetadata = plain(metadata, undefined, (text) => scope.text(text));
  const isShown = podMetadata.type === 'object' && podMetadata.properties.length > 0;
  return { podMetadata: isShown ? podMetadata : undefined, ...props };
}
