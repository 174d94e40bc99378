import { setMaxListeners } from 'node:events';
import { allSynced } from '../../../src/controller/cache/informer.ts';
import { readSettings } from '../../../src/controller/configuration/settings.ts';
import { EventRecorder } from '../../../src/controller/events/event-recorder.ts';
import { addOnController } from '../../../src/controller/hub/add-on-controller.ts';
import { defaultLimits } from '../../../src/controller/hub/approval/facts.ts';
import { ConfigCache } from '../../../src/controller/hub/configuration/config-cache.ts';
import type { ControllerContext } from '../../../src/controller/hub/controller-context.ts';
import { createHubInformers, createTokenInformers } from '../../../src/controller/hub/hub-informers.ts';
import { hubSettings } from '../../../src/controller/hub/hub-settings.ts';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { runControllers } from '../../../src/controller/queue/controller.ts';
import type { ApiClient } from '../../../src/client/api-client.ts';
import { systemClock } from '../../../src/client/clock.ts';
import { RecordingLog } from '../recording-log.ts';

/**
 * Runs the controller of add-ons, as `controller hub` does. It has started when the promise resolves, to one for its end.
 *
 * @param flags by their names in the configuration file
 */
export async function runAddOnController(
  client: ApiClient,
  flags: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<unknown> }> {
  const clock = systemClock;
  const [metrics, log] = [new Metrics(false).ofShard(), new RecordingLog()];
  const { value: settings } = readSettings(hubSettings, flags, {});
  const caching = { client, clock, log, metrics: metrics.informers, resync: settings.resync };
  setMaxListeners(0, signal);
  const informers = createHubInformers({ ...caching, limits: defaultLimits });
  const tokenInformers = settings.tokenRegistration ? createTokenInformers(caching) : undefined;
  const configs = new ConfigCache({ ...caching, mostSecrets: settings.maxSecretConfigs }, signal);
  const events = new EventRecorder({ client, clock, log, component: 'test', instance: 'test' });
  const ownerVersion = 'addon.open-cluster-management.io/v1alpha1';
  const context: ControllerContext = {
    client,
    informers,
    tokenInformers,
    configs,
    ownerVersion,
    settings,
    events,
    clock,
    log,
  };
  const caches = [...Object.values(informers), ...Object.values(tokenInformers ?? {})];
  const following = caches.map(async (cache) => await cache.run(signal));
  await allSynced(caches, clock, signal);
  const controllers = runControllers([addOnController(context)], { clock, log, metrics }, signal);
  return { ended: Promise.all([...following, controllers]).then(async () => await configs.ended()) };
}
