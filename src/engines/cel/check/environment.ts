import type { CelBehaviour } from '../behaviour.ts';
import type { Environment } from './checked.ts';
import type { FunctionDeclaration } from '../function.ts';
import { formatFunctions } from '../library/format.ts';
import { listsFunctions } from '../library/lists.ts';
import { cidrFunctions, cidrType, ipFunctions, ipType } from '../library/network.ts';
import { optionalFunctions } from '../library/optional.ts';
import { quantityFunctions } from '../library/quantity.ts';
import { regexFunctions } from '../library/kubernetes-regex.ts';
import { semverFunctions } from '../library/semver.ts';
import { standardFunctions } from '../library/standard.ts';
import { stringsFunctions } from '../library/strings.ts';
import { timeFunctions } from '../library/time.ts';
import { urlFunctions } from '../library/urls.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeOfType,
  uintType,
} from './types.ts';
import type { CelType } from './types.ts';

/** Types that expressions can name. Kubernetes does not register its object types. */
const namedTypes: readonly CelType[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType(dynType),
  mapType(dynType, dynType),
  nullType,
  optionalType(dynType),
  stringType,
  timestampType,
  typeOfType(dynType),
  uintType,
  ipType,
  cidrType,
];

/**
 * Returns an environment with the libraries of Kubernetes.
 *
 * @param functions - others, which come after those of cel-go
 */
export function kubernetesEnvironment(
  behaviour: CelBehaviour,
  variables: Environment['variables'],
  functions: readonly FunctionDeclaration[] = [],
): Environment {
  return {
    variables,
    functions: merge([
      ...standardFunctions(behaviour),
      ...timeFunctions,
      ...functions,
      ...optionalFunctions,
      ...stringsFunctions(behaviour),
      ...listsFunctions,
      ...regexFunctions,
      ...urlFunctions,
      ...quantityFunctions,
      ...ipFunctions,
      ...cidrFunctions,
      ...formatFunctions,
      ...semverFunctions,
    ]),
    types: new Map(namedTypes.map((type) => [type.name, type])),
  };
}

/** Merges functions with the same name. The overloads of earlier libraries come first. */
function merge(declarations: readonly FunctionDeclaration[]): ReadonlyMap<string, FunctionDeclaration> {
  const merged = new Map<string, FunctionDeclaration>();
  for (const declaration of declarations) {
    const earlier = merged.get(declaration.name);
    const overloads = [...(earlier?.overloads ?? []), ...declaration.overloads];
    merged.set(declaration.name, { ...earlier, ...declaration, overloads });
  }
  return merged;
}
