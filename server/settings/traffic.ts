// How much a published server takes from its clients, and whose word it takes for their addresses.
import { isIP } from 'node:net';
import { SettingsError } from './settings-error.ts';

const DEFAULT_RATE = 300;
const MOST_RATE = 1_000_000;

/** Commands that a caller may send in a minute; 0: any number. @throws SettingsError */
export function readRateLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_RATE;
  if (/^\d{1,7}$/.test(text) && Number(text) <= MOST_RATE) return Number(text);
  throw new SettingsError(
    `RATE_LIMIT is ${JSON.stringify(text)}; it must be a whole number of commands a minute, from 0 (no limit) to ${MOST_RATE}.`,
  );
}

/** Addresses and networks of reverse proxies, whose X-Forwarded-For is believed. @throws SettingsError */
export function readTrustedProxies(text: string | undefined): readonly string[] {
  const proxies = text?.split(',').map((proxy) => proxy.trim()) ?? [];
  const wrong = proxies.find((proxy) => !isAddressOrNetwork(proxy));
  if (wrong === undefined) return proxies;
  throw new SettingsError(
    `TRUSTED_PROXIES contains ${JSON.stringify(wrong)}; it must be IP addresses and networks such as 10.0.0.0/8, separated by commas.`,
  );
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  // A network of no bits would be everyone.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
