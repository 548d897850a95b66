// Connections as the service keeps them, and whether their tools can be used now.
import { queryOptions } from '@tanstack/react-query';
import type { Connection, Input } from '../../../shared/api/index.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { call } from '../../api/call.ts';

export type NewConnection = Omit<Input<'add_connection'>, 'org'>;

/** What opens the connect page. */
export interface Link {
  org: string;
  connection: string;
  token: string;
}

export function linkInput({ org, connection, token }: Link): Input<'read_link'> {
  return { org, id: connection, token };
}

const KEY = 'connections';
/** Milliseconds. No list of events tells of connections, so that the list is read again from time to time. */
const AGAIN = 4_000;

export const connectionsKey = [KEY];

export function connectionsQuery(includeRemoved: boolean) {
  return queryOptions({
    queryKey: [KEY, LOCAL_ORG, 'list', includeRemoved],
    queryFn: async ({ signal }) => {
      const input = { include_removed: includeRemoved ? true : undefined };
      return (await call('list_connections', input, signal)).connections;
    },
    refetchInterval: AGAIN,
  });
}

export function connectionQuery(org: string, id: string) {
  return queryOptions({
    queryKey: [KEY, org, 'one', id],
    queryFn: ({ signal }) => call('get_connection', { org, id }, signal),
  });
}

/** The key holds no token, and nothing is kept once the page is left. */
export function linkQuery(link: Link) {
  return queryOptions({
    queryKey: [KEY, link.org, 'link', link.connection],
    queryFn: ({ signal }) => call('read_link', linkInput(link), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What can be used of a connection now. Its server is asked. */
export function readinessQuery(org: string, { id, name, status }: Connection) {
  return queryOptions({
    queryKey: [KEY, org, 'readiness', id, status],
    queryFn: async ({ signal }) => {
      const { servers, tools } = await call('search_in_org', { org, server: name }, signal);
      const server = servers.find((one) => one.connection === id);
      return { server: server ?? null, tools };
    },
    staleTime: 60_000,
    retry: false,
  });
}
