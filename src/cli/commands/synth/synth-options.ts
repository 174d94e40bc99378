import path from 'node:path';
import type { Engine } from '../../../compiler/index.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/settings.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { HubSelection } from '../../hub-selection.ts';
import type { AppsArgument, HubArguments, PolicyArguments, TimingArguments } from '../../options.ts';
import type { FindingArguments } from '../../terminal/findings-report.ts';

/** The arguments of `synth`. */
export interface SynthArguments
  extends HubArguments, PolicyArguments, TimingArguments, AppsArgument, FindingArguments, HubSelection {
  readonly app: readonly string[];
  readonly out: string | undefined;
  readonly fleet: readonly string[];
  readonly engine: Engine | undefined;
  readonly check: boolean;
  readonly base?: string | undefined;
  readonly 'allow-empty': boolean;
  readonly provenance: string | undefined;
  readonly watch?: boolean;
}

/** The options with all paths relative to the root of the workspace. */
export interface SynthOptions extends SynthArguments {
  readonly apps: string;
  readonly out: string;
}

export function fromRoot(options: SynthArguments, workspace: Workspace): SynthOptions {
  const { app, apps, out, fleet, policy, provenance } = options;
  return {
    ...options,
    app: app.map((word) => (word.includes('/') || word === '.' ? workspace.path(word) : word)),
    apps: apps === undefined ? workspace.settings.apps : workspace.path(apps),
    out: out === undefined ? workspace.settings.out : outOfHub(workspace.path(out), workspace.settings),
    fleet: fleet.map(workspace.path),
    policy: policy && workspace.path(policy),
    provenance: provenance && workspace.path(provenance),
  };
}

function outOfHub(out: string, { hub, hubs }: WorkspaceSettings): string {
  return hub === undefined || hubs.length === 1 ? out : path.join(out, hub.name);
}
