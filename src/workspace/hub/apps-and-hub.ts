import { hasErrors, type ExternalObject, type LoadedObject } from '../../compiler/index.ts';
import type { Host } from '../host.ts';
import { readInputs, type Inputs } from '../inputs/inputs.ts';
import { workspaceInputs } from '../workspace.ts';
import { openHub, type HubAddress, type OpenHub } from './connect-to-hub.ts';
import { readHub, type HubReading } from './hub-state.ts';

/** The apps of the working tree, and the hub that they are for. */
export interface AppsAndHub {
  readonly inputs: Inputs;
  /** The objects of the apps. */
  readonly written: readonly LoadedObject[];
  readonly external: readonly ExternalObject[];
  /** Undefined if the inputs have errors: the hub is not read then. */
  readonly hub?: { readonly connection: OpenHub; readonly held: readonly LoadedObject[] };
}

/**
 * Reads apps, and everything that decides on the hub. The fleet is that of the hub.
 *
 * @param paths - the folders of the apps
 * @param reading - as for `readHub`
 * @throws HubError if the hub cannot be read.
 */
export async function readAppsAndHub(
  paths: readonly string[],
  address: HubAddress,
  now: number,
  host: Host,
  reading?: HubReading,
): Promise<AppsAndHub> {
  const { external, kustomize, hub } = await workspaceInputs(host);
  const inputs = await readInputs(paths, [], host, { external, kustomize, ...(hub && { hub }) });
  const written = inputs.objects.filter(({ source }) => source === 'app');
  if (hasErrors(inputs.diagnostics)) return { inputs, written, external };
  const connection = await openHub(address, host.cwd);
  const objects = written.map(({ object }) => object);
  const held = await readHub(connection.reader, objects, now, reading);
  return { inputs, written, external, hub: { connection, held } };
}
