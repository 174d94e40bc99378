/** How API servers differ in what they take. */
export interface ApiServer {
  /**
   * Whether integers of the format `int32` must fit into 32 bits, as since Kubernetes 1.36. Older API servers let all pass
   * that fit into 64; the compiler holds to the newer ones, for OCM cannot read the others.
   */
  readonly checksInt32: boolean;
}

/** The API server of a hub, by the modules it was built from. */
export function apiServerOf(versions: Readonly<Record<string, string>>): ApiServer {
  const version = versions['k8s.io/kubernetes'] ?? '';
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version) ?? [];
  if (major !== '1' || minor === undefined) throw new Error(`Kubernetes ${version} is not known`);
  return { checksInt32: Number(minor) >= 36 };
}
