// The body of an upload: refused by its headers if possible, otherwise read in pieces as the handler consumes them.
//
// 1. Nothing is read before the handler asks for the first piece, and at most one socket buffer ahead after that.
// 2. A client has one minute, plus one second for each 64 KiB that arrived. Time counts only while the handler waits for
//    a piece, so a slow handler does not use up the client's time.
// 3. The server's time limit for a whole request, one minute, does not apply to uploads.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { KIB } from '../../../shared/product.ts';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../lib/deadline.ts';
import { badRequest, Refused } from '../../lib/rejection.ts';
import type { UploadBody, UploadForm } from '../../operations/index.ts';
import { askForBody, clientGone, contentTypeOf, requireUnencoded, tooLarge, unsupported } from './body.ts';

const PATIENCE_MS = 60_000;
const LEAST_BYTES_A_SECOND = 64 * KIB;

const uploading = new WeakSet<Socket>();

/** Keeps the server from ending uploads that take longer than its `requestTimeout`. */
export function exemptUploads(server: Server): void {
  const answerers = server.listeners('clientError');
  server.removeAllListeners('clientError');
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return;
    for (const answer of answerers) answer(error, socket);
  });
}

/**
 * Checks the head of the request.
 * @throws Refused `unsupported_media_type`, `bad_request`, `length_required`, `content_too_large`
 */
export function openUpload(request: IncomingMessage, form: UploadForm, clock: Clock): UploadBody {
  const { headers } = request;
  requireUnencoded(request);
  if (!isOfType(contentTypeOf(request), form)) {
    throw unsupported(`The body must be ${form.mediaType}; send it with \`Content-Type: ${form.mediaType}\`.`);
  }
  const { 'content-length': length } = headers;
  if (length === undefined) {
    const detail = 'Send the body with Content-Length and without Transfer-Encoding.';
    throw new Refused({ reason: 'length_required', detail });
  }
  const bytes = Number(length);
  if (bytes > form.bytes) throw tooLarge(form.bytes);
  const pieces = piecesOf(request, clock);
  return { bytes, [Symbol.asyncIterator]: () => pieces };
}

function isOfType(given: string, { mediaType }: UploadForm): boolean {
  const [type = '', ...parameters] = given.toLowerCase().split(';');
  const isUtf8 =
    mediaType.startsWith('text/') && /^[ \t]*charset[ \t]*=[ \t]*("utf-8"|utf-8)[ \t]*$/.test(parameters[0] ?? '');
  return type.trim() === mediaType && (parameters.length === 0 || (parameters.length === 1 && isUtf8));
}

async function* piecesOf(request: IncomingMessage, clock: Clock): AsyncGenerator<Buffer> {
  askForBody(request);
  uploading.add(request.socket);
  // If the handler returns early, the response still needs the connection.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (let patience = PATIENCE_MS; ; ) {
      const waitedMs = stopwatch(clock);
      const deadline = startDeadline(clock, patience);
      const next = await untilAborted(pieces.next(), deadline.signal);
      deadline.callOff();
      if (next === undefined) throw tooSlow();
      if (next.done === true) {
        if (request.complete) return;
        throw clientGone();
      }
      patience += (next.value.length * 1000) / LEAST_BYTES_A_SECOND - waitedMs();
      yield next.value;
    }
  } catch (error) {
    throw error instanceof Refused ? error : clientGone();
  } finally {
    uploading.delete(request.socket);
    void pieces.return?.();
  }
}

function tooSlow(): Refused {
  return badRequest(
    `The body arrives too slowly. An upload may take ${PATIENCE_MS / 1000} s plus 1 s per ${LEAST_BYTES_A_SECOND / KIB} KiB; use a faster connection.`,
  );
}
