import type { JsonMap } from '../../base/json/json-map.ts';

/** An AddOnParameters or AddOnValues whose shape is valid. */
export interface ParametersObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: {
    readonly addOn?: string;
    readonly parameters: Readonly<Record<string, JsonMap>>;
    readonly layers?: readonly WrittenLayer[];
    readonly revisionHistoryLimit?: number;
  };
}

/** A layer as written. */
export interface WrittenLayer {
  readonly hub?: string;
  readonly placement?: string;
  readonly where?: JsonMap;
  readonly claims?: JsonMap;
  readonly sets?: readonly string[];
  readonly cluster?: string;
  readonly clusters?: readonly string[];
  readonly order?: number;
  readonly values: JsonMap;
}
