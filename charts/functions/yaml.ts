import {
  FunctionError,
  goFunction,
  UnsupportedFunctionError,
  type GoFunction,
} from '../../gotemplate/index.ts';
import { writeYaml } from '../yaml/write.ts';

/** Helm's functions that write YAML. An error of theirs is an empty text. */
export const yamlFunctions: Readonly<Record<string, GoFunction>> = {
  toYaml: goFunction('any -> string', ([value]) => {
    try {
      return writeYaml(value).replace(/\n$/, '');
    } catch (error) {
      if (error instanceof UnsupportedFunctionError || !(error instanceof FunctionError)) throw error;
      return '';
    }
  }),
};
