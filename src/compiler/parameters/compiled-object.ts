import { noDefaultConfigName } from '../../ocm/default-config.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import type { ClusterManagementAddOnV1beta1PlacementStrategy } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Admitted } from '../model/inventory.ts';
import type { Origin } from '../model/origin.ts';
import type { DeploymentConfigReference } from './deployment-config.ts';

type Strategy = ClusterManagementAddOnV1beta1PlacementStrategy;

interface DefaultConfig {
  readonly group?: string;
  readonly resource: string;
}

interface Spec {
  /** In v1alpha1. */
  readonly supportedConfigs?: readonly (DefaultConfig & { readonly defaultConfig?: object })[];
  /** In v1beta1. */
  readonly defaultConfigs?: readonly (DefaultConfig & {
    readonly name: string;
    readonly namespace?: string;
  })[];
  readonly installStrategy?: { readonly type?: string; readonly placements?: readonly Strategy[] };
}

interface PlacementEntry {
  readonly strategy: Strategy;
  /** The index of the written placement. Undefined for an added one. */
  readonly writtenIndex: number | undefined;
  /** The number of written configurations. */
  readonly own: number;
}

/** A ClusterManagementAddOn, in the version in which it was written, that gets references to configurations. */
export class CompiledAddOnObject {
  readonly #admitted: Admitted;
  readonly #declaration: Origin;
  readonly #placements: PlacementEntry[];
  #spec: Spec;

  /** @param declaration - the location of what is added */
  constructor(admitted: Admitted, declaration: Origin) {
    this.#admitted = admitted;
    this.#declaration = declaration;
    this.#spec = admitted.object['spec'] ?? {};
    this.#placements = (this.#spec.installStrategy?.placements ?? []).map((strategy, writtenIndex) => ({
      strategy,
      writtenIndex,
      own: strategy.configs?.length ?? 0,
    }));
  }

  /** Lists AddOnDeploymentConfig among the kinds that the add-on supports. */
  supportDeploymentConfigs(): void {
    const { supportedConfigs = [], defaultConfigs = [] } = this.#spec;
    const kind = { group: addOnGroup, resource: 'addondeploymentconfigs' };
    const isListed = [...supportedConfigs, ...defaultConfigs].some(isSameKind);
    if (isListed) return;
    this.#spec = this.#isV1alpha1
      ? { ...this.#spec, supportedConfigs: [...supportedConfigs, kind] }
      : { ...this.#spec, defaultConfigs: [...defaultConfigs, { ...kind, name: noDefaultConfigName }] };
  }

  setDefaultConfig(reference: DeploymentConfigReference): void {
    const { group, resource, ...defaultConfig } = reference;
    const { supportedConfigs, defaultConfigs } = this.#spec;
    this.#spec = {
      ...this.#spec,
      ...(supportedConfigs && {
        supportedConfigs: supportedConfigs.map((each) =>
          isSameKind(each) ? { group, resource, defaultConfig } : each,
        ),
      }),
      ...(defaultConfigs && {
        defaultConfigs: defaultConfigs.map((each) => (isSameKind(each) ? reference : each)),
      }),
    };
  }

  /** @param index - of the placement as written */
  addPlacementConfig(index: number, reference: DeploymentConfigReference): void {
    this.#changeWritten(index, ({ strategy, ...rest }) => [
      { ...rest, strategy: { ...strategy, configs: [...(strategy.configs ?? []), reference] } },
    ]);
  }

  /** Adds a placement that is stronger than the written one and weaker than the next. */
  addPlacementAfter(index: number, strategy: Strategy): void {
    const next = this.#placements.findIndex(({ writtenIndex }) => writtenIndex === index + 1);
    this.#placements.splice(next < 0 ? this.#placements.length : next, 0, {
      strategy,
      writtenIndex: undefined,
      own: 0,
    });
  }

  result(): Admitted {
    const { installStrategy } = this.#spec;
    const placements = this.#placements.map(({ strategy }) => strategy);
    const spec = {
      ...this.#spec,
      ...(installStrategy?.placements !== undefined && {
        installStrategy: { ...installStrategy, placements },
      }),
    };
    const { origin } = this.#admitted;
    return {
      ...this.#admitted,
      object: { ...this.#admitted.object, spec },
      origin: {
        get location() {
          return origin.location;
        },
        locate: (path) => this.#locate(path),
      },
    };
  }

  get #isV1alpha1(): boolean {
    return this.#admitted.object.apiVersion.endsWith('/v1alpha1');
  }

  #changeWritten(index: number, change: (entry: PlacementEntry) => PlacementEntry[]): void {
    const position = this.#placements.findIndex(({ writtenIndex }) => writtenIndex === index);
    const entry = this.#placements[position];
    if (entry !== undefined) this.#placements.splice(position, 1, ...change(entry));
  }

  #locate(path: FieldPath): ReturnType<Origin['locate']> {
    const { origin } = this.#admitted;
    const [spec = '', strategy = '', placements = '', index, ...rest] = path;
    if (strategy !== 'installStrategy' || placements !== 'placements' || typeof index !== 'number')
      return origin.locate(path);
    const entry = this.#placements[index];
    const isAdded = rest[0] === 'configs' && typeof rest[1] === 'number' && rest[1] >= (entry?.own ?? 0);
    if (entry?.writtenIndex === undefined || isAdded) return this.#declaration.location;
    return origin.locate([spec, strategy, placements, entry.writtenIndex, ...rest]);
  }
}

function isSameKind({ group, resource }: DefaultConfig): boolean {
  return group === addOnGroup && resource === 'addondeploymentconfigs';
}
