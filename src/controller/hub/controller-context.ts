import type { Clock } from '../../client/clock.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { ApiClient } from '../../client/api-client.ts';
import type { Log } from '../operation/log.ts';
import type { ConfigCache } from './configuration/config-cache.ts';
import type { HubInformers, TokenInformers } from './hub-informers.ts';
import type { HubSettings } from './hub-settings.ts';

/** The context of every controller of the hub. */
export interface ControllerContext {
  /** Always reads; writes only while this replica leads. */
  readonly client: ApiClient;
  readonly informers: HubInformers;
  /** Undefined if the companion does not create the objects from which agents get tokens. */
  readonly tokenInformers?: TokenInformers | undefined;
  /** Configurations of add-ons that are not OCM's own. */
  readonly configs: ConfigCache;
  /** The API version of owners of OCM's add-on kinds. */
  readonly ownerVersion: string;
  readonly settings: HubSettings;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Log;
}
