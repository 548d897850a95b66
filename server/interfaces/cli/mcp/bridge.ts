// The server of a stdio session. It has no tools of its own: it forwards every request to the runtime.
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { PRODUCT } from '../../../../shared/product.ts';
import { CommandFailure } from '../failure.ts';
import { type ClientInfo, LostError, type Upstream } from './upstream.ts';

export interface BridgeOptions {
  upstream: Upstream;
  version: string;
  instructions: string;
  /** Receives error messages for the person. */
  progress: (sentence: string) => void;
}

const UNKNOWN: ClientInfo = { name: 'unknown', version: '0' };

export function createBridge({ upstream, version, instructions, progress }: BridgeOptions, isModern: boolean): Server {
  const server = new Server(
    { name: PRODUCT, title: 'Cuebook', version },
    { capabilities: { tools: { listChanged: true }, resources: {} }, instructions },
  );

  const introduced = ({ mcpReq }: ServerContext): ClientInfo => {
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const given = (envelope?.[CLIENT_INFO_META_KEY] as ClientInfo | undefined) ?? server.getClientVersion() ?? UNKNOWN;
    return { name: given.name, version: given.version };
  };

  const always = async (): Promise<boolean> => true;

  server.setRequestHandler('tools/list', ({ params }, context) =>
    reportingFailures(() => forward('tools/list', params, context, always)),
  );
  server.setRequestHandler('resources/list', ({ params }, context) =>
    reportingFailures(() => forward('resources/list', params, context, always)),
  );
  server.setRequestHandler('resources/templates/list', ({ params }, context) =>
    reportingFailures(() => forward('resources/templates/list', params, context, always)),
  );
  server.setRequestHandler('resources/read', ({ params }, context) =>
    reportingFailures(() => forward('resources/read', params, context, always)),
  );
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name } = params;
    try {
      const result = await forward('tools/call', params, context, () => mayRepeat(name, context));
      // Older clients check the structured content of an error against the output schema.
      if (isModern || result.isError !== true) return result;
      const { structuredContent: _problem, ...rest } = result;
      return rest;
    } catch (error) {
      if (error instanceof LostError) return lost(name);
      if (error instanceof CommandFailure) return failed(error.message);
      throw error;
    }
  });

  type ForwardedMethod = Parameters<Upstream['request']>[1]['method'];

  function forward<M extends ForwardedMethod>(
    method: M,
    params: object | undefined,
    context: ServerContext,
    repeats: () => Promise<boolean>,
  ) {
    const { signal, _meta, notify } = context.mcpReq;
    const token = _meta?.progressToken;
    const onprogress =
      token === undefined
        ? {}
        : {
            onprogress: (progressed: object) => {
              const forwarded = { ...progressed, progressToken: token };
              // The client may be gone.
              void notify({ method: 'notifications/progress', params: forwarded }).catch(() => {});
            },
          };
    // The runtime does not use the session's `_meta` with its progress token.
    const { _meta: _marks, ...given } = (params ?? {}) as Record<string, unknown>;
    return upstream.request(
      introduced(context),
      { method, params: given },
      { signal, mayRepeat: repeats, ...onprogress },
    );
  }

  async function mayRepeat(name: string, context: ServerContext): Promise<boolean> {
    const { tools } = await forward('tools/list', undefined, context, always);
    const { readOnlyHint, idempotentHint } = tools.find((tool) => tool.name === name)?.annotations ?? {};
    return readOnlyHint === true || idempotentHint === true;
  }

  async function reportingFailures<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      progress(error.message);
      throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    }
  }

  return server;
}

function lost(name: string): CallToolResult {
  return failed(
    `The runtime stopped during ${name}, so it is unknown whether the call took effect. Your next call reconnects. First check the current state (list_runs, list_playbook_events), then decide whether to call ${name} again.`,
  );
}

function failed(words: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: words }] };
}
