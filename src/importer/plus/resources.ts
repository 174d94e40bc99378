import { call, literal, name, object, unlessEmptyObject, type Expression } from '../code/expression.ts';
import type { Resources } from './manifests.ts';
import { hasOthers, isExpressible, kplus, type FieldCode } from './field-code.ts';

/** Returns the requests and limits of a container. If it has none, the construct needs an explicit empty value. */
export function resourceProps(resources: Resources | undefined): FieldCode {
  const { limits = {}, requests = {} } = resources ?? {};
  if (hasOthers({ ...limits, ...requests }, 'cpu', 'memory')) return 'inexpressible';
  const cpu = bounds(requests['cpu'], limits['cpu'], cpuAmount);
  const memory = bounds(requests['memory'], limits['memory'], memoryAmount);
  return isExpressible(cpu) && isExpressible(memory) ? object({ cpu, memory }) : 'inexpressible';
}

type Amount = string | number | undefined;

function bounds(request: Amount, limit: Amount, amount: (text: string) => Expression | undefined): FieldCode {
  const sizeCode = (quantity: Amount): FieldCode =>
    quantity === undefined ? undefined : (amount(String(quantity)) ?? 'inexpressible');
  const [least, most] = [sizeCode(request), sizeCode(limit)];
  if (!isExpressible(least) || !isExpressible(most)) return 'inexpressible';
  return unlessEmptyObject(object({ request: least, limit: most }));
}

function cpuAmount(text: string): Expression | undefined {
  const [, digits, unit] = /^([1-9]\d{0,8})(m?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return call(kplus('Cpu'), unit === 'm' ? 'millis' : 'units', literal(Number(digits)));
}

function memoryAmount(text: string): Expression | undefined {
  const [, digits] = /^([1-9]\d{0,8})Mi$/.exec(text) ?? [];
  return digits === undefined ? undefined : call(name('Size'), 'mebibytes', literal(Number(digits)));
}
