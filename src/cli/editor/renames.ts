import { LSPErrorCodes, type Range, ResponseError, type WorkspaceEdit } from 'vscode-languageserver/node';
import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import { dnsSubdomainErrors } from '../../base/names/name-errors.ts';
import { placements } from '../../compiler/compare/usable-objects.ts';
import { type FileLocation, objectKey } from '../../compiler/index.ts';
import type { Referent } from '../../ocm/referent.ts';
import { definitionsOf, namedAt, referencesTo } from './definitions.ts';
import { type Compiled, fieldOf, isCode, type Place } from './place-answers.ts';
import { uriOf } from './published-findings.ts';

/** A name that can be replaced wherever it is written. */
interface RenamableName {
  readonly referent: Referent;
  /** The name at the position. */
  readonly range: Range;
}

/** Returns the name at a position, if it can be replaced; otherwise why not. */
function nameAt(place: Place): RenamableName | string {
  const field = fieldOf(place);
  const referent = field && namedAt(field);
  if (field === undefined || referent === undefined || field.isKey || field.text !== referent.name)
    return 'This cannot be renamed: only a Placement, a configuration, a template or an add-on can, at its name';
  const { group, resource, name } = referent;
  if (group === clusterGroup && resource === 'managedclusters')
    return `Cluster "${name}" cannot be renamed: it has its name from joining the hub`;
  if (group === clusterGroup && resource === 'managedclustersets')
    return `Cluster set "${name}" cannot be renamed: its clusters name it in a label`;
  const isOfOcm = group === addOnGroup || (group === clusterGroup && resource === placements);
  if (!isOfOcm && referencesTo(place.compiled.units, referent).length === 0)
    return `"${name}" cannot be renamed: Fleetwright does not know which fields name a ${resource} object`;
  return { referent, range: place.text.range(field.range) };
}

/** Returns the name at a position, which an editor shows before it asks for another one; null if it cannot be replaced. */
export function preparedRename(place: Place): { range: Range; placeholder: string } | null {
  const name = nameAt(place);
  return typeof name === 'string' ? null : { range: name.range, placeholder: name.referent.name };
}

const validNames =
  'write at most 253 lower case letters, digits, hyphens and dots, with a letter or a digit at both ends';

/** Returns the edits that give an object another name, wherever it is named. @throws ResponseError if that is not possible */
export function renamed(place: Place, newName: string): WorkspaceEdit {
  const { compiled } = place;
  const name = nameAt(place);
  if (typeof name === 'string') throw refusal(name);
  const { referent } = name;
  if (dnsSubdomainErrors(newName).length > 0)
    throw refusal(`"${newName}" is not a valid name: ${validNames}`);
  if (newName === referent.name) return { changes: {} };
  if (compiled.units.some(({ resolution }) => resolution === undefined))
    throw refusal(
      'Objects of the workspace are invalid, so that some uses of the name are unknown: correct them first',
    );
  const [same] = definitionsOf(compiled.units, { ...referent, name: newName });
  if (same !== undefined)
    throw refusal(
      `"${objectKey(referent.namespace, newName)}" exists already, at ${same.start.file}:${same.start.line}`,
    );
  const definitions = definitionsOf(compiled.units, referent, 'app').map((definition) => definition.name);
  if (definitions.length === 0)
    throw refusal(
      `"${objectKey(referent.namespace, referent.name)}" cannot be renamed: no app of the workspace has it`,
    );
  return {
    changes: editsAt(
      [...definitions, ...referencesTo(compiled.units, referent, 'app')],
      compiled,
      referent.name,
      newName,
    ),
  };
}

function editsAt(
  places: readonly FileLocation[],
  { root, textOf }: Compiled,
  name: string,
  newText: string,
): Record<string, { range: Range; newText: string }[]> {
  const changes: Record<string, { range: Range; newText: string }[]> = {};
  for (const { file, line, column } of places) {
    const range = textOf(file).name(name, line, column);
    if (isCode(file) || range === undefined)
      throw refusal(`"${name}" is also named in ${file}:${line}, which is not plain YAML: rename it there`);
    (changes[uriOf(root, file)] ??= []).push({ range, newText });
  }
  return changes;
}

function refusal(sentence: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, sentence);
}
