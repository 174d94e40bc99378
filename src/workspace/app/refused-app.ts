import { diagnostic } from '../../compiler/model/diagnostic.ts';
import type { Diagnostic } from '../../compiler/index.ts';

/** The reason why an app is not run at all. */
export class RefusedApp extends Error {
  readonly diagnostic: Diagnostic;

  constructor(refusal: Diagnostic) {
    super(refusal.message);
    this.name = 'RefusedApp';
    this.diagnostic = refusal;
  }
}

/** @param reason - why this machine has no sandbox */
export function withoutSandbox(reason: string): RefusedApp {
  return new RefusedApp(
    diagnostic('FW9040', {
      message: `apps.confinement requires that the operating system confines apps, and ${reason}`,
      hint: 'install bubblewrap on Linux and allow user namespaces, or run the command where both exist',
    }),
  );
}

/** @param folder - relative to the repository */
export function refusedPackages(folder: string): RefusedApp {
  return new RefusedApp(
    diagnostic('FW9041', {
      message: `${folder} is committed, and apps run only with packages that are installed`,
      hint: `git rm -r --cached ${folder}, and list node_modules in .gitignore`,
    }),
  );
}

/** @param reason - why this machine has no sandbox */
export function notConfined(reason: string): string {
  return `apps run with the rights of the user, behind Node's permission model alone: ${reason}`;
}
