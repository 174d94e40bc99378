// Builds the package into `build/`, unless it was built from the same files. Run by `npm run build`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const output = path.join(root, 'build');
/** With the packages, since other packages make other bundles: `npm ci` removes both. */
const record = path.join(root, 'node_modules/.cache/fleetwright/build.json');

/** What the declarations, bundles and the bill of materials are made of. */
const inputs = [
  'apps',
  'constructs',
  'docs/ci',
  'docs/diagnostics',
  'fleet.yaml',
  'package-lock.json',
  'package.json',
  'packaging',
  'schemas',
  'src',
  'tsconfig.build.json',
  'tsconfig.json',
];

const contents = hashOf(inputs.flatMap(filesIn), (file) => readFileSync(file));
if (contents !== builtFrom()) {
  const node = (...parameters: string[]): void => {
    execFileSync(process.execPath, parameters, { cwd: root, stdio: 'inherit' });
  };
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  node('--import', 'tsx', 'packaging/bundle.ts');
  node('--import', 'tsx', 'packaging/sbom.ts');
  mkdirSync(path.dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ contents, written: written() }));
}

/** Returns the hash of the inputs that `build/` was made from, if nothing has changed it since. */
function builtFrom(): string | undefined {
  if (!existsSync(record) || !existsSync(output)) return undefined;
  const last = JSON.parse(readFileSync(record, 'utf8')) as {
    readonly contents: string;
    readonly written: string;
  };
  return last.written === written() ? last.contents : undefined;
}

/** The state of `build/`: which files it has, and when each was written. */
function written(): string {
  return hashOf(filesIn('build'), (file) => {
    const { size, mtimeMs } = statSync(file);
    return `${size} ${mtimeMs}`;
  });
}

function filesIn(name: string): readonly string[] {
  const place = path.join(root, name);
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => path.join(parentPath, file))
    .sort();
}

function hashOf(files: readonly string[], contentOf: (file: string) => string | Buffer): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of files) hash.update(`\0${path.relative(root, file)}\0`).update(contentOf(file));
  return hash.digest('hex');
}
