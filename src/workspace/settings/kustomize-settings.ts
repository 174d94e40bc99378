import type { SettingsFile, Located } from './settings-file.ts';
import { mustBeInside } from './settings-paths.ts';

/** What a workspace decides about kustomizations. */
export interface KustomizeSettings {
  /** The folder of the kustomization that applies, relative to the app, by the name of the app. */
  readonly apps: ReadonlyMap<string, Located<string>>;
  readonly trusted: TrustedPrograms;
}

/** The programs that kustomizations may run. In a request, the base decides. */
export interface TrustedPrograms {
  /** Plugins and functions. */
  readonly plugins: boolean;
  readonly helm: boolean;
}

/** The decision of a workspace without settings: kustomizations run nothing. */
export const noKustomizeSettings: KustomizeSettings = {
  apps: new Map(),
  trusted: { plugins: false, helm: false },
};

/** @throws UserError if the folder of a kustomization is outside of its app */
export function kustomizeSettingsOf(file: SettingsFile): KustomizeSettings {
  const { apps = {}, plugins = false, helm = false } = file.written.kustomize ?? {};
  const located = Object.entries(apps).map(([app, folder]) => {
    const at = ['kustomize', 'apps', app];
    mustBeInside(file, [at, folder]);
    return [app, { value: folder, location: file.locate(at) }] as const;
  });
  return { apps: new Map(located), trusted: { plugins, helm } };
}
