import { goFunction, type GoFunction } from '../../gotemplate/index.ts';
import { readToml, TomlReadError } from '../toml/read.ts';
import { TomlWriteError, writeToml } from '../toml/write.ts';

/** Helm's functions that read and write TOML. An error is a value, as in Helm. */
export const tomlFunctions: Readonly<Record<string, GoFunction>> = {
  toToml: goFunction('any -> string', ([value]) => {
    try {
      return writeToml(value);
    } catch (error) {
      if (error instanceof TomlWriteError) return error.message;
      throw error;
    }
  }),
  fromToml: goFunction('string -> dict', ([text]) => {
    try {
      return readToml(text as string);
    } catch (error) {
      if (error instanceof TomlReadError) return new Map([['Error', error.message]]);
      throw error;
    }
  }),
};
