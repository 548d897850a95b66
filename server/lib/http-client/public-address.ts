// Which addresses are on the public internet: those of the IANA special-purpose registries (RFC 6890 and
// its successors) that are not globally reachable, multicast, and addresses that hold another address do not. And which
// addresses one client can have.
import { BlockList, isIP, isIPv6 } from 'node:net';

const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast, reserved, broadcast.
  '224.0.0.0/3',
];
/** All that is public stands in it (RFC 4291, section 2.4): loopback, link-local, unique local, mapped do not. */
const GLOBAL_V6 = '2000::/3';
/** Of those, special purposes, documentation, Teredo (RFC 4380) and 6to4 (RFC 3056). */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const notPublic = listOf([...NOT_PUBLIC_V4, ...NOT_PUBLIC_V6]);
const global = listOf([GLOBAL_V6]);
const loopback = listOf(['::1/128']);

/** @param address an IP address without brackets */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4');
    case 6:
      return global.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Whether it is an address of this machine itself, written as such. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith('127.') : isIP(address) === 6 && loopback.check(address, 'ipv6');
}

/** The address, or the first 64 bits of an IPv6 address: one client can have all addresses that begin with them. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [before = '', after] = (address.split('%')[0] ?? '').split('::');
  const head = before.split(':');
  const tail = after === undefined ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
