import type { GoFunction } from '../../gotemplate/index.ts';
import { withCost } from './costs.ts';
import { dateFunctions } from './dates.ts';
import { defaultFunctions } from './defaults.ts';
import { dictFunctions } from './dicts.ts';
import { encodingFunctions } from './encodings.ts';
import { certificateFunctions } from './certificates/certificate.ts';
import { jsonFunctions } from './json.ts';
import { listFunctions } from './lists.ts';
import { numberFunctions } from './numbers.ts';
import { pathFunctions } from './paths.ts';
import { regularExpressionFunctions } from './regular-expressions.ts';
import { templateFunctions } from './templates.ts';
import { textFunctions } from './texts.ts';
import { tomlFunctions } from './toml.ts';
import { typeFunctions } from './types.ts';
import { unsupportedFunctions } from './unsupported.ts';
import { urlFunctions } from './urls.ts';
import { versionFunctions } from './versions.ts';
import { wordFunctions } from './words.ts';
import { yamlFunctions } from './yaml.ts';

/** The functions of Helm's templates: those of sprig without access to the environment, and Helm's own. */
export const chartFunctions: ReadonlyMap<string, GoFunction> = new Map(
  Object.entries({
    ...unsupportedFunctions,
    ...dateFunctions,
    ...defaultFunctions,
    ...dictFunctions,
    ...encodingFunctions,
    ...certificateFunctions,
    ...jsonFunctions,
    ...listFunctions,
    ...numberFunctions,
    ...pathFunctions,
    ...regularExpressionFunctions,
    ...templateFunctions,
    ...textFunctions,
    ...tomlFunctions,
    ...typeFunctions,
    ...urlFunctions,
    ...versionFunctions,
    ...wordFunctions,
    ...yamlFunctions,
  }).map(([name, each]) => [name, withCost(name, each)]),
);
