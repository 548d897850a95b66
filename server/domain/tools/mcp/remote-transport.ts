// The client's Streamable HTTP, with two changes.
//
// 1. A request whose stream ended without a response gets an error: the client would wait for it until its
//    deadline.
// 2. The answer to a request of ours is allowed beside what the server sends unasked. Our answers to requests of the
//    server allow nothing: a server could otherwise keep asking for as long as it is answered.
import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import type { MessageRate } from './message-rate.ts';

/** The code of that error; any number that the protocol does not give a meaning. */
export const BROKEN_OFF = -32_099;

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

export class RemoteTransport extends StreamableHTTPClientTransport {
  readonly #rate: MessageRate;

  constructor(url: URL, rate: MessageRate, options: StreamableHTTPClientTransportOptions) {
    super(url, options);
    this.#rate = rate;
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    for (const one of [message].flat()) if (isRequest(one)) this.#rate.asked();
    return super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        for (const one of [message].flat()) {
          if (!isRequest(one)) continue;
          // What was answered already is no request of the client's any more: it passes this over.
          const error = { code: BROKEN_OFF, message: 'The stream ended without the answer.' };
          this.onmessage?.({ jsonrpc: '2.0', id: one.id, error });
        }
      },
    });
  }
}

function isRequest(message: JSONRPCMessage): message is Extract<JSONRPCMessage, { id: unknown; method: string }> {
  return 'id' in message && 'method' in message;
}
