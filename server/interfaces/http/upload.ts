// The body of an upload: refused by its headers if possible, otherwise received into a file when the handler asks for it.
//
// 1. Nothing is read before the handler asks for the body.
// 2. Callers share the slots for bodies, from the first byte until the request ends: however slowly one sends, others are
//    received, and the files of all have a limited size together.
// 3. A client has one minute, plus one second for each 64 KiB that arrived.
// 4. The server's time limit for a whole request, one minute, does not apply to uploads.
// 5. The file is removed when the request ends, however it ends.
import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { KIB } from '../../../shared/product.ts';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../lib/deadline.ts';
import { badRequest, Refused, unavailable } from '../../lib/rejection.ts';
import { createSharedSlots } from '../../lib/shared-slots.ts';
import type { ReceivedBody, UploadBody, UploadForm } from '../../operations/index.ts';
import { openReceivedFile, prepareFolder, type ReceivedFile } from './received-file.ts';
import { askForBody, clientGone, contentTypeOf, requireUnencoded, tooLarge, unsupported } from './body.ts';

const PATIENCE_MS = 60_000;
const LEAST_BYTES_A_SECOND = 64 * KIB;

/** Bodies that are received or read at the same time: each takes up to 64 MiB of the disk. */
const RECEIVED_AT_ONCE = 32;
const RECEIVED_OF_ONE = 4;
const BUSY_SECONDS = 10;

const uploading = new WeakSet<Socket>();

export interface UploadReceiver {
  /**
   * Checks the head of the request.
   * @param caller whose slot it takes
   * @throws Refused `unsupported_media_type`, `bad_request`, `length_required`, `content_too_large`
   */
  open: (request: IncomingMessage, form: UploadForm, caller: string) => OpenUpload;
}

export interface OpenUpload extends UploadBody {
  /** Removes what was received. */
  close: () => Promise<void>;
}

export interface ReceiverOptions {
  /** For the files of bodies; what is in it is removed. */
  folder: string;
  clock: Clock;
  /** Default: a file in the folder. */
  openFile?: typeof openReceivedFile;
}

export function createUploadReceiver({ folder, clock, openFile = openReceivedFile }: ReceiverOptions): UploadReceiver {
  prepareFolder(folder);
  const slots = createSharedSlots({
    most: RECEIVED_AT_ONCE,
    mostOfOne: RECEIVED_OF_ONE,
    mayEnd: true,
    clock,
    refusal: () => tooMany('Too many uploads are being received; try again in a moment.'),
  });

  async function receiveInto(file: ReceivedFile, request: IncomingMessage, ended: AbortSignal): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of piecesOf(request, clock, ended)) {
      hash.update(piece);
      await file.write(piece);
    }
    return hash.digest('hex');
  }

  return {
    open(request, form, caller) {
      const bytes = requireLength(request, form);
      const closing = Promise.withResolvers<void>();
      let held: Promise<void> | undefined;

      async function receiveAndKeep(ended: AbortSignal, received: (body: ReceivedBody) => void): Promise<void> {
        const file = await openFile(folder);
        try {
          const sha256 = await receiveInto(file, request, ended);
          received({ bytes, sha256, [Symbol.asyncIterator]: () => file.read() });
          await closing.promise;
        } finally {
          await file.close();
        }
      }

      return {
        bytes,
        receive: () =>
          new Promise((resolve, reject) => {
            held = slots.hold(caller, (ended) => receiveAndKeep(ended, resolve)).catch(reject);
          }),
        async close() {
          closing.resolve();
          await held;
        },
      };
    },
  };
}

function tooMany(detail: string): Refused {
  return unavailable(detail, { retryAfter: BUSY_SECONDS });
}

/** Keeps the server from ending uploads that take longer than its `requestTimeout`. */
export function exemptUploads(server: Server): void {
  const answerers = server.listeners('clientError');
  server.removeAllListeners('clientError');
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return;
    for (const answer of answerers) answer(error, socket);
  });
}

/** The length of the body, once everything else in the head of the request is as it must be. @throws Refused */
function requireLength(request: IncomingMessage, form: UploadForm): number {
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
  return bytes;
}

function isOfType(given: string, { mediaType }: UploadForm): boolean {
  const [type = '', ...parameters] = given.toLowerCase().split(';');
  const isUtf8 =
    mediaType.startsWith('text/') && /^[ \t]*charset[ \t]*=[ \t]*("utf-8"|utf-8)[ \t]*$/.test(parameters[0] ?? '');
  return type.trim() === mediaType && (parameters.length === 0 || (parameters.length === 1 && isUtf8));
}

/** @param ended aborted when another caller gets the slot */
async function* piecesOf(request: IncomingMessage, clock: Clock, ended: AbortSignal): AsyncGenerator<Buffer> {
  askForBody(request);
  uploading.add(request.socket);
  // If the handler returns early, the response still needs the connection.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (let patience = PATIENCE_MS; ; ) {
      const waitedMs = stopwatch(clock);
      const deadline = startDeadline(clock, patience, ended);
      const next = await untilAborted(pieces.next(), deadline.signal);
      deadline.callOff();
      if (next === undefined) throw ended.aborted ? tooMany(GAVE_PLACE) : tooSlow();
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

const GAVE_PLACE = 'Other callers began uploads, and this caller had several; send one after the other.';

function tooSlow(): Refused {
  return badRequest(
    `The body arrives too slowly. An upload may take ${PATIENCE_MS / 1000} s plus 1 s per ${LEAST_BYTES_A_SECOND / KIB} KiB; use a faster connection.`,
  );
}
