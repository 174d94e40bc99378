import { goQuote } from '../../../base/go/quote.ts';
import { noSuchOverload } from '../values/comparison.ts';
import { instanceOf, method, overload, text } from '../function.ts';
import type { FunctionDeclaration } from '../function.ts';
import {
  containsAddress,
  formatAddress,
  isMappedIPv4,
  isSameAddress,
  mask,
  parseAddress,
  parseNetwork,
} from '../../../base/go/network-address.ts';
import type { Address, Network } from '../../../base/go/network-address.ts';
import { boolType, intType, opaqueType, stringType } from '../check/types.ts';
import { CelError } from '../error.ts';
import type { CelBox } from '../values/box.ts';
import type { CelResult } from '../values/value.ts';

class CelIP implements CelBox {
  readonly typeName = 'net.IP';
  readonly address: Address;

  constructor(address: Address) {
    this.address = address;
  }

  get size(): number {
    return this.address.length;
  }

  equals(other: unknown): boolean | CelError {
    return other instanceof CelIP ? isSameAddress(this.address, other.address) : noSuchOverload;
  }
}

class CelCIDR implements CelBox {
  readonly typeName = 'net.CIDR';
  readonly network: Network;

  constructor(network: Network) {
    this.network = network;
  }

  get size(): number {
    return Math.ceil(this.network.bits / 8);
  }

  equals(other: unknown): boolean | CelError {
    if (!(other instanceof CelCIDR)) return noSuchOverload;
    const { address, bits } = this.network;
    return bits === other.network.bits && isSameAddress(address, other.network.address);
  }
}

export const ipType = opaqueType('net.IP');
export const cidrType = opaqueType('net.CIDR');
const ip = instanceOf(ipType, CelIP);
const cidr = instanceOf(cidrType, CelCIDR);

function parseIP(value: string): CelIP | CelError {
  const address = parseAddress(value);
  if (address === undefined)
    return new CelError(`IP Address ${goQuote(value)} parse error during conversion from string`);
  if (isMappedIPv4(address)) return new CelError(`IPv4-mapped IPv6 address ${goQuote(value)} is not allowed`);
  return new CelIP(address);
}

function parseCIDR(value: string): CelCIDR | CelError {
  const network = parseNetwork(value);
  if (network === undefined || isMappedIPv4(network.address))
    return new CelError('network address parse error during conversion from string');
  return new CelCIDR(network);
}

function getter(name: string, id: string, holds: (address: Address) => boolean): FunctionDeclaration {
  return { name, overloads: [method(id, [ip], boolType, ({ address }) => holds(address))] };
}

/** Kubernetes' ip library. */
export const ipFunctions: readonly FunctionDeclaration[] = [
  { name: 'ip', overloads: [overload('string_to_ip', [text], ipType, parseIP)] },
  {
    name: 'family',
    overloads: [method('ip_family', [ip], intType, ({ address }) => (address.length === 4 ? 4n : 6n))],
  },
  {
    name: 'ip.isCanonical',
    overloads: [
      overload('ip_is_canonical', [text], boolType, (value) => {
        const parsed = parseIP(value);
        return parsed instanceof CelError ? parsed : formatAddress(parsed.address) === value;
      }),
    ],
  },
  getter('isUnspecified', 'ip_is_unspecified', isUnspecified),
  getter('isLoopback', 'ip_is_loopback', isLoopback),
  getter('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  getter('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  getter('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  {
    name: 'isIP',
    overloads: [overload('is_ip', [text], boolType, (value) => parseIP(value) instanceof CelIP)],
  },
  {
    name: 'string',
    overloads: [overload('ip_to_string', [ip], stringType, ({ address }) => formatAddress(address))],
  },
];

function isUnspecified(address: Address): boolean {
  return address.every((byte) => byte === 0);
}

function isLoopback(address: Address): boolean {
  if (address.length === 4) return address[0] === 127;
  return address.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isMulticast([first = 0, ...rest]: Address): boolean {
  return rest.length === 3 ? (first & 0xf0) === 0xe0 : first === 0xff;
}

function isLinkLocalMulticast(address: Address): boolean {
  const [first, second = 0, third] = address;
  if (address.length === 4) return first === 224 && second === 0 && third === 0;
  return first === 0xff && (second & 0x0f) === 0x02;
}

function isLinkLocalUnicast(address: Address): boolean {
  const [first, second = 0] = address;
  return address.length === 4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80;
}

function isGlobalUnicast(address: Address): boolean {
  if (address.length === 4 && address.every((byte) => byte === 255)) return false;
  return (
    !isUnspecified(address) && !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address)
  );
}

/** Kubernetes' cidr library. */
export const cidrFunctions: readonly FunctionDeclaration[] = [
  { name: 'cidr', overloads: [overload('string_to_cidr', [text], cidrType, parseCIDR)] },
  {
    name: 'containsIP',
    overloads: [
      method('cidr_contains_ip_string', [cidr, text], boolType, (network, value) =>
        containsIP(network, parseIP(value)),
      ),
      method('cidr_contains_ip_ip', [cidr, ip], boolType, containsIP),
    ],
  },
  {
    name: 'containsCIDR',
    overloads: [
      method('cidr_contains_cidr_string', [cidr, text], boolType, (network, value) =>
        containsCIDR(network, parseCIDR(value)),
      ),
      method('cidr_contains_cidr', [cidr, cidr], boolType, containsCIDR),
    ],
  },
  { name: 'ip', overloads: [method('cidr_ip', [cidr], ipType, ({ network }) => new CelIP(network.address))] },
  {
    name: 'prefixLength',
    overloads: [method('cidr_prefix_length', [cidr], intType, ({ network }) => BigInt(network.bits))],
  },
  {
    name: 'masked',
    overloads: [
      method(
        'cidr_masked',
        [cidr],
        cidrType,
        ({ network: { address, bits } }) => new CelCIDR({ address: mask(address, bits), bits }),
      ),
    ],
  },
  {
    name: 'isCIDR',
    overloads: [overload('is_cidr', [text], boolType, (value) => parseCIDR(value) instanceof CelCIDR)],
  },
  {
    name: 'string',
    overloads: [
      overload(
        'cidr_to_string',
        [cidr],
        stringType,
        ({ network: { address, bits } }) => `${formatAddress(address)}/${bits}`,
      ),
    ],
  },
];

function containsIP({ network }: CelCIDR, other: CelIP | CelError): CelResult {
  // a text that is not an address does not match: the library returns an error for the overload
  return other instanceof CelError ? noSuchOverload : containsAddress(network, other.address);
}

function containsCIDR({ network }: CelCIDR, other: CelCIDR | CelError): CelResult {
  if (other instanceof CelError) return other;
  return network.bits <= other.network.bits && containsAddress(network, other.network.address);
}
