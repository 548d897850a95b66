// Requests from the server to its client during a call, in protocol revisions before 2026-07-28. The client answers with
// a separate message, which reaches another instance of the server than the one that asked.
//
// 1. Only open questions are kept: there is no session, and the id of a question leads back to the call.
// 2. Only the caller of the call can answer.
// 3. A question is dropped when the call ends.
import { randomUUID } from 'node:crypto';
import { isJSONRPCRequest, type JSONRPCMessage, type McpServer, type Server } from '@modelcontextprotocol/server';
import { isJsonObject, type Json } from '../../../shared/json.ts';

export interface Questions {
  /** Connects a server, so that it can ask the caller of its call. */
  allow<S extends Server | McpServer>(server: S, caller: string): S;
  /** Passes an answer to the call that asked. False if the message does not answer an open question. */
  answer(message: Json, caller: string): boolean;
}

interface OpenQuestion {
  caller: string;
  answer: (message: JSONRPCMessage) => void;
}

export function createQuestions(): Questions {
  const open = new Map<string, OpenQuestion>();
  return {
    allow(server, caller) {
      const connect = server.connect.bind(server);
      server.connect = async (transport) => {
        const own = new Set<string>();
        const send = transport.send.bind(transport);
        transport.send = (message, options) => {
          if (!isJSONRPCRequest(message)) return send(message, options);
          const id = randomUUID();
          own.add(id);
          open.set(id, {
            caller,
            answer: (given) => transport.onmessage?.({ ...given, id: message.id }),
          });
          return send({ ...message, id }, options);
        };
        const close = transport.onclose;
        // The library's transports take one listener, as a property.
        // oxlint-disable-next-line unicorn/prefer-add-event-listener
        transport.onclose = () => {
          for (const id of own) open.delete(id);
          close?.();
        };
        await connect(transport);
      };
      return server;
    },
    answer(message, caller) {
      if (!isJsonObject(message) || 'method' in message || typeof message['id'] !== 'string') return false;
      const asked = open.get(message['id']);
      if (asked?.caller !== caller) return false;
      open.delete(message['id']);
      asked.answer(message as unknown as JSONRPCMessage);
      return true;
    },
  };
}
