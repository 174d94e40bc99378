import { describe, expect, test } from 'vitest';
import { ProxyError } from '../../../src/client/kubeconfig/error.ts';
import { proxyTo } from '../../../src/client/kubeconfig/proxy-url.ts';

const hub = 'https://hub.example.com:6443';
const plain = 'http://plain.example.com';

type Environment = Readonly<Record<string, string>>;

function proxy(server: string, environment: Environment, proxyUrl?: string): string | undefined {
  const kubeconfigProxy = { proxyUrl, location: 'proxy-url of context "hub" in config' };
  return proxyTo(new URL(server), kubeconfigProxy, environment)?.href;
}

describe('the environment names the proxy', () => {
  // The answers of golang.org/x/net v0.47.0, but for the slash that URLs end with here.
  test.each<readonly [Environment, server: string, proxy: string | undefined]>([
    [{}, hub, undefined],
    [{ HTTPS_PROXY: 'http://a:1' }, hub, 'http://a:1'],
    [{ HTTPS_PROXY: 'http://a:1' }, plain, undefined],
    [{ HTTP_PROXY: 'http://a:1' }, plain, 'http://a:1'],
    [{ HTTP_PROXY: 'http://a:1' }, hub, undefined],
    [{ https_proxy: 'http://a:1' }, hub, 'http://a:1'],
    [{ HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2' }, hub, 'http://a:1'],
    [{ HTTPS_PROXY: '', https_proxy: 'http://b:2' }, hub, 'http://b:2'],
    [{ http_proxy: 'http://b:2' }, plain, 'http://b:2'],
    [{ ALL_PROXY: 'http://a:1', all_proxy: 'http://a:1' }, hub, undefined],
    [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: 'example.com' }, hub, undefined],
    [{ HTTPS_PROXY: 'http://a:1', no_proxy: 'example.com' }, hub, undefined],
    [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: 'other', no_proxy: 'example.com' }, hub, 'http://a:1'],
    [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: '', no_proxy: 'example.com' }, hub, undefined],
    [{ HTTPS_PROXY: 'a:1' }, hub, 'http://a:1'],
    [{ HTTPS_PROXY: 'proxy.corp:3128' }, hub, 'http://proxy.corp:3128'],
    [{ HTTPS_PROXY: 'proxy.corp' }, hub, 'http://proxy.corp'],
    [{ HTTPS_PROXY: '10.0.0.1:3128' }, hub, 'http://10.0.0.1:3128'],
    [{ HTTPS_PROXY: '[fd00::1]:3128' }, hub, 'http://[fd00::1]:3128'],
    [{ HTTPS_PROXY: 'me:secret@proxy.corp:3128' }, hub, 'http://me:secret@proxy.corp:3128'],
    [{ HTTPS_PROXY: 'https://me:s%40t@proxy.corp' }, hub, 'https://me:s%40t@proxy.corp'],
    [{ HTTPS_PROXY: 'socks5://proxy.corp:1080' }, hub, 'socks5://proxy.corp:1080'],
    [{ HTTPS_PROXY: 'socks5h://proxy.corp' }, hub, 'socks5h://proxy.corp'],
    [{ HTTPS_PROXY: 'HTTP://proxy.corp:8080/' }, hub, 'http://proxy.corp:8080/'],
    [{ HTTPS_PROXY: 'http://a:1', REQUEST_METHOD: 'GET' }, hub, 'http://a:1'],
  ])('%j, for %s', (environment, server, expected) => {
    expect(proxy(server, environment)).toBe(expected && new URL(expected).href);
  });
});

test('the proxy of the kubeconfig comes first, regardless of NO_PROXY', () => {
  const environment = { HTTPS_PROXY: 'http://a:1', NO_PROXY: '*' };
  expect(proxy(hub, environment, 'http://b:2')).toBe('http://b:2/');
  expect(proxy('https://127.0.0.1:6443', {}, 'http://b:2')).toBe('http://b:2/');
});

describe('an invalid proxy is reported without its value', () => {
  test.each([
    ['http://me:s3cret/#@proxy.corp:3128', 'HTTPS_PROXY is not a valid proxy URL'],
    [
      'http://me:100%@proxy.corp:3128',
      'HTTPS_PROXY has a % in its user name or password that is not a valid escape',
    ],
    ['http://me:s3cret@proxy.corp:3128\n', 'HTTPS_PROXY has a space or a line break in it'],
    ['ftp://me:s3cret@proxy.corp', 'HTTPS_PROXY is not a valid proxy URL'],
    ['socks4://proxy.corp', 'HTTPS_PROXY is not a valid proxy URL'],
    ['socks5://', 'HTTPS_PROXY is not a valid proxy URL'],
    ['proxy.corp:many', 'HTTPS_PROXY is not a valid proxy URL'],
  ])('%j', (value, message) => {
    expect(() => proxy(hub, { HTTPS_PROXY: value })).toThrow(new ProxyError(message));
  });

  test('by the name of the variable that is set', () => {
    expect(() => proxy(plain, { http_proxy: 'http://' })).toThrow('http_proxy is not a valid proxy URL');
  });

  test('by its location in the kubeconfig, if it needs its scheme as with kubectl', () => {
    const message = 'proxy-url of context "hub" in config is not a valid proxy URL';
    for (const value of ['proxy.corp:3128', 'me:s3cret@proxy.corp', 'proxy.corp'])
      expect(() => proxy(hub, {}, value)).toThrow(new ProxyError(message));
  });

  test('but not if it is not used', () => {
    expect(proxy(hub, { HTTPS_PROXY: 'ftp://a', NO_PROXY: 'example.com', HTTP_PROXY: '::' })).toBeUndefined();
    expect(proxy(hub, { HTTPS_PROXY: 'ftp://a' }, 'http://b:2')).toBe('http://b:2/');
  });
});
