// Connections as the service keeps them, and whether their tools can be used now.
import { queryOptions } from '@tanstack/react-query';
import { LOCAL_ORG } from '../../../shared/product.ts';
import type { AddedConnection, Connection, ConnectionEntry, Credential } from '../../../shared/schemas/index.ts';
import { send } from '../../api/send.ts';

type Signal = AbortSignal | undefined;

export interface NewConnection {
  name: string;
  kind: Connection['kind'];
  entry: ConnectionEntry;
  credential: Credential;
}

/** What opens the connect page. */
export interface Link {
  org: string;
  connection: string;
  token: string;
}

/** A tool server as a search lists it. */
export interface ServerState {
  name: string;
  connection?: string;
  tool_count?: number;
  unavailable?: string;
  because?: string;
}

export interface Found {
  servers: ServerState[];
  tools: { server: string; tool: string; summary: string }[];
}

/** What an operation of the connect page takes beside the token. */
export type Given = Readonly<Record<string, string>>;

const pathOf = (org: string): string => `/v1/orgs/${encodeURIComponent(org)}/connections`;
const onePathOf = (org: string, id: string): string => `${pathOf(org)}/${encodeURIComponent(id)}`;

export function addConnection(body: NewConnection): Promise<AddedConnection> {
  return send('POST', pathOf(LOCAL_ORG), { body });
}

export function removeConnection(org: string, id: string): Promise<Connection> {
  return send('POST', `${onePathOf(org, id)}/remove`, { body: {} });
}

function getConnection(org: string, id: string, signal: Signal): Promise<Connection> {
  return send('GET', onePathOf(org, id), { signal });
}

function readLink({ org, connection, token }: Link, signal: Signal): Promise<Connection> {
  return send('GET', `${onePathOf(org, connection)}/link/${encodeURIComponent(token)}`, { signal });
}

export function approve({ org, connection, token }: Link): Promise<Connection> {
  return send('POST', `${onePathOf(org, connection)}/approve`, { body: { token } });
}

export function giveCredential({ org, connection, token }: Link, given: Given): Promise<Connection> {
  return send('POST', `${onePathOf(org, connection)}/credential`, { body: { token, ...given } });
}

const KEY = 'connections';
/** Milliseconds. No list of events tells of connections, so that the list is read again from time to time. */
const AGAIN = 4_000;

export const connectionsKey = [KEY];

export function connectionsQuery(includeRemoved: boolean) {
  return queryOptions({
    queryKey: [KEY, LOCAL_ORG, 'list', includeRemoved],
    queryFn: async ({ signal }) => {
      const query = includeRemoved ? { include_removed: true } : {};
      return (await send<{ connections: Connection[] }>('GET', pathOf(LOCAL_ORG), { query, signal })).connections;
    },
    refetchInterval: AGAIN,
  });
}

export function connectionQuery(org: string, id: string) {
  return queryOptions({
    queryKey: [KEY, org, 'one', id],
    queryFn: ({ signal }) => getConnection(org, id, signal),
  });
}

/** The key holds no token, and nothing is kept once the page is left. */
export function linkQuery(link: Link) {
  return queryOptions({
    queryKey: [KEY, link.org, 'link', link.connection],
    queryFn: ({ signal }) => readLink(link, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What can be used of a connection now. Its server is asked. */
export function readinessQuery(org: string, { id, name, status }: Connection) {
  return queryOptions({
    queryKey: [KEY, org, 'readiness', id, status],
    queryFn: async ({ signal }) => {
      const path = `/v1/orgs/${encodeURIComponent(org)}/tool-servers/search`;
      const { servers, tools } = await send<Found>('GET', path, { query: { server: name }, signal });
      const server = servers.find((one) => one.connection === id);
      return { server: server ?? null, tools };
    },
    staleTime: 60_000,
    retry: false,
  });
}
