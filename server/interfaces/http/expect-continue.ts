// Expect: 100-continue (RFC 9110, section 10.1.1): a client sends its body once it is asked for. Node asks for it by
// itself, before anything could be refused; here it is asked for when it is about to be read.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const expecting = new WeakMap<IncomingMessage, ServerResponse>();

/** Serves requests that expect it like all others. */
export function delayContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expecting.set(request, response);
    server.emit('request', request, response);
  });
}

/** To be called before a body is read. */
export function askForBody(request: IncomingMessage): void {
  expecting.get(request)?.writeContinue();
  expecting.delete(request);
}
