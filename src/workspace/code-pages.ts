import type { CodePage, Diagnostic } from '../compiler/index.ts';
import { packagedFile } from './packaged-file.ts';

/** The file of the page of a code, from the folder of the package. */
export function pageOfCode(code: string): string {
  return `docs/diagnostics/${code}.md`;
}

/** Returns the pages of the codes of findings. The URLs are those of the same files in the repository. */
export async function codePages(findings: readonly Diagnostic[]): Promise<ReadonlyMap<string, CodePage>> {
  const repository = await repositoryUrl();
  const codes = [...new Set(findings.map(({ code }) => code))];
  return new Map(
    await Promise.all(
      codes.map(async (code) => {
        const file = pageOfCode(code);
        const url = `${repository}/blob/HEAD/${file}`;
        return [code, { url, text: await packagedFile(file) }] as const;
      }),
    ),
  );
}

/** Returns the address of the repository, as the package.json of Fleetwright has it. */
async function repositoryUrl(): Promise<string> {
  const { repository } = JSON.parse(await packagedFile('package.json')) as {
    readonly repository: { readonly url: string };
  };
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}
