import type { CodePage, Diagnostic } from '../compiler/index.ts';
import { packagedFile } from './packaged-file.ts';

/** The file of the page of a code, from the folder of the package. */
export function pageOfCode(code: string): string {
  return `docs/diagnostics/${code}.md`;
}

/** Returns the pages of the codes of findings. The URLs are those of the same files in the repository. */
export async function codePages(findings: readonly Diagnostic[]): Promise<ReadonlyMap<string, CodePage>> {
  const urlOf = await urlsOfPages();
  const codes = [...new Set(findings.map(({ code }) => code))];
  return new Map(
    await Promise.all(
      codes.map(async (code) => {
        return [code, { url: urlOf(code), text: await packagedFile(pageOfCode(code)) }] as const;
      }),
    ),
  );
}

/** Returns a function that returns the URL of the page of a code. */
export async function urlsOfPages(): Promise<(code: string) => string> {
  const repository = await repositoryUrl();
  return (code) => `${repository}/blob/HEAD/${pageOfCode(code)}`;
}

/** Returns the address of the repository, as the package.json of Fleetwright has it. */
async function repositoryUrl(): Promise<string> {
  const { repository } = JSON.parse(await packagedFile('package.json')) as {
    readonly repository: { readonly url: string };
  };
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}
