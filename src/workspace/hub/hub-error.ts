import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { objectKey, type Code } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { AnswerError, ApiError, isExpired, sentenceOf, type AnswerFault } from '../../client/api-error.ts';
import { longestAnswer } from '../../client/api-calls.ts';
import { deepestAnswer } from '../../client/nesting.ts';
import { mostBeginnings } from '../../client/api-reader.ts';
import { CredentialsError } from '../../client/kubeconfig/error.ts';
import type { Resource } from '../../client/resource.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { DiagnosedError } from '../diagnosed-error.ts';

/** The reasons why nothing could be read from a hub. */
export type HubErrorCode = Extract<
  Code,
  'FW9004' | 'FW9005' | 'FW9006' | 'FW9007' | 'FW9008' | 'FW9012' | 'FW9034' | 'FW9043'
>;

/** A hub cannot be read. The inputs of the command may be correct. */
export class HubError extends DiagnosedError {
  constructor(code: HubErrorCode, message: string, hint: string) {
    super(diagnostic(code, { message, hint }));
    this.name = 'HubError';
  }
}

/** Returns the error for a kubeconfig that leads to no hub. */
export function unusable(message: string): HubError {
  return new HubError('FW9004', message, 'name another file with --kubeconfig, or a context with --context');
}

/** A request that failed. */
export interface FailedRequest {
  /** The URL of the API server. */
  readonly server: string;
  readonly verb: 'list' | 'get';
  /** Undefined for a request that discovers kinds. */
  readonly resource?: Resource | undefined;
}

/** Returns the error of a request that the hub rejected or did not answer. */
export function hubError(error: unknown, request: FailedRequest): HubError {
  if (error instanceof ApiError) return rejected(error, request);
  if (error instanceof AnswerError) return unusableAnswer(error, request);
  const { server } = request;
  const cause = error instanceof Error ? error.cause : undefined;
  const sentence = sentenceOf(cause ?? error);
  if (cause instanceof CredentialsError)
    return unusable(`the kubeconfig gives no access to ${server}: ${sentence}`);
  return new HubError(
    'FW9005',
    `${server} cannot be reached: ${sentence}`,
    'check the address in the kubeconfig, and what is in between: VPN, proxy, certificates',
  );
}

function rejected(error: ApiError, { server, verb, resource }: FailedRequest): HubError {
  const { code, message } = error.status;
  if (code === 401) {
    return new HubError(
      'FW9006',
      `${server} rejected the credentials: ${message}`,
      'the token or certificate of the kubeconfig is invalid or has expired; log in again',
    );
  }
  if (code === 403) {
    const { plural, apiVersion } = resource ?? { plural: 'its kinds', apiVersion: '' };
    return new HubError(
      'FW9007',
      `${server} does not allow this user to ${verb} ${plural}: ${message}`,
      `grant it a ClusterRole with the rule apiGroups: ["${groupOf(apiVersion)}"], resources: ["${plural}"], verbs: ["get", "list"]`,
    );
  }
  if (isExpired(error) && verb === 'list' && resource !== undefined) {
    return new HubError(
      'FW9005',
      `${server} expires the list of ${resource.plural} before it is read, ${mostBeginnings} times in a row`,
      'the hub compacts its history faster than it answers; try again when it has less load',
    );
  }
  const hint = code >= 500 ? 'the API server is unhealthy; try again later' : isThatAnApiServer;
  return new HubError('FW9005', `${server} answers ${message}`, hint);
}

const isThatAnApiServer = 'is that the address of a Kubernetes API server?';

function unusableAnswer({ fault }: AnswerError, { server, resource }: FailedRequest): HubError {
  const kinds = resource?.plural ?? 'its kinds';
  const errors: Readonly<Record<AnswerFault, () => HubError>> = {
    'not-json': () => new HubError('FW9005', `${server} did not return JSON`, isThatAnApiServer),
    'not-a-list': () =>
      new HubError('FW9005', `${server} did not return a list of ${kinds}`, isThatAnApiServer),
    'not-an-object': () =>
      new HubError('FW9005', `${server} did not return an object of ${kinds}`, isThatAnApiServer),
    'wrong-type': () =>
      new HubError('FW9005', `${server} did not return valid objects of ${kinds}`, isThatAnApiServer),
    'not-an-event': () =>
      new HubError('FW9005', `${server} did not return an event of ${kinds}`, isThatAnApiServer),
    endless: () => beyondLimits(`${server} returns an endless list of ${kinds}`),
    'too-slow': () =>
      beyondLimits(`${server} answers too slowly: byte by byte, or for more than ${longestAnswer} s`),
    'too-deep': () =>
      beyondLimits(`${server} answers with objects that are nested more than ${deepestAnswer} deep`),
    'too-large': () => beyondLimits(`${server} answers with more than 256 MiB`),
  };
  return errors[fault]();
}

/** Returns the error for a hub that sends more data than any hub has. */
function beyondLimits(message: string): HubError {
  return new HubError('FW9034', message, 'is that the address of the hub? A proxy may answer in its place');
}

/** Returns the error for an answer with a field that is not what its kind has there. */
export function unexpectedField(
  server: string,
  { kind, metadata: { name = '', namespace } }: Pick<KubernetesObject, 'kind' | 'metadata'>,
  field: string,
  expected: string,
): HubError {
  return new HubError(
    'FW9043',
    `${server} returned ${kind} ${JSON.stringify(objectKey(namespace, name))}, in which ${field} must be ${expected}`,
    'is that an API server with the CustomResourceDefinitions of OCM? A proxy may answer in its place',
  );
}
