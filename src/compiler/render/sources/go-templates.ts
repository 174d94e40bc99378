import { RE2JS, RE2JSSyntaxException } from 're2js';
import { ManifestDecoder } from '../../../engines/charts/rendering/manifests.ts';
import {
  FunctionError,
  goFunction,
  TemplateError,
  TemplateLimitError,
  TemplateSet,
  textOf,
  type GoFunction,
  type ValueMap,
} from '../../../engines/gotemplate/index.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { originsOf, type FieldOrigin } from '../../../engines/charts/rendering/trace.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { RenderFault } from '../fault.ts';

/**
 * The functions of addon-framework's templates. It has others, which read certificates or take bytes that no values have: a
 * template that uses them does not parse.
 */
const functions: ReadonlyMap<string, GoFunction> = new Map([
  [
    'regexMatch',
    goFunction('string string -> bool', ([pattern, text]) => {
      try {
        return RE2JS.compile(pattern as string)
          .matcher(text as string)
          .find();
      } catch (error) {
        if (error instanceof RE2JSSyntaxException) throw new FunctionError(error.message);
        throw error;
      }
    }),
  ],
]);

/** Go templates that are parsed once for all clusters. As addon-framework TemplateAgentAddon. */
export class GoTemplates {
  readonly #sets: readonly (readonly [file: string, set: TemplateSet])[];
  readonly #decoder = new ManifestDecoder();

  private constructor(sets: readonly (readonly [string, TemplateSet])[]) {
    this.#sets = sets;
  }

  /** @param files - by path; each is one template and renders at most one object */
  static parse(files: ReadonlyMap<string, Uint8Array>): GoTemplates | RenderFault {
    const sets: [string, TemplateSet][] = [];
    for (const [file, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (bytes.length === 0) continue;
      const set = new TemplateSet(file, functions);
      try {
        set.parse(file, textOf(bytes));
      } catch (error) {
        if (!(error instanceof TemplateError || error instanceof TemplateLimitError)) throw error;
        return { error: error.message, code: 'FW6038' };
      }
      sets.push([file, set]);
    }
    return new GoTemplates(sets);
  }

  /** Returns the objects in the order of the files. A file whose output has no kind is skipped. */
  render(
    values: ValueMap,
  ): readonly { readonly object: GoJsonObject; readonly file: string }[] | RenderFault {
    const objects: { object: GoJsonObject; file: string }[] = [];
    for (const [file, set] of this.#sets) {
      let text: string;
      try {
        ({ text } = set.execute(file, values));
      } catch (error) {
        if (error instanceof TemplateError || error instanceof TemplateLimitError)
          return { error: error.message, code: 'FW6038' };
        throw error;
      }
      const decoded = this.#decoder.decode(text, file, 'reader');
      if ('code' in decoded) return { error: `${file}: ${decoded.message}`, code: 'FW6038' };
      if (decoded.length > 1)
        return {
          error: `${file}: addon-framework reads one object per file, and this one has ${decoded.length}`,
          code: 'FW6038',
        };
      for (const { object } of decoded) objects.push({ object, file });
    }
    return objects;
  }

  /** Returns the places that write a field of an object. Empty if the templates do not render. */
  origins(
    values: ValueMap,
    isWanted: (object: GoJsonObject) => boolean,
    path: FieldPath,
  ): readonly FieldOrigin[] {
    const file = this.render(values);
    const wanted = 'error' in file ? undefined : file.find(({ object }) => isWanted(object))?.file;
    const set = this.#sets.find(([name]) => name === wanted)?.[1];
    if (wanted === undefined || set === undefined) return [];
    const rendered = set.execute(wanted, values, { traces: true });
    const decoded = this.#decoder.decode(rendered.text, wanted, 'reader');
    const [document] = Array.isArray(decoded) ? decoded : [];
    if (document === undefined) return [];
    return originsOf(
      rendered,
      document,
      path,
      (name) => name,
      (name) => set.tree(name),
    );
  }
}
