import { getOrInsertComputed } from '../base/collections/get-or-insert.ts';
import type { Diagnostic } from '../compiler/index.ts';
import { listed } from '../compiler/model/words.ts';
import { goJson } from '../base/json/go-json.ts';

/** The findings for one hub. */
export interface HubFindings {
  /** Undefined for the hub of a workspace that names none. */
  readonly hub: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the findings for several hubs in one list: each once, with the names of its hubs if it does not concern all of them.
 * The order is that of the first hub that has the finding.
 */
export function findingsOfHubs(hubs: readonly HubFindings[]): readonly Diagnostic[] {
  const [only] = hubs;
  if (hubs.length === 1 && only !== undefined) return only.diagnostics;
  const byContent = new Map<string, { readonly finding: Diagnostic; readonly names: Set<string> }>();
  for (const { hub = '', diagnostics } of hubs) {
    for (const finding of diagnostics) {
      const { names } = getOrInsertComputed(byContent, goJson(finding), () => ({
        finding,
        names: new Set<string>(),
      }));
      names.add(hub);
    }
  }
  return Array.from(byContent.values(), ({ finding, names }) => {
    const words = hubWords([...names]);
    const isNamed = names.size === hubs.length || finding.message.startsWith(`${words} `);
    return isNamed ? finding : { ...finding, message: `${words}: ${finding.message}` };
  });
}

/** Returns the findings that all hubs have: those of a setting that no hub uses. */
export function findingsOfEveryHub(hubs: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] {
  const [first = [], ...others] = hubs;
  const keyOf = ({ code, location }: Diagnostic): string => goJson({ code, location: location ?? null });
  const keysOfOthers = others.map((findings) => new Set(findings.map(keyOf)));
  return first.filter((finding) => keysOfOthers.every((keys) => keys.has(keyOf(finding))));
}

function hubWords(names: readonly string[]): string {
  return names.length === 1 ? `hub ${names[0]}` : `hubs ${listed(names)}`;
}
