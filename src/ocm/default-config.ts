/**
 * The name that means "this kind is supported, but has no default" in v1beta1. No object can have it. As OCM's
 * ReservedNoDefaultConfigName.
 */
export const noDefaultConfigName = '__reserved_no_default__';

/**
 * Whether the default configuration of a kind is only a declaration that the kind is supported. In other places the reserved
 * name is an ordinary one.
 */
export function isNoDefault(name: string): boolean {
  return name === '' || name === noDefaultConfigName;
}
