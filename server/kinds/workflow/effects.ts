// Calls of workflows that leave the service.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import { createEgress } from '../../lib/http-client/index.ts';
import { type TextWork, textWorkOf } from '../../lib/text-work/index.ts';
import type { DescribedCall, Performed, PerformingRun } from '../durable.ts';
import type { Kind } from '../kind.ts';
import type { WorkflowTools } from '../tools.ts';
import { errorOfType } from './engine/index.ts';
import {
  type CallEffect,
  createCallMemory,
  createScrubber,
  hostOf,
  type IsHostAllowed,
  isRepeatable,
  performCall,
  prepareCall,
  secretTexts,
} from './http-call/index.ts';
import { performToolCall } from './perform-tool-call.ts';
import { readMcpCall, readToolCall } from './read-tool-call.ts';

/** What the operator gives to the workflows of a playbook. */
export interface Grants {
  /** Variables that they see as `$secrets`. */
  secrets(playbookKey: { org: string; playbook: string }): Readonly<Record<string, string>>;
  /** Hosts that their calls may reach. */
  hosts(playbookKey: { org: string; playbook: string }): IsHostAllowed;
  /** Which of those hosts the operator named one by one: such a host may have any address, others a public one. */
  namedHosts(playbookKey: { org: string; playbook: string }): IsHostAllowed;
}

export interface Effects extends Required<Pick<Kind, 'describe' | 'perform'>> {
  close(): void;
}

export interface EffectsOptions {
  grants: Grants;
  /** Absent: there are no tool servers. */
  tools?: WorkflowTools | undefined;
  textWork: TextWork;
  clock: Clock;
}

export function createEffects({ grants, tools, textWork, clock }: EffectsOptions): Effects {
  const egress = createEgress(clock);
  const memory = createCallMemory();

  async function performHttp(run: PerformingRun, effect: JsonObject, signal: AbortSignal): Promise<Performed> {
    const secrets = grants.secrets(run);
    const isNamed = grants.namedHosts(run);
    const http = egress.senderFor((url) => isNamed(hostOf(url)));
    const prepared = prepareCall(effect as unknown as CallEffect, secrets);
    const result = prepared.ok
      ? await performCall(
          prepared.request,
          { http, textWork: textWorkOf(run, textWork), clock, memory, secrets, isHostAllowed: grants.hosts(run) },
          signal,
        )
      : prepared;
    if (result.ok) return result;
    const { type, status, detail, title, outcome } = result.error;
    const error = { ...errorOfType(type, status, detail), title, ...(outcome === undefined ? {} : { outcome }) };
    return { ok: false, error };
  }

  return {
    describe(playbookKey, effect) {
      const described = isToolCall(effect) ? describeToolCall(playbookKey, effect, tools) : describeHttpCall(effect);
      const scrubber = createScrubber(secretTexts(grants.secrets(playbookKey)));
      const args = scrubber.json(described.arguments) as JsonObject;
      return { ...described, tool: scrubber.text(described.tool), arguments: args };
    },
    async perform(run, effect, options) {
      if (!isToolCall(effect)) return performHttp(run, effect, options.signal);
      if (tools === undefined) {
        const detail = `This service has no tool servers that \`call: ${effect.call}\` could reach.`;
        return { ok: false, error: errorOfType('configuration', 400, detail) };
      }
      return performToolCall(run, effect, options, { tools, clock, secrets: grants.secrets(run) });
    },
    close() {
      egress.close();
    },
  };
}

function isToolCall(effect: JsonObject): effect is JsonObject & { call: 'tool' | 'mcp'; with: JsonObject } {
  return (effect['call'] === 'tool' || effect['call'] === 'mcp') && isJsonObject(effect['with']);
}

function describeToolCall(
  playbookKey: PlaybookKey,
  effect: { call: 'tool' | 'mcp'; with: JsonObject },
  tools: WorkflowTools | undefined,
): DescribedCall {
  const read = effect.call === 'tool' ? readToolCall(effect.with) : readMcpCall(effect.with, playbookKey, tools);
  const fixed = { mayRepeat: false, recordsOwnStart: true };
  if (read.ok && read.call.do === 'call') {
    const { server, tool, arguments: args } = read.call;
    return { server, tool, arguments: args, ...fixed };
  }
  return { server: effect.call, tool: String(effect.with['method'] ?? 'unknown'), arguments: {}, ...fixed };
}

function describeHttpCall(effect: JsonObject): DescribedCall {
  const given = isJsonObject(effect['with']) ? effect['with'] : {};
  const isHttp = effect['call'] === 'http';
  const method = isHttp ? String(given['method'] ?? '').toUpperCase() : '';
  return {
    server: 'http',
    tool: isHttp ? method : String(given['operationId'] ?? effect['call']),
    arguments: withoutCredentials(given),
    mayRepeat: isHttp && isRepeatable(method),
    recordsOwnStart: false,
  };
}

/** What history shows of a call: how it proves who it is stands in no record. */
function withoutCredentials(given: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name !== 'authentication')
      .map(([name, value]) => [name, isJsonObject(value) ? withoutCredentials(value) : value]),
  );
}
