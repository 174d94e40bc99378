import { Construct } from 'constructs';
import { defined, unlessEmpty } from './defined.ts';
import type { FluxHealthCheck } from './flux-health-checks.ts';
import { ocmHealthChecks } from './flux-health-checks.ts';
import type { IFluxSource } from './flux-source.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import { checkProps } from './check-properties.ts';

/** The settings of a Kustomization of Flux. */
export interface FluxKustomizationProps extends NamespacedObjectProps {
  /**
   * The namespace.
   *
   * @default 'flux-system'
   */
  readonly namespace?: string;

  /** The source of the tree. */
  readonly source: IFluxSource;

  /** Folder in the source, such as `./dist/helloworld/placements`. */
  readonly path: string;

  /**
   * The Kustomizations that must be ready first.
   *
   * @default - none
   */
  readonly dependsOn?: readonly FluxKustomization[];

  /**
   * Whether Flux deletes objects that are removed from the folder.
   *
   * @default true
   */
  readonly prune?: boolean;

  /**
   * Whether the Kustomization becomes ready only when all its objects are healthy.
   *
   * @default true
   */
  readonly wait?: boolean;

  /**
   * Interval after which everything is applied again.
   *
   * @default '10m'
   */
  readonly interval?: string;

  /**
   * Maximum time to wait for healthy objects. While Flux waits, it applies no later commit.
   *
   * @default '1m'
   */
  readonly timeout?: string;

  /**
   * The health checks of the objects.
   *
   * @default - for OCM's kinds, as packaging/gitops/flux-health.yaml
   */
  readonly healthChecks?: readonly FluxHealthCheck[];
}

/**
 * Applies a folder with Flux.
 *
 * @example
 * const source = new FluxGitRepository(chart, 'add-ons', { url: 'https://git.example.com/add-ons.git' });
 * new FluxKustomization(chart, 'hello', { source, path: './dist/hello' });
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/
 */
export class FluxKustomization extends NamespacedObject {
  private readonly choices: FluxKustomizationProps;

  constructor(scope: Construct, id: string, props: FluxKustomizationProps) {
    checkProps({ FluxKustomization }, new.target, scope, id, props);
    const type = { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' };
    super(scope, id, type, { ...props, namespace: props.namespace ?? 'flux-system' });
    this.choices = props;
  }

  /** @internal */
  protected override toSpec(): object {
    const {
      source,
      path,
      dependsOn = [],
      prune = true,
      wait = true,
      interval = '10m',
      timeout = '1m',
    } = this.choices;
    const { kind, name, namespace } = source.sourceReference;
    return defined({
      interval,
      // A failed attempt is retried soon, not after the interval.
      retryInterval: '1m',
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

/**
 * The folders of an app that is emitted for Flux, in their order, each with those that it waits for. `synth` always writes all
 * of them.
 */
const fluxStages: Readonly<Record<string, readonly string[]>> = {
  foundation: [],
  placements: ['foundation'],
  configs: ['foundation'],
  'add-ons': ['placements', 'configs'],
  clusters: ['add-ons'],
};

/** Stages whose health shows the progress of a rollout. */
const stagesWithoutHealth: ReadonlySet<string> = new Set(['add-ons', 'clusters']);

/** The app and its source. */
export interface FluxKustomizationsProps extends Omit<
  FluxKustomizationProps,
  'name' | 'path' | 'prune' | 'wait' | 'dependsOn'
> {
  /** Name of the app, which is the name of its folder. Each Kustomization is named after the app and its stage. */
  readonly app: string;

  /**
   * Folder of all apps in the source.
   *
   * @default './dist'
   */
  readonly folder?: string;

  /**
   * The number of waves of compiled delivery: the folders `wave-1`, `wave-2` and so on, after the stages.
   *
   * @default 0
   */
  readonly waves?: number;

  /**
   * Maximum time to wait for a wave of compiled delivery to become healthy. While Flux waits, it applies no later
   * commit of the app. After a timeout, Flux retries.
   *
   * @default '10m'
   */
  readonly waveTimeout?: string;
}

/**
 * Applies an app that is emitted for Flux: one Kustomization per stage and wave, each depending on those before it.
 *
 * Namespaces, placements and configurations have to be ready before the add-on. The add-on itself is not waited for: its
 * rollout can take days, in which overrides and later commits would not reach the hub. Waves of compiled delivery are waited
 * for, since they are the rollout.
 *
 * @example
 * const source = new FluxGitRepository(chart, 'add-ons', { url: 'https://git.example.com/add-ons.git' });
 * new FluxKustomizations(chart, 'hello', { source, app: 'hello' });
 */
export class FluxKustomizations extends Construct {
  /** The Kustomizations, in order. */
  readonly kustomizations: readonly FluxKustomization[];

  constructor(scope: Construct, id: string, props: FluxKustomizationsProps) {
    checkProps({ FluxKustomizations }, new.target, scope, id, props);
    super(scope, id);
    const { app, folder = './dist', waves = 0, waveTimeout = '10m', ...common } = props;
    const waveFolders = Array.from({ length: waves }, (_, index) => `wave-${index + 1}`);
    const before = new Map(Object.entries(fluxStages));
    for (const [index, wave] of waveFolders.entries())
      before.set(wave, [waveFolders[index - 1] ?? 'clusters']);
    const kustomizations = new Map<string, FluxKustomization>();
    for (const [stage, earlier] of before) {
      const isWave = waveFolders.includes(stage);
      const kustomization = new FluxKustomization(this, stage, {
        ...common,
        name: `${app}-${stage}`,
        path: `${folder}/${app}/${stage}`,
        wait: isWave || !stagesWithoutHealth.has(stage),
        ...(isWave && { timeout: waveTimeout }),
        dependsOn: earlier.flatMap((name) => kustomizations.get(name) ?? []),
      });
      kustomizations.set(stage, kustomization);
    }
    this.kustomizations = [...kustomizations.values()];
  }
}
