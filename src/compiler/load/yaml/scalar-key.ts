import type { YamlScalar } from '../../../base/yaml/go-scalar.ts';

/** Returns the JSON key for a scalar; undefined if it cannot be a key. */
export function keyText(scalar: YamlScalar): string | undefined {
  switch (scalar.kind) {
    case 'string':
      return scalar.value;
    case 'infinite':
      return scalar.value.toLowerCase().replace('+', '');
    case 'boolean':
    case 'integer':
      return String(scalar.value);
    case 'float':
      return formatFloat32(scalar.value);
    case 'null':
      break;
  }
  return undefined;
}

/** as sigs.k8s.io/yaml convertToJSONableObject: strconv.FormatFloat(key, 'g', -1, 32) */
function formatFloat32(value: number): string {
  const single = Math.fround(value);
  if (single === 0) return '0';
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  const [mantissa = '', exponent = ''] = single.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(single.toPrecision(digits)));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
