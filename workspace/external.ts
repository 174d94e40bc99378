import type { ExternalObject } from '../compiler/index.ts';
import { groupOf } from '../kubernetes/resource-name.ts';
import type { PolicyFile } from './policy-file.ts';

/** The section of fleetwright.yaml. */
const section = 'external';

/**
 * Returns the objects that are expected on the hub outside of Git, as fleetwright.yaml lists them.
 *
 * @throws UserError if an entry has an unknown field, or lacks a required one
 */
export function externalOf(file: PolicyFile): ExternalObject[] {
  return file.entries([section]).map((path) => {
    file.fields(path, ['apiVersion', 'kind', 'namespace', 'name']);
    const text = (field: string): string | undefined => file.text([...path, field])?.value;
    const [apiVersion, kind, namespace, name] = [
      text('apiVersion'),
      text('kind'),
      text('namespace'),
      text('name'),
    ];
    if (kind === undefined) throw file.wrong(path, 'has no kind');
    if (name === undefined) throw file.wrong(path, 'has no name', 'write "*" for any name');
    return {
      ...(apiVersion === undefined ? {} : { group: groupOf(apiVersion) }),
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      location: file.locate(path),
    };
  });
}
