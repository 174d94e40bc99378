import { firstParam, formatType, isDyn, isSameType } from './types.ts';
import type { CelType } from './types.ts';

/** The substitutions of open types, by name. After a failed attempt, the previous substitutions stay in force. */
export type Substitutions = ReadonlyMap<string, CelType>;

/** Returns the substitutions under which values of `from` can be used as `to`; undefined if there are none. */
export function unify(substitutions: Substitutions, from: CelType, to: CelType): Substitutions | undefined {
  const attempt = new Map(substitutions);
  return assignable(attempt, from, to) ? attempt : undefined;
}

/** The same for the arguments of a call. */
export function unifyAll(
  substitutions: Substitutions,
  from: readonly CelType[],
  to: readonly CelType[],
): Substitutions | undefined {
  const attempt = new Map(substitutions);
  return allAssignable(attempt, from, to) ? attempt : undefined;
}

type Attempt = Map<string, CelType>;

function allAssignable(attempt: Attempt, from: readonly CelType[], to: readonly CelType[]): boolean {
  if (from.length !== to.length) return false;
  return from.every((type, index) => {
    const other = to[index];
    return other !== undefined && assignable(attempt, type, other);
  });
}

/** As cel-go's internalIsAssignable, in its order: the order decides which substitution is tried first. */
function assignable(attempt: Attempt, from: CelType, to: CelType): boolean {
  if (to.kind === 'param') {
    const { valid, known: isBound } = substitutable(attempt, from, to);
    if (valid) return true;
    if (isBound) return false;
  }
  if (from.kind === 'param') return substitutable(attempt, to, from).valid;
  if (acceptsAnything(from) || acceptsAnything(to)) return true;
  if (from.kind === 'null') return isNullable(to);
  if (to.kind === 'null') return isNullable(from);
  if (from.kind !== to.kind) return false;
  if (from.kind === 'type') return true;
  return from.name === to.name && allAssignable(attempt, from.params, to.params);
}

function acceptsAnything(type: CelType): boolean {
  return isDyn(type) || type.kind === 'error';
}

/** Whether null can be used as the type. It can for all types that are not plain values. */
function isNullable(type: CelType): boolean {
  return ['opaque', 'struct', 'duration', 'timestamp', 'null'].includes(type.kind);
}

/** Whether `open` can be substituted by `type`, and whether it already has a substitution. */
function substitutable(attempt: Attempt, type: CelType, open: CelType): { valid: boolean; known: boolean } {
  if (isSameType(type, open)) return { valid: true, known: true };
  const current = attempt.get(formatType(open));
  if (current !== undefined) {
    if (isSameType(type, current)) return { valid: true, known: true };
    if (!assignable(attempt, type, current)) return { valid: false, known: true };
    const general = mostGeneral(type, current);
    if (!occursIn(attempt, open, general)) attempt.set(formatType(open), general);
    return { valid: true, known: true };
  }
  if (occursIn(attempt, open, type)) return { valid: false, known: false };
  attempt.set(formatType(open), type);
  return { valid: true, known: false };
}

/** Whether an open type is part of another, directly or through a substitution. */
function occursIn(attempt: Attempt, open: CelType, type: CelType): boolean {
  if (isSameType(open, type)) return true;
  if (type.kind === 'param') {
    const current = attempt.get(formatType(type));
    return current !== undefined && occursIn(attempt, open, current);
  }
  return type.params.some((param) => occursIn(attempt, open, param));
}

/** Returns the more general of two types that fit each other. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.params.length === 0) return isSameType(a, b);
  return (
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((param, index) => isLessSpecific(param, b.params[index] ?? firstParam(b)))
  );
}

/** Returns a type with all current substitutions. If `close` is set, types that are still open become dyn. */
export function substitute(substitutions: Substitutions, type: CelType, close: boolean): CelType {
  const current = substitutions.get(formatType(type));
  if (current !== undefined) return substitute(substitutions, current, close);
  if (type.kind === 'param') return close ? { kind: 'dyn', name: 'dyn', params: [] } : type;
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((param) => substitute(substitutions, param, close)) };
}
