// Which addresses may be connected to. A name is looked up once, and the connection goes to what was looked at, so that
// a name which means something else a moment later gains nothing.
import { lookup as lookUp, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** Whether the address that a host stands for may be connected to; `address` is an IP address without brackets. */
export type AllowAddress = (host: string, address: string) => boolean;

/** Connecting was refused by the check of the address. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/** The host of a URL as the system's look-up takes it: an IPv6 address without its brackets. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** A host that is an address itself is never looked up, and is checked here. */
export function isLiteralRefused(url: URL, allowAddress: AllowAddress): boolean {
  const host = bareHost(url);
  return isIP(host) !== 0 && !allowAddress(host, host);
}

/** The system's look-up, without the addresses that are not allowed. */
export function checkedLookup(allowAddress: AllowAddress): LookupFunction {
  return (host, options, answer) => {
    const all: LookupAllOptions = { ...(options as object), all: true };
    lookUp(host, all, (error, addresses) => {
      if (error !== null) return answer(error, '', 0);
      const allowed = addresses.filter(({ address }) => allowAddress(host, address));
      const [first] = allowed;
      if (first === undefined) return answer(new AddressRefused('The address is not allowed.'), '', 0);
      if (options.all === true) return answer(null, allowed satisfies LookupAddress[]);
      answer(null, first.address, first.family);
    });
  };
}
