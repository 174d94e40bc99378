import type { GoFunction } from '../../gotemplate/index.ts';
import { defaultFunctions } from './defaults.ts';
import { dictFunctions } from './dicts.ts';
import { encodingFunctions } from './encodings.ts';
import { jsonFunctions } from './json.ts';
import { listFunctions } from './lists.ts';
import { numberFunctions } from './numbers.ts';
import { pathFunctions } from './paths.ts';
import { regularExpressionFunctions } from './regular-expressions.ts';
import { templateFunctions } from './templates.ts';
import { textFunctions } from './texts.ts';
import { typeFunctions } from './types.ts';
import { unsupportedFunctions } from './unsupported.ts';
import { versionFunctions } from './versions.ts';
import { wordFunctions } from './words.ts';
import { yamlFunctions } from './yaml.ts';

/** The functions of Helm's templates: those of sprig without access to the environment, and Helm's own. */
export const chartFunctions: ReadonlyMap<string, GoFunction> = new Map(
  Object.entries({
    ...unsupportedFunctions,
    ...defaultFunctions,
    ...dictFunctions,
    ...encodingFunctions,
    ...jsonFunctions,
    ...listFunctions,
    ...numberFunctions,
    ...pathFunctions,
    ...regularExpressionFunctions,
    ...templateFunctions,
    ...textFunctions,
    ...typeFunctions,
    ...versionFunctions,
    ...wordFunctions,
    ...yamlFunctions,
  }),
);
