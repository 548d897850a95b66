// Which hosts an entry of the file means.
//
// 1. Names are compared as URLs write them: lower case, punycode, the shortest form of an address, no dot at the end.
// 2. An entry with a port means that port alone; asked without a port, it is not meant: 80 and 443 differ.
// 3. `*.example.com` matches every name below example.com, at any depth, but not example.com itself.
import { isIP } from 'node:net';

export interface HostEntry {
  /** Without a port; an IPv6 address without its brackets. */
  name: string;
  /** Whether names below `name` are meant. */
  isBelow: boolean;
  /** Undefined: every port. */
  port: number | undefined;
}

export const HOST_FORM =
  'a host name or address such as api.example.com, with a port (api.example.com:8443) only that port; *.example.com stands for all below it';

/** The entry that a text means, or undefined where it is neither a host nor `*.` and a host name. */
export function readHostEntry(text: string): HostEntry | undefined {
  const isBelow = text.startsWith('*.');
  const host = splitHost(isBelow ? text.slice(2) : text);
  if (host === undefined || (isBelow && isIP(host.name) !== 0)) return undefined;
  return { ...host, isBelow };
}

/** @param host `name` or `name:port` */
export function isHostMeant({ name, isBelow, port }: HostEntry, host: string): boolean {
  const asked = splitHost(host);
  if (asked === undefined) return false;
  if (port !== undefined && port !== asked.port) return false;
  return isBelow ? asked.name.endsWith(`.${name}`) : asked.name === name;
}

function splitHost(text: string): Omit<HostEntry, 'isBelow'> | undefined {
  const [, written = '', digits] = isIP(text) === 6 ? [text, text] : (HOST_AND_PORT.exec(text) ?? []);
  const name = canonicalName(written);
  const port = digits === undefined ? undefined : Number(digits);
  return name === undefined || port === 0 || (port ?? 0) > 65_535 ? undefined : { name, port };
}

const HOST_AND_PORT = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/;

/** Characters that a URL would take for something other than a part of its host. */
const NO_HOST = /[\s/\\?#@%*]/;

/** Labels of a host name as URLs write them. */
const LABELS = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

function canonicalName(written: string): string | undefined {
  const bare = written.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIP(bare) !== 0;
  if (NO_HOST.test(bare) || (bare !== written && isIP(bare) !== 6)) return undefined;
  const url = `http://${isIP(bare) === 6 ? `[${bare}]` : bare}`;
  if (!URL.canParse(url)) return undefined;
  const name = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  // `10.1` is an address only to a URL parser.
  if (isAddress !== (isIP(name) !== 0)) return undefined;
  return isAddress || LABELS.test(name) ? name : undefined;
}
