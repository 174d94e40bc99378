import { ApiCalls } from '../../../client/api-calls.ts';
import { ApiError, ConnectionError } from '../../../client/api-error.ts';
import { pathOf } from '../../../client/resource.ts';
import type { Transport } from '../../../client/transport.ts';
import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { readServerAnswer, type PlacementAnswer } from '../../../compiler/verify/index.ts';
import { hubCallOptions } from '../connect-to-hub.ts';

/** How a placement server can be asked: by Placements in requests, or, before OCM 1.3, by the names of those on the hub. */
export type PlacementServerKind = 'by body' | 'by name';

/** The answer for a Placement, or the reason why there is none. */
export type AskedPlacement = { readonly answer: PlacementAnswer } | { readonly error: string };

const path = '/debug/placements/';
/** How often a question is sent if the connection is lost. */
const attempts = 3;
const resource = { apiVersion: '', kind: '', plural: '/debug', namespaced: false };

/**
 * OCM's scheduler as the placement controller serves it below `/debug/placements/`. It computes the result for a Placement and writes
 * nothing.
 */
export class PlacementServer {
  readonly #calls: ApiCalls;

  constructor(transport: Transport) {
    this.#calls = new ApiCalls(transport, { ...hubCallOptions, decode: JSON.parse });
  }

  /**
   * Returns how the server can be asked. Servers before OCM 1.3 read only the path, and know no Placement without a name.
   *
   * @param probe - a Placement that need not be on the hub
   * @throws ApiError, ConnectionError, AnswerError if the server cannot be asked
   */
  async kind(probe: PlacementV1beta1): Promise<PlacementServerKind | { readonly error: string }> {
    const result = readServerAnswer(await this.#post(probe), undefined);
    if (result === undefined) return { error: 'the answer is not that of a placement server' };
    if ('answer' in result) return result.isSimulation ? 'by body' : 'by name';
    if (result.error.endsWith('not found')) return 'by name';
    return result.error.includes('permission to create placements') ? 'by body' : { error: result.error };
  }

  /** Returns the result for a Placement that need not be on the hub. @throws ApiError, ConnectionError, AnswerError */
  async simulate(placement: PlacementV1beta1): Promise<AskedPlacement> {
    return asked(await this.#post(placement), placement);
  }

  /** Returns the result for a Placement on the hub. @throws ApiError, ConnectionError, AnswerError */
  async byName(placement: PlacementV1beta1): Promise<AskedPlacement> {
    const { namespace = '', name = '' } = placement.metadata;
    const call = {
      verb: 'get',
      resource,
      method: 'GET',
      path: path + pathOf(namespace, name).slice(1),
    } as const;
    return asked(await this.#calls.json(call), placement);
  }

  async #post({ apiVersion, kind, metadata, spec }: PlacementV1beta1): Promise<unknown> {
    const { name, namespace, labels, annotations } = metadata;
    const content = JSON.stringify({
      apiVersion,
      kind,
      metadata: { name, namespace, labels, annotations },
      spec,
    });
    const body = { content, type: 'application/json' };
    for (let time = 1; ; time++) {
      try {
        return await this.#calls.json({ verb: 'create', resource, method: 'POST', path, body });
      } catch (error) {
        // The server may close an idle connection at the same moment. It stores nothing, so asking again is safe.
        if (!(error instanceof ConnectionError) || time === attempts) throw error;
      }
    }
  }
}

function asked(value: unknown, { spec }: PlacementV1beta1): AskedPlacement {
  const result = readServerAnswer(value, spec.numberOfClusters);
  if (result === undefined) return { error: 'the answer is not that of a placement server' };
  return 'error' in result ? result : { answer: result.answer };
}

/** Whether the server has no such path: the controller runs without its placement server. */
export function isUnserved(error: unknown): boolean {
  return error instanceof ApiError && error.status.code === 404;
}
