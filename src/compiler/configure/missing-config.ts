import { meantResource } from '../../ocm/meant-resource.ts';
import { kinds } from '../../../schemas/index.ts';
import { isDeploymentConfig, isTemplate, type Referent } from '../../ocm/referent.ts';
import { groupResource, guessResource } from '../../base/names/resource-name.ts';
import type { Elsewhere, ObjectIdentity } from '../model/elsewhere.ts';
import { objectKey } from '../model/inventory.ts';
import { closest } from '../model/suggestion.ts';
import { orExternal, unansweredReference } from '../model/missing-object.ts';
import { quote } from '../model/words.ts';
import type { ConfigObjects } from './config-objects.ts';
import { isReadForTemplates } from './supported-kinds.ts';
import { noDefaultConfigName } from '../../ocm/default-config.ts';

/** A fault of a reference to a configuration object. */
export interface ReferenceFault {
  readonly code: 'FW4001' | 'FW4002' | 'FW4004' | 'FW4008' | 'FW4009' | 'FW4020' | 'FW7026';
  readonly message: string;
  readonly hint: string;
}

/** The sources in which configuration objects are looked up. */
export interface ConfigLookup {
  readonly objects: ConfigObjects;
  readonly elsewhere: Elsewhere;
}

/** Returns the fault of a reference to a configuration object that the inputs do not have. Empty if the hub has it. */
export function missingConfig(reference: Referent, { objects, elsewhere }: ConfigLookup): ReferenceFault[] {
  const identity = identityOf(reference, elsewhere);
  const existence = elsewhere.existence(identity);
  if (existence === 'exists') return [];
  const { group, resource, namespace, name } = reference;
  const what = `${groupResource(group, resource)} ${quote(objectKey(namespace, name))}`;
  if (!isReadForTemplates(reference)) {
    const meant = meantResource(group, resource, kinds);
    return [
      {
        code: 'FW4008',
        message: `${what} is neither in the app nor in the fleet snapshot, so its hash is unknown`,
        hint:
          meant === undefined
            ? `add the object, ${orExternal}`
            : `did you mean the resource ${quote(meant)}?`,
      },
    ];
  }
  if (existence === 'unknown') return [{ code: 'FW7026', ...unansweredReference(identity, elsewhere) }];
  return [
    {
      code: 'FW4001',
      message: `${what} does not exist`,
      hint: missingHint(reference, objects),
    },
  ];
}

/** Returns the hint for a configuration that does not exist. */
function missingHint(reference: Referent, objects: ConfigObjects): string {
  const { namespace, name } = reference;
  if (name === noDefaultConfigName)
    return `${noDefaultConfigName} means "no default" only in default configurations; here it is an ordinary name`;
  const meant = closest(objectKey(namespace, name), objects.names(reference));
  return meant === undefined
    ? `create it, correct the reference, ${orExternal}; until then the hub delivers nothing new to these clusters`
    : `did you mean ${quote(meant)}? Until the reference is correct the hub delivers nothing new to these clusters`;
}

/** References contain the plural of a kind, entries of `external` contain the kind. */
function identityOf({ group, resource, namespace, name }: Referent, { external }: Elsewhere): ObjectIdentity {
  const kind = isTemplate({ group, resource })
    ? 'AddOnTemplate'
    : isDeploymentConfig({ group, resource })
      ? 'AddOnDeploymentConfig'
      : (external.find((entry) => guessResource(entry.kind) === resource)?.kind ?? '');
  return { group, kind, ...(namespace === undefined ? {} : { namespace }), name };
}
