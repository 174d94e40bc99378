import { goFunction, UnsupportedFunctionError, type GoFunction } from '../../gotemplate/index.ts';
import { chanceFunctions } from './chance.ts';

const reason = 'it makes a secret of texts in the chart, which the output would contain';

/**
 * Functions that parse, so that a chart that does not call them renders, and that are an error where they are called: those with a random
 * result, and two of sprig that no public chart is known to call.
 */
export const unsupportedFunctions: Readonly<Record<string, GoFunction>> = {
  ...chanceFunctions,
  ...Object.fromEntries(
    ['decryptAES', 'derivePassword'].map((name) => [
      name,
      goFunction('...any -> any', () => {
        throw new UnsupportedFunctionError(`not supported: ${reason}`);
      }),
    ]),
  ),
};
