import type { CodePage, Diagnostic } from '../compiler/index.ts';
import { packagedFile } from './packaged-file.ts';
import { version } from './version.ts';

/** The file of the page of a code, from the folder of the package. */
export function pageOfCode(code: string): string {
  return `docs/diagnostics/${code}.md`;
}

/** Returns the pages of the codes of findings. The URLs are those of the same files in the published package. */
export async function codePages(findings: readonly Diagnostic[]): Promise<ReadonlyMap<string, CodePage>> {
  const codes = [...new Set(findings.map(({ code }) => code))];
  return new Map(
    await Promise.all(
      codes.map(async (code) => {
        const file = pageOfCode(code);
        const url = `https://unpkg.com/fleetwright@${version}/${file}`;
        return [code, { url, text: await packagedFile(file) }] as const;
      }),
    ),
  );
}
