import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { root } from '../../linked-repository.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly bundledDependencies?: readonly string[];
  readonly bundleDependencies?: readonly string[];
}

/** A package as a registry has it. */
interface Packed {
  readonly manifest: Manifest;
  readonly tarball: Buffer;
}

/** A registry of npm on this machine, with this package and those that it needs. */
export class LocalRegistry {
  readonly #packages: Map<string, Packed>;
  readonly #server: Server;
  /** The requests: path, and the credentials that they had. */
  readonly requests: string[] = [];

  private constructor(packages: ReadonlyMap<string, Packed>) {
    this.#packages = new Map(packages);
    this.#server = createServer((request, response) => {
      const { url = '/' } = request;
      this.requests.push(`${url} ${request.headers.authorization ?? ''}`.trim());
      const [, name = '', file] = /^\/([^/]+)(?:\/-\/(.+))?$/.exec(url) ?? [];
      const packed = this.#packages.get(name);
      if (packed === undefined) response.writeHead(404).end('{}');
      else if (file === undefined) response.end(JSON.stringify(this.#description(packed)));
      else response.end(packed.tarball);
    });
  }

  /** @param packages - what it has, from another registry. @default - this package and what it needs */
  static async start(folder: string, from?: LocalRegistry): Promise<LocalRegistry> {
    const registry = new LocalRegistry(from === undefined ? packAll(folder) : from.#packages);
    registry.#server.listen(0, '127.0.0.1');
    await once(registry.#server, 'listening');
    return registry;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Replaces a package by a folder, under the name and version that it has there. */
  replace(folder: string, scratch: string): void {
    const packed = packFolder(folder, scratch);
    this.#packages.set(packed.manifest.name, packed);
  }

  /** The value of `integrity` of a package in a lock file. */
  integrityOf(name: string): string {
    const packed = this.#packages.get(name);
    if (packed === undefined) throw new Error(`no package ${name}`);
    return integrity(packed.tarball);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #description({ manifest, tarball }: Packed): object {
    const { name, version } = manifest;
    const dist = { tarball: `${this.url}/${name}/-/${name}-${version}.tgz`, integrity: integrity(tarball) };
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }
}

function integrity(tarball: Buffer): string {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}

function packAll(folder: string): ReadonlyMap<string, Packed> {
  mkdirSync(folder, { recursive: true });
  const own = manifestIn(root);
  const options = ['--silent', '--ignore-scripts', '--pack-destination', folder];
  execFileSync('npm', ['pack', ...options], { cwd: root, stdio: 'ignore' });
  const file = path.join(folder, `${own.name}-${own.version}.tgz`);
  const packages = new Map<string, Packed>([
    [own.name, { manifest: published(own), tarball: readFileSync(file) }],
  ]);
  const waiting = neededBy(own);
  for (const name of waiting) {
    if (packages.has(name)) continue;
    const packed = packFolder(path.join(root, 'node_modules', name), folder);
    packages.set(name, packed);
    waiting.push(...neededBy(packed.manifest));
  }
  return packages;
}

function neededBy(manifest: Manifest): string[] {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const bundled = new Set([...(manifest.bundledDependencies ?? []), ...(manifest.bundleDependencies ?? [])]);
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...peers].filter((name) => !bundled.has(name));
}

/** Without what npm reads only in a repository. */
function published(manifest: Manifest): Manifest {
  return { ...manifest, devDependencies: {}, scripts: {} } as Manifest;
}

function packFolder(folder: string, scratch: string): Packed {
  const manifest = manifestIn(folder);
  const file = path.join(scratch, `${manifest.name}-packed.tgz`);
  execFileSync('tar', ['-czf', file, '--transform', 's,^\\.,package,', '-C', folder, '.']);
  return { manifest: published(manifest), tarball: readFileSync(file) };
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}
