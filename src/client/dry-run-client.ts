import type { JsonMap } from '../base/json/json-map.ts';
import { ApiCalls, type ApiCallOptions } from './api-calls.ts';
import { dryRunOnly } from './dry-run.ts';
import type { ApiObject, ObjectName } from './object.ts';
import { objectPath, type Resource } from './resource.ts';
import type { Transport } from './transport.ts';

/** The value of the query parameter by which the API server stores nothing. */
const all = 'All';

/**
 * Asks the API server what it would do. Webhooks, admission policies, quotas and permissions answer as for a real request, and
 * nothing is stored: its connection sends no other writes. All methods throw as those of ApiReader.
 */
export class DryRunClient {
  readonly #calls: ApiCalls;
  readonly #fieldManager: string;

  /** @param fieldManager - of the program that applies the objects, so that fields that it no longer applies count as removed */
  constructor(transport: Transport, options: ApiCallOptions, fieldManager: string) {
    this.#calls = new ApiCalls(dryRunOnly(transport), options);
    this.#fieldManager = fieldManager;
  }

  /** Returns the object that a server-side apply would store, as the engines apply it. */
  async apply(resource: Resource, object: ApiObject & { readonly metadata: ObjectName }): Promise<JsonMap> {
    return await this.#calls.json({
      verb: 'apply',
      resource,
      method: 'PATCH',
      path: objectPath(resource, object.metadata),
      query: { dryRun: all, fieldManager: this.#fieldManager, force: 'true' },
      body: { content: JSON.stringify(object), type: 'application/apply-patch+yaml' },
    });
  }

  /** Asks for the deletion of an object. */
  async delete(resource: Resource, name: ObjectName): Promise<void> {
    const options = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      dryRun: [all],
    };
    await this.#calls.json({
      verb: 'delete',
      resource,
      method: 'DELETE',
      path: objectPath(resource, name),
      query: { dryRun: all },
      body: { content: JSON.stringify(options), type: 'application/json' },
    });
  }
}
