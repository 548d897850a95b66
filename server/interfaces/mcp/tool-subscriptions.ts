// The subscriptions of clients to changes of tools, from protocol revision 2026-07-28 on. The library would notify all of
// them of every change; here, each is notified only of changes in playbooks that its caller may read.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { Endpoint } from './endpoint.ts';

export interface ToolSubscriptions {
  bus: ServerEventBus;
  /** Handles a request, which may subscribe. */
  serve: <Answer>(endpoint: Endpoint, handle: () => Answer) => Answer;
  /** Notifies those who may see the tools of the playbook's definitions. */
  toolsChanged: (playbookKey: PlaybookKey) => void;
}

export function createToolSubscriptions(): ToolSubscriptions {
  // The library does not say for which request it subscribes.
  const serving = new AsyncLocalStorage<Endpoint>();
  const listeners = new Map<(event: ServerEvent) => void, Endpoint>();
  return {
    bus: {
      publish: (event) => listeners.forEach((_endpoint, listener) => listener(event)),
      subscribe(listener) {
        const endpoint = serving.getStore();
        if (endpoint === undefined) throw new Error('A subscription belongs to a request.');
        listeners.set(listener, endpoint);
        return () => void listeners.delete(listener);
      },
    },
    serve: (endpoint, handle) => serving.run(endpoint, handle),
    toolsChanged(playbookKey) {
      for (const [listener, endpoint] of listeners) {
        if (isConcerned(endpoint, playbookKey)) listener({ kind: 'tools_list_changed' });
      }
    },
  };
}

function isConcerned(endpoint: Endpoint, { org, playbook }: PlaybookKey): boolean {
  const isHere = endpoint.org === org && (endpoint.playbook ?? playbook) === playbook;
  return isHere && endpoint.caller.may('playbook:read', org, playbook);
}
