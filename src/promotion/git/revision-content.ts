import path from 'node:path';
import {
  compiledClusters,
  emptySharedContent,
  hasErrors,
  type CompiledCluster,
} from '../../compiler/index.ts';
import { clusterKey } from '../decide/promotion.ts';
import type { CompileTarget } from '../../workspace/output/compile-target.ts';
import { checkOut, findCommit, findRepository, linkOuterDependencies } from '../../workspace/git.ts';
import type { Host } from '../../workspace/host.ts';
import { resolveInputs } from '../../workspace/inputs/resolve-inputs.ts';
import { readPolicies } from '../../workspace/settings/policies.ts';
import {
  readWorkspaceSettings,
  settingsOfHub,
  type WorkspaceSettings,
} from '../../workspace/settings/settings.ts';
import { withTemporaryFolder } from '../../workspace/temporary-folder.ts';
import { UserError } from '../../workspace/user-error.ts';

/** The objects of all clusters of an app, by `clusterKey`. */
export type CompiledApp = ReadonlyMap<string, CompiledCluster>;

/** Compiles an app as it was in a commit. */
export interface Revisions {
  /**
   * Returns the content of all clusters.
   *
   * @param fleet - that of the commit, or the one of today, for clusters that have joined since
   * @throws UserError if the commit is missing, or does not compile
   */
  readonly compile: (commit: string, fleet: 'committed' | 'current') => Promise<CompiledApp>;
}

/** What the compilation of an earlier commit depends on. */
export interface RevisionsOptions {
  readonly app: string;
  /** The fleet of today, as absolute paths. */
  readonly fleet: readonly string[];
  /** Returns the target that the settings of the commit select. */
  readonly targetOf: (settings: WorkspaceSettings) => CompileTarget;
  readonly host: Host;
}

/** Returns the revisions of an app, each compiled once. */
export function revisionsOf({ app, fleet, targetOf, host }: RevisionsOptions): Revisions {
  const compiled = new Map<string, Promise<CompiledApp>>();
  const compile = async (commit: string, which: 'committed' | 'current'): Promise<CompiledApp> =>
    await withTemporaryFolder('fleetwright-promote-', async (folder) => {
      const repository = await findRepository(host.cwd);
      await findCommit(repository, commit);
      await linkOuterDependencies(repository, folder);
      const root = path.join(folder, 'source');
      const links = await checkOut(repository, commit, root);
      const cwd = path.join(root, repository.prefix);
      // The settings of today decide about confinement: the commit may be older than they are.
      const { requiresSandbox } = await readPolicies({ policy: undefined }, host);
      host.apps?.add({ cwd, root, links, requiresSandbox, commit, repository: repository.root });
      const settings = settingsOfHub(await readWorkspaceSettings({ ...host, cwd }), host.hub);
      const target = targetOf(settings);
      const { resolution, diagnostics } = await resolveInputs(
        { path: [path.join(settings.apps, app)], fleet: which === 'current' ? fleet : [] },
        target,
        { ...host, cwd },
        { mayBeEmpty: true, cache: emptySharedContent() },
      );
      const fault = diagnostics.find(({ severity }) => severity === 'error');
      if (resolution === undefined || hasErrors(diagnostics))
        throw new UserError(
          `${app} of commit ${commit.slice(0, 12)} does not compile: ${fault?.message ?? 'it has errors'}`,
        );
      return new Map(
        Array.from(compiledClusters(resolution, target), (cluster) => [
          clusterKey(cluster.addOn, cluster.cluster),
          cluster,
        ]),
      );
    });
  return {
    compile: async (commit, which) => {
      const key = `${which} ${commit}`;
      const running = compiled.get(key) ?? compile(commit, which);
      compiled.set(key, running);
      return await running;
    },
  };
}
