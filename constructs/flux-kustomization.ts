import { Construct } from 'constructs';
import { defined, unlessEmpty } from './defined.ts';
import type { FluxHealthCheck } from './flux-health-checks.ts';
import { ocmHealthChecks } from './flux-health-checks.ts';
import type { IFluxSource } from './flux-source.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';

/** What one Kustomization of Flux applies, and when. */
export interface FluxKustomizationProps extends NamespacedObjectProps {
  /**
   * The namespace.
   *
   * @default 'flux-system'
   */
  readonly namespace?: string;

  /** Where the tree is from. */
  readonly source: IFluxSource;

  /** The folder in it, such as `./dist/helloworld/placements`. */
  readonly path: string;

  /**
   * Waits for these to be ready.
   *
   * @default - none
   */
  readonly dependsOn?: readonly FluxKustomization[];

  /**
   * Whether what leaves the folder leaves the hub.
   *
   * @default true
   */
  readonly prune?: boolean;

  /**
   * Whether it is ready only once all its objects are well.
   *
   * @default true
   */
  readonly wait?: boolean;

  /**
   * How often everything is applied again.
   *
   * @default '10m'
   */
  readonly interval?: string;

  /**
   * How long it may take until its objects are well.
   *
   * @default - the interval
   */
  readonly timeout?: string;

  /**
   * How it tells whether objects are well.
   *
   * @default - for OCM's kinds, as gitops/flux-health.yaml
   */
  readonly healthChecks?: readonly FluxHealthCheck[];
}

/**
 * Applies a folder by Flux.
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/
 */
export class FluxKustomization extends NamespacedObject {
  private readonly choices: FluxKustomizationProps;

  constructor(scope: Construct, id: string, props: FluxKustomizationProps) {
    const type = { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' };
    super(scope, id, type, { ...props, namespace: props.namespace ?? 'flux-system' });
    this.choices = props;
  }

  protected override toSpec(): object {
    const {
      source,
      path,
      dependsOn = [],
      prune = true,
      wait = true,
      interval = '10m',
      timeout,
    } = this.choices;
    const { kind, name, namespace } = source.sourceReference;
    return defined({
      interval,
      timeout,
      sourceRef: defined({ kind, name, namespace: namespace === this.namespace ? undefined : namespace }),
      path,
      dependsOn: unlessEmpty(
        dependsOn.map((other) =>
          defined({
            name: other.name,
            namespace: other.namespace === this.namespace ? undefined : other.namespace,
          }),
        ),
      ),
      prune,
      wait,
      healthCheckExprs: wait ? unlessEmpty(this.choices.healthChecks ?? ocmHealthChecks) : undefined,
    });
  }
}

/** The folders of an app that is emitted for Flux, in their order. */
export type FluxStage = 'foundation' | 'placements' | 'configs' | 'add-ons' | 'clusters';

const allStages: readonly FluxStage[] = ['foundation', 'placements', 'configs', 'add-ons', 'clusters'];

/** Which app, and from where. */
export interface FluxKustomizationsProps extends Omit<
  FluxKustomizationProps,
  'name' | 'path' | 'prune' | 'wait' | 'dependsOn'
> {
  /** The app: the name of its folder. Each Kustomization is called by it and its stage. */
  readonly app: string;

  /**
   * The folder of all apps in the source.
   *
   * @default './dist'
   */
  readonly folder?: string;

  /**
   * The stages that `synth` wrote a folder for. Flux does not get past one that is not there.
   *
   * @default - all five
   */
  readonly stages?: readonly FluxStage[];

  /**
   * How many waves of compiled delivery there are: the folders `wave-1`, `wave-2` and so on, after the stages.
   *
   * @default 0
   */
  readonly waves?: number;
}

/**
 * Applies an app that is emitted for Flux: a Kustomization a stage, each waiting for the one before. That of the
 * configurations does not prune: they would go before the add-on that names them.
 */
export class FluxKustomizations extends Construct {
  /** In their order. */
  readonly kustomizations: readonly FluxKustomization[];

  constructor(scope: Construct, id: string, props: FluxKustomizationsProps) {
    super(scope, id);
    const { app, folder = './dist', stages = allStages, waves = 0, ...common } = props;
    const made: FluxKustomization[] = [];
    const turns = Array.from({ length: waves }, (_, index) => `wave-${index + 1}`);
    for (const stage of [...allStages.filter((each) => stages.includes(each)), ...turns]) {
      const before = made.at(-1);
      made.push(
        new FluxKustomization(this, stage, {
          ...common,
          name: `${app}-${stage}`,
          path: `${folder}/${app}/${stage}`,
          prune: stage !== 'configs',
          ...(before && { dependsOn: [before] }),
        }),
      );
    }
    this.kustomizations = made;
  }
}
