// The client's Streamable HTTP, but a request whose stream ended without an answer is answered with an error: the client
// would wait for it until its deadline.
import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The code of that error; any number that the protocol does not give a meaning. */
export const BROKEN_OFF = -32_099;

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

export class RemoteTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options: SendOptions = {}): Promise<void> {
    return super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        for (const one of [message].flat()) {
          if (!('id' in one) || !('method' in one)) continue;
          // What was answered already is no request of the client's any more: it passes this over.
          const error = { code: BROKEN_OFF, message: 'The stream ended without the answer.' };
          this.onmessage?.({ jsonrpc: '2.0', id: one.id, error });
        }
      },
    });
  }
}
