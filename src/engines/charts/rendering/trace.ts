import { positionOf, type OutputSegment, type Rendered, type Tree } from '../../gotemplate/index.ts';
import { isNode, parseDocument } from 'yaml';
import { missingText } from '../engine.ts';
import { pathsOfAction } from './value-paths.ts';
import type { ValuePath } from './value-path.ts';

/** A place of a template that wrote a part of a field. */
export interface FieldOrigin {
  /** In the files of the chart, such as `templates/deployment.yaml`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in bytes. */
  readonly column: number;
  /** Whether the template has the text as it is. */
  readonly isText: boolean;
  /** What the action reads, also by what it includes: `Values.image.tag`, `Release.Name`. The template decides, not its execution. */
  readonly paths: readonly string[];
  /** The values of the root chart that decide what is written here: with another value, the field is different. */
  readonly values: readonly ValuePath[];
}

/** Where a document is in the output of its template. */
interface Place {
  /** Without `<no value>`. */
  readonly line: number;
  readonly text: string;
}

/**
 * Returns the origins of a field, in the order of the output.
 *
 * @param path - of the field in the object; empty for the whole document
 * @param fileOf - the file of a template
 */
export function originsOf(
  { text, segments }: Rendered,
  place: Place,
  path: readonly (string | number)[],
  fileOf: (template: string) => string,
  lookup: (name: string) => Tree | undefined,
): FieldOrigin[] {
  const range = fieldRange(place.text, path);
  if (range === undefined) return [];
  const offset = lineStart(text.replaceAll(missingText, ''), place.line);
  const start = originalOffset(text, offset + range[0]);
  const end = originalOffset(text, offset + Math.max(range[0] + 1, range[1]));
  const origins: FieldOrigin[] = [];
  for (const segment of segments) {
    if (segment.end <= start || segment.start >= end) continue;
    const origin = originOf(segment, fileOf, lookup);
    if (
      !origins.some(
        (each) => each.file === origin.file && each.line === origin.line && each.column === origin.column,
      )
    )
      origins.push(origin);
  }
  return origins;
}

function originOf(
  { tree, position, isText }: OutputSegment,
  fileOf: (template: string) => string,
  lookup: (name: string) => Tree | undefined,
): FieldOrigin {
  const { template, line, column } = positionOf(tree, position);
  const paths = isText ? [] : pathsOfAction(tree, position, lookup);
  return { file: fileOf(template), line, column: column + 1, isText, paths, values: [] };
}

/** Offsets of a field's value in a document. */
function fieldRange(text: string, path: readonly (string | number)[]): readonly [number, number] | undefined {
  const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false });
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let count = 1; count < line; count++) at = text.indexOf('\n', at) + 1;
  return at;
}

/** Returns the offset before `<no value>` was removed. */
function originalOffset(text: string, offset: number): number {
  let result = offset;
  for (let at = text.indexOf(missingText); at >= 0 && at <= result; at = text.indexOf(missingText, at + 1))
    result += missingText.length;
  return result;
}
