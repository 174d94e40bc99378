import { createHash } from 'node:crypto';
import { gzip } from './gzip.ts';
import { tar } from '../../../../workspace/output/tar.ts';

/** The metadata of an artifact. */
export interface ArtifactOptions {
  /** The tag of the artifact in the layout. */
  readonly tag: string;
  /** The values of `org.opencontainers.image.source` and `.revision`, which Flux shows. @default - not set */
  readonly source?: string;
  readonly revision?: string;
}

/** An OCI image layout of one artifact: its files by name, and the digest of the artifact. */
export interface ArtifactLayout {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The digest of the manifest, `sha256:…`: a registry identifies the artifact by it. */
  readonly digest: string;
}

// as `flux push artifact` writes them
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const configType = 'application/vnd.cncf.flux.config.v1+json';
const contentType = 'application/vnd.cncf.flux.content.v1.tar+gzip';

/** Returns files as an artifact that Flux reads, in the image layout of OCI. The same files produce the same bytes. */
export function artifactLayout(
  content: ReadonlyMap<string, Uint8Array>,
  { tag, source, revision }: ArtifactOptions,
): ArtifactLayout {
  const archive = tar(content);
  const layer = gzip(archive);
  const config = json({
    architecture: '',
    os: '',
    config: {},
    rootfs: { type: 'layers', diff_ids: [digestOf(archive)] },
  });
  const annotations = {
    ...(revision !== undefined && { 'org.opencontainers.image.revision': revision }),
    ...(source !== undefined && { 'org.opencontainers.image.source': source }),
  };
  const manifest = json({
    schemaVersion: 2,
    mediaType: manifestType,
    config: descriptor(configType, config),
    layers: [descriptor(contentType, layer)],
    ...(Object.keys(annotations).length > 0 && { annotations }),
  });
  const index = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        ...descriptor(manifestType, manifest),
        annotations: { 'org.opencontainers.image.ref.name': tag },
      },
    ],
  });
  const files = new Map<string, Uint8Array>([
    ['oci-layout', json({ imageLayoutVersion: '1.0.0' })],
    ['index.json', index],
  ]);
  for (const blob of [config, layer, manifest]) files.set(`blobs/${digestOf(blob).replace(':', '/')}`, blob);
  return { files, digest: digestOf(manifest) };
}

function descriptor(mediaType: string, blob: Uint8Array): object {
  return { mediaType, digest: digestOf(blob), size: blob.length };
}

function digestOf(blob: Uint8Array): string {
  return `sha256:${createHash('sha256').update(blob).digest('hex')}`;
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
