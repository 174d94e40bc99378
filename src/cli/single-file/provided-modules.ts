import * as cdk8s from 'cdk8s';
import * as constructs from 'constructs';
import * as fleetwright from '../../../constructs/index.ts';
import { isSingleFile } from '../../workspace/is-single-file.ts';

/** The modules of this file that apps can import: the package may be installed around it otherwise. */
export const providedModules: Readonly<Record<string, () => object>> = isSingleFile
  ? {
      fleetwright: () => fleetwright,
      cdk8s: () => cdk8s,
      constructs: () => constructs,
      // Few apps need it. The bundler makes this a part of the file, which runs when it is first required.
      'cdk8s-plus-27': () => require('cdk8s-plus-27') as object,
    }
  : {};
