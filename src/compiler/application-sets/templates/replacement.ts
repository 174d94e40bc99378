import {
  TemplateError,
  TemplateLimitError,
  TemplateSet,
  UnsupportedFunctionError,
  type TemplateOptions,
} from '../../../engines/gotemplate/index.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { GenerationError, UnansweredError } from '../generation-error.ts';
import type { Parameters } from '../parameters.ts';
import { compileValue, type CompiledValue } from './compile-value.ts';
import { fastTemplate, type FastTemplate } from './fast-template.ts';
import { fieldsTemplate, type FieldsTemplate } from './fields-template.ts';
import { applicationSetFunctions } from './template-functions.ts';

/** What happens with a key that the parameters do not have, by the option of a Go template. */
const missingKeys: Readonly<Record<string, TemplateOptions['missingKey']>> = {
  'missingkey=default': 'default',
  'missingkey=invalid': 'default',
  'missingkey=zero': 'zero',
  'missingkey=error': 'error',
};

/**
 * Replaces parameters in the texts of an ApplicationSet, as Render.Replace of Argo CD: with Go templates, or with tags such as
 * `{{name}}`.
 */
export class Replacement {
  readonly #usesGo: boolean;
  readonly #missingKey: TemplateOptions['missingKey'];
  readonly #parsed = new Map<string, TemplateSet>();
  readonly #tagged = new Map<string, FastTemplate>();
  readonly #fields = new Map<string, FieldsTemplate>();
  readonly #compiled = new WeakMap<JsonMap, CompiledValue>();

  /** @throws {GenerationError} for an option that Go does not have */
  constructor(usesGo: boolean, options: readonly string[] = []) {
    this.#usesGo = usesGo;
    for (const option of usesGo ? options : []) {
      if (!Object.hasOwn(missingKeys, option))
        throw new GenerationError(`unrecognized option of Go templates: ${option}`);
      this.#missingKey = missingKeys[option];
    }
  }

  get usesGo(): boolean {
    return this.#usesGo;
  }

  /**
   * Replaces the parameters in a text.
   *
   * @throws {GenerationError} for an invalid template
   * @throws {UnansweredError} for functions with random results
   */
  text(template: string, parameters: Parameters): string {
    return this.#replaced(template, parameters, this.#missingKey);
  }

  /** Replaces the parameters in a text, or returns the text if the parameters do not have all its keys. */
  textIfComplete(template: string, parameters: Parameters): string {
    try {
      return this.#replaced(template, parameters, 'error');
    } catch (error) {
      if (
        error instanceof GenerationError &&
        /map has no entry for key|can't evaluate field/.test(error.message)
      )
        return template;
      throw error;
    }
  }

  /**
   * Replaces the parameters in all texts and keys of plain data. Entries without a value are dropped.
   *
   * @param except - returns a value that is replaced in another way, or undefined
   */
  deep(
    value: unknown,
    parameters: Parameters,
    except: (key: string, value: unknown) => unknown = () => undefined,
  ): unknown {
    if (typeof value === 'string') return this.text(value, parameters);
    if (isJsonList(value)) return value.map((each) => this.deep(each, parameters, except));
    if (!isJsonMap(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, each]) => each !== null)
        .map(([key, each]) => [
          this.text(key, parameters),
          except(key, each) ?? this.deep(each, parameters, except),
        ]),
    );
  }

  /** As `deep`, for an object that is replaced with many parameters. The results share what does not depend on them. */
  deepMap(value: JsonMap, parameters: Parameters): JsonMap {
    const compiled = getOrInsertComputed(this.#compiled, value, () =>
      compileValue(value, (text, each) => this.text(text, each)),
    );
    const replaced = 'constant' in compiled ? compiled.constant : compiled.render(parameters);
    return isJsonMap(replaced) ? replaced : {};
  }

  #replaced(template: string, parameters: Parameters, missingKey: TemplateOptions['missingKey']): string {
    if (!template.includes('{{')) return template;
    if (!this.#usesGo)
      return getOrInsertComputed(this.#tagged, template, () => fastTemplate(template))(parameters);
    const fields = getOrInsertComputed(this.#fields, template, () => fieldsTemplate(template));
    const replaced = fields(parameters);
    if (replaced !== undefined) return replaced;
    try {
      const set = getOrInsertComputed(this.#parsed, template, () => {
        const parsed = new TemplateSet('base', applicationSetFunctions);
        parsed.parse('base', template);
        return parsed;
      });
      // An empty template is not one of the set.
      if (!set.has('base')) return '';
      return set.execute('base', parameters, missingKey === undefined ? {} : { missingKey }).text;
    } catch (error) {
      if (error instanceof TemplateLimitError) throw new UnansweredError(`a template (${error.message})`);
      if (!(error instanceof TemplateError)) throw error;
      if (error.cause instanceof UnsupportedFunctionError)
        throw new UnansweredError(`a template (${error.message})`);
      const what = error.phase === 'parse' ? 'failed to parse template' : 'failed to execute go template';
      throw new GenerationError(`${what} ${template}: ${error.message}`);
    }
  }
}
