// Queries of connections and of the availability of their tools.
import { queryOptions } from '@tanstack/react-query';
import type { Connection, Input } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { session } from '../../api/session/session.ts';

export type NewConnection = Omit<Input<'add_connection'>, 'org'>;

/** The parameters of a connect link. */
export interface Link {
  org: string;
  connection: string;
  token: string;
}

export function linkInput({ org, connection, token }: Link): Input<'read_link'> {
  return { org, id: connection, token };
}

const KEY = 'connections';
/** Milliseconds. No events report changes of connections, so the list is polled. */
const AGAIN = 4_000;

export const connectionsKey = [KEY];

export function connectionsQuery(includeRemoved: boolean) {
  return queryOptions({
    queryKey: [KEY, session.org(), 'list', includeRemoved],
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

/** The token is not in the key, and nothing is cached after the page is left. */
export function linkQuery(link: Link) {
  return queryOptions({
    queryKey: [KEY, link.org, 'link', link.connection],
    queryFn: ({ signal }) => call('read_link', linkInput(link), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** The tools of a connection that are available now. This asks its server. */
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
