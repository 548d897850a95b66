// Calls of workflows that leave the service.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createHttpClient } from '../../kernel/http-client/index.ts';
import type { DurableKind, Performed } from '../kind.ts';
import { errorOfType } from './engine/index.ts';
import {
  type CallEffect,
  createCallMemory,
  createScrubber,
  type IsHostAllowed,
  isRepeatable,
  performCall,
  prepareCall,
  secretTexts,
} from './http-call/index.ts';

/** What the operator gives to the workflows of a playbook. */
export interface Grants {
  /** Variables that they see as `$secrets`. */
  secrets(place: { org: string; playbook: string }): Readonly<Record<string, string>>;
  /** Hosts that their calls may reach. */
  hosts(place: { org: string; playbook: string }): IsHostAllowed;
}

export interface Effects extends Pick<DurableKind, 'describe' | 'perform'> {
  close(): void;
}

export function createEffects(grants: Grants, clock: Clock): Effects {
  const http = createHttpClient({ clock });
  const memory = createCallMemory(clock);
  return {
    describe(place, effect) {
      const given = isJsonObject(effect['with']) ? effect['with'] : {};
      const scrubber = createScrubber(secretTexts(grants.secrets(place)));
      const isHttp = effect['call'] === 'http';
      const method = isHttp ? String(given['method'] ?? '').toUpperCase() : '';
      return {
        server: 'http',
        tool: scrubber.text(isHttp ? method : String(given['operationId'] ?? effect['call'])),
        arguments: scrubber.json(withoutCredentials(given)),
        mayRepeat: isHttp && isRepeatable(method),
      };
    },
    async perform(run, effect, signal): Promise<Performed> {
      const { call } = effect;
      if (call !== 'http' && call !== 'openapi') {
        const detail = `This service has no tool servers that \`call: ${String(call)}\` could reach.`;
        return { ok: false, error: errorOfType('configuration', 400, detail) };
      }
      const secrets = grants.secrets(run);
      const prepared = prepareCall(effect as unknown as CallEffect, secrets);
      const result = prepared.ok
        ? await performCall(
            prepared.request,
            { http, clock, memory, secrets, isHostAllowed: grants.hosts(run) },
            signal,
          )
        : prepared;
      if (result.ok) return result;
      const { type, status, detail, title, outcome } = result.error;
      const error = { ...errorOfType(type, status, detail), title, ...(outcome === undefined ? {} : { outcome }) };
      return { ok: false, error };
    },
    close() {
      http.close();
    },
  };
}

/** What history shows of a call: how it proves who it is stands in no record. */
function withoutCredentials(given: JsonObject): Json {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name !== 'authentication')
      .map(([name, value]) => [name, isJsonObject(value) ? withoutCredentials(value) : value]),
  );
}
