// Passes a checked message to a server that answers it. One factory serves every protocol revision, and creates a server
// for each request.
import {
  createMcpHandler,
  type McpServer,
  type Server,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { McpRequest } from '../http/index.ts';
import { createQuestions } from './questions.ts';
import { clientNameOf, createSessions } from './sessions.ts';
import { createToolSubscriptions } from './tool-subscriptions.ts';

const SESSION_HEADER = 'mcp-session-id';

/** A message with its protocol context. */
export interface McpMessage extends McpRequest {
  /** Whether its protocol revision is 2026-07-28 or newer. */
  isModern: boolean;
  /** The client's name, if an earlier request of its session sent it. */
  clientName: string | undefined;
  /** Aborted when this request is cancelled; call `done` once it is complete. */
  signalFor: (context: ServerContext) => { signal: AbortSignal; done: () => void };
}

export interface Transport {
  serve: (asked: McpRequest) => Promise<Response>;
  /** Notifies subscribed clients of a change, if they may see the tools of the playbook's definitions. */
  toolsChanged: (playbookKey: PlaybookKey) => void;
  /** Notifies every subscribed client. */
  notify: ServerNotifier;
  close: () => Promise<void>;
}

export function createTransport(factory: (message: McpMessage) => Server | McpServer): Transport {
  const sessions = createSessions();
  const questions = createQuestions();
  const subscriptions = createToolSubscriptions();

  const handler = createMcpHandler(
    ({ era, authInfo }) => {
      // The library passes this through unchanged: it names the request to the factory.
      const asked = authInfo?.extra?.['asked'] as McpRequest;
      const own = { org: asked.org, by: asked.caller.id };
      const session = asked.request.headers.get(SESSION_HEADER) ?? undefined;
      const server = factory({
        ...asked,
        isModern: era === 'modern',
        clientName: clientNameOf(session),
        signalFor({ mcpReq }) {
          const off = new AbortController();
          const done =
            session === undefined
              ? () => {}
              : sessions.track({ ...own, session, requestId: mcpReq.id }, () => off.abort());
          return { signal: AbortSignal.any([asked.request.signal, mcpReq.signal, off.signal]), done };
        },
      });
      return era === 'modern' ? server : questions.allow(server, asked.caller.id);
    },
    // The HTTP interface limits those of each caller: with one limit for all, a caller could use up those of others.
    { maxSubscriptions: Infinity, bus: subscriptions.bus },
  );

  return {
    async serve(asked) {
      const { message, request } = asked;
      const own = { org: asked.org, by: asked.caller.id };
      if (questions.answer(message, asked.caller.id)) return new Response(null, { status: 202 });
      const session = request.headers.get(SESSION_HEADER);
      const cancelled = cancelledBy(message);
      if (session !== null && cancelled !== undefined) sessions.cancel({ ...own, session, requestId: cancelled });
      const authInfo = { token: '', clientId: asked.caller.id, scopes: [], extra: { asked } };
      const response = await subscriptions.serve(asked, () =>
        handler.fetch(request, { parsedBody: message, authInfo }),
      );
      const clientName = introducedBy(message);
      if (clientName !== undefined && response.ok) response.headers.set(SESSION_HEADER, sessions.begin(clientName));
      return response;
    },
    toolsChanged: subscriptions.toolsChanged,
    notify: handler.notify,
    close: () => handler.close(),
  };
}

/** The client's name in an `initialize` message. */
function introducedBy(message: Json): string | undefined {
  if (!isJsonObject(message) || message['method'] !== 'initialize') return undefined;
  const { params } = message;
  const info = isJsonObject(params) ? params['clientInfo'] : undefined;
  return isJsonObject(info) ? String(info['name'] ?? '') : '';
}

/** The id of the request that the message cancels. */
function cancelledBy(message: Json): string | number | undefined {
  if (!isJsonObject(message) || message['method'] !== 'notifications/cancelled') return undefined;
  const requestId = isJsonObject(message['params']) ? message['params']['requestId'] : undefined;
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}
