import type { LoadedObject } from '../../compiler/index.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { SentHub } from './message.ts';

/** The named hub that inputs are read for. */
export interface InputHub {
  readonly name: string;
  /** The OCM release. */
  readonly hubVersion: string;
  /** The values that apps use. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The names of all hubs of the workspace. */
  readonly names: readonly string[];
}

/** A hub as apps get it. */
export class AppHubData {
  /** Whether the workspace has no other hub. */
  readonly isOnly: boolean;
  readonly name: string;
  readonly #hub: InputHub;
  readonly #fleet: readonly LoadedObject[];
  #sent: SentHub | undefined;

  /** @param fleet - the objects of the hub's fleet snapshot */
  constructor(hub: InputHub, fleet: readonly LoadedObject[]) {
    this.#hub = hub;
    this.#fleet = fleet;
    this.isOnly = hub.names.length === 1;
    this.name = hub.name;
  }

  /** The data that an app receives. Most apps request none, so it is computed on demand. */
  get sent(): SentHub {
    const { name, hubVersion, facts } = this.#hub;
    return (this.#sent ??= { name, hubVersion, facts, clusters: this.#fleet.flatMap(clusterOf) });
  }
}

/** Loaded objects may lack anything. */
function clusterOf({ object }: LoadedObject): SentHub['clusters'] {
  const { kind, metadata }: JsonMap = object;
  if (kind !== 'ManagedCluster' || !isJsonMap(metadata)) return [];
  const { name, labels } = metadata;
  if (typeof name !== 'string') return [];
  const entries = isJsonMap(labels) ? Object.entries(labels) : [];
  return [
    {
      name,
      labels: Object.fromEntries(
        entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
    },
  ];
}
