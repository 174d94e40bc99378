import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import {
  historyLimitAnnotation,
  revisionOfAnnotation,
  sensitiveAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import { revisionName } from '../../ocm/revision-name.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { admitObject } from '../admit/admit-object.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Admitted } from '../model/inventory.ts';
import type { Location, Origin } from '../model/origin.ts';
import { unusedName } from './assignment.ts';
import { variableText } from './declaration.ts';
import { sizeFaults } from './object-size.ts';
import type { ParameterValues } from './model.ts';
import type { DeclaredParameters } from './read.ts';

/** The reference of an add-on to an AddOnDeploymentConfig. */
export interface DeploymentConfigReference {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The AddOnDeploymentConfigs of an add-on: one for each distinct content. */
export class DeploymentConfigs {
  readonly #set: DeclaredParameters;
  /** By content. */
  readonly #configs = new Map<
    string,
    { readonly reference: DeploymentConfigReference; readonly object: Admitted | undefined }
  >();
  readonly #contents = new Map<ParameterValues, string>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #lines = new Set<string>();

  constructor(set: DeclaredParameters) {
    this.#set = set;
  }

  get objects(): readonly Admitted[] {
    return [...this.#configs.values()].flatMap(({ object }) => object ?? []);
  }

  /** What the API server rejects in the objects. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Returns a text that is equal for values with the same AddOnDeploymentConfig. */
  contentOf(values: ParameterValues): string {
    return getOrInsertComputed(this.#contents, values, () => JSON.stringify(this.#spec(values)));
  }

  /**
   * Returns the reference to the object with these values, which is created if it is missing.
   *
   * @param line - what the object is for, in its name. Its earlier revisions are those with the same line
   */
  reference(values: ParameterValues, line: string): DeploymentConfigReference {
    return getOrInsertComputed(this.#configs, this.contentOf(values), () => this.#create(values, line))
      .reference;
  }

  #create(
    values: ParameterValues,
    line: string,
  ): { readonly reference: DeploymentConfigReference; readonly object: Admitted | undefined } {
    const { addOn, namespace, revisionHistoryLimit } = this.#set;
    const name = unusedName(line === '' ? addOn : `${addOn}-${line}`, this.#lines);
    const spec = this.#spec(values);
    const object: KubernetesObject = {
      apiVersion: `${addOnGroup}/v1alpha1`,
      kind: 'AddOnDeploymentConfig',
      metadata: {
        name: revisionName(name, spec),
        namespace,
        annotations: {
          [revisionOfAnnotation]: name,
          ...(revisionHistoryLimit !== undefined && {
            [historyLimitAnnotation]: String(revisionHistoryLimit),
          }),
          ...sensitiveAnnotations(this.#set),
        },
      },
      spec,
    };
    const origin = configOrigin(this.#set, values);
    const admission = admitObject({ object, origin, source: 'app' });
    const invalid = admission.diagnostics.filter(({ severity }) => severity === 'error');
    this.#diagnostics.push(...invalid, ...sizeFaults(admission.object));
    return {
      reference: {
        group: addOnGroup,
        resource: 'addondeploymentconfigs',
        namespace,
        name: object.metadata.name ?? '',
      },
      object: admission.object,
    };
  }

  #spec({ values }: ParameterValues): Record<string, unknown> {
    const variables: { readonly name: string; readonly value: string }[] = [];
    const fields: [string, unknown][] = [];
    for (const [name, value] of Object.entries(values)) {
      const target = this.#set.parameters.get(name)?.target;
      if (target?.kind === 'field') fields.push([target.field, value]);
      else if (target !== undefined) variables.push({ name: target.variable, value: variableText(value) });
    }
    return {
      ...Object.fromEntries(fields),
      ...(variables.length > 0 && { customizedVariables: variables }),
    };
  }
}

/** Names what reports mask. All objects of an add-on have the same annotation, so that a value has it in each state of a plan. */
function sensitiveAnnotations({ parameters }: DeclaredParameters): Record<string, string> {
  const lines = [...parameters.values()].flatMap(({ sensitive, target }) =>
    sensitive ? [target.kind === 'field' ? `field ${target.field}` : `variable ${target.variable}`] : [],
  );
  return lines.length === 0 ? {} : { [sensitiveAnnotation]: lines.join('\n') };
}

/** Locates each variable and field where the winning layer sets it. */
function configOrigin(set: DeclaredParameters, { values, traces }: ParameterValues): Origin {
  const { origin } = set.declaration;
  const variables = Object.keys(values).filter((name) => set.parameters.get(name)?.target.kind !== 'field');
  return {
    get location(): Location {
      return origin.location;
    },
    locate([, field, index]) {
      const name =
        field === 'customizedVariables'
          ? variables[Number(index)]
          : Object.keys(values).find((each) => {
              const target = set.parameters.get(each)?.target;
              return target?.kind === 'field' && target.field === field;
            });
      const trace = traces().find(({ path }) => path[0] === name);
      return trace?.winners.at(-1)?.location() ?? origin.location;
    },
  };
}
