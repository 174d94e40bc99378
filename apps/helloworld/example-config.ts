import type { Construct, IAddOnConfig, ResourceReference } from 'fleetwright';
import { ApiObject } from 'fleetwright';

const group = 'example.open-cluster-management.io';

/** The spec of an ExampleConfig: the greeting of the agents, and its interval. */
interface ExampleConfigProps {
  readonly greeting: string;
  readonly intervalSeconds: number;
}

/**
 * A configuration of helloworld's own kind. A class that implements `IAddOnConfig` can be used in lists of
 * configurations, like OCM's kinds.
 */
export class ExampleConfig extends ApiObject implements IAddOnConfig {
  constructor(scope: Construct, name: string, props: ExampleConfigProps) {
    super(scope, name, {
      apiVersion: `${group}/v1alpha1`,
      kind: 'ExampleConfig',
      metadata: { name },
      spec: props,
    });
  }

  get configReference(): ResourceReference {
    return {
      group,
      resource: 'exampleconfigs',
      namespace: this.metadata.namespace ?? 'default',
      name: this.name,
    };
  }
}

/** The definition of the kind; a cluster needs it before the first ExampleConfig. */
export function defineExampleConfig(scope: Construct): void {
  new ApiObject(scope, 'exampleconfigs', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `exampleconfigs.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        kind: 'ExampleConfig',
        listKind: 'ExampleConfigList',
        plural: 'exampleconfigs',
        singular: 'exampleconfig',
      },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              required: ['spec'],
              properties: {
                spec: {
                  type: 'object',
                  required: ['greeting'],
                  properties: {
                    greeting: { type: 'string', minLength: 1 },
                    intervalSeconds: { type: 'integer', minimum: 1, default: 60 },
                  },
                },
              },
            },
          },
        },
      ],
    },
  });
}
