// What a server asks its client in the middle of a call of a revision before 2026-07-28. The client answers with a
// message of its own, and that reaches another instance of the server than the one that asks.
//
// 1. Nothing is kept but what is asked now: there is no session, and a question's id alone leads back to who asks.
// 2. Only the caller of the call answers.
// 3. What is asked ends with the call.
import { randomUUID } from 'node:crypto';
import { isJSONRPCRequest, type JSONRPCMessage, type McpServer, type Server } from '@modelcontextprotocol/server';
import { isJsonObject, type Json } from '../../../shared/json.ts';

export interface Questions {
  /** Lets a server that is not connected yet ask the caller that it works for. */
  allow<S extends Server | McpServer>(server: S, caller: string): S;
  /** Hands an answer to who asked. False where the message is no answer to anything that is asked. */
  answer(message: Json, caller: string): boolean;
}

interface Asked {
  caller: string;
  answer: (message: JSONRPCMessage) => void;
}

export function createQuestions(): Questions {
  const open = new Map<string, Asked>();
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
        // The library's transports take one listener, as a member.
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
