import { goFunction, type GoFunction } from '../../gotemplate/index.ts';

function ofPath(signature: string, call: (path: string) => string | boolean): GoFunction {
  return goFunction(signature, ([path]) => call(path as string));
}

const functions = {
  base: ofPath('string -> string', base),
  dir: ofPath('string -> string', (path) => clean(path.slice(0, path.lastIndexOf('/') + 1))),
  clean: ofPath('string -> string', clean),
  ext: ofPath('string -> string', (path) => /\.[^./]*$/.exec(path)?.[0] ?? ''),
  isAbs: ofPath('string -> bool', (path) => path.startsWith('/')),
};

/** Functions on paths with slashes. Those of the operating system are the same on Linux, where the hub runs. */
export const pathFunctions: Readonly<Record<string, GoFunction>> = {
  ...functions,
  osBase: functions.base,
  osDir: functions.dir,
  osClean: functions.clean,
  osExt: functions.ext,
  osIsAbs: functions.isAbs,
};

/** As path.Clean. */
function clean(path: string): string {
  const isRooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isRooted) parts.push(part);
  }
  const joined = (isRooted ? '/' : '') + parts.join('/');
  return joined === '' ? '.' : joined;
}

function base(path: string): string {
  if (path === '') return '.';
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}
