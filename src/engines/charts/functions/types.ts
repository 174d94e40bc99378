import { goFunction, kindName, typeName, type GoFunction } from '../../gotemplate/index.ts';
import { deepEqual } from './deep-equal.ts';

/** Functions that describe and compare types. */
export const typeFunctions: Readonly<Record<string, GoFunction>> = {
  typeOf: goFunction('any -> string', ([value]) => typeName(value)),
  typeIs: goFunction('string, any -> bool', ([type, value]) => type === typeName(value)),
  typeIsLike: goFunction('string, any -> bool', ([type, value]) =>
    [type, `*${type as string}`].includes(typeName(value)),
  ),
  kindOf: goFunction('any -> string', ([value]) => kindName(value)),
  kindIs: goFunction('string, any -> bool', ([kind, value]) => kind === kindName(value)),
  deepEqual: goFunction('any, any -> bool', ([a, b]) => deepEqual(a, b)),
};
