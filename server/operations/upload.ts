// What operations that receive a body of another media type than JSON take and return.

/** The body of an upload. */
export interface UploadForm {
  /** In lower case; if it is a text type, the body is UTF-8. */
  mediaType: string;
  /** The maximum size. */
  bytes: number;
  /** The content of the body. */
  description: string;
}

/** The body of an upload, which is not received before it is asked for. */
export interface UploadBody {
  /** The value of `Content-Length`. */
  bytes: number;
  /**
   * Receives the whole body into a file, which is removed when the handler ends. A handler calls it before it takes a
   * place that others wait for, since the client may send slowly.
   * @throws Refused if the client disconnects or sends too slowly, or if no more uploads can be received
   */
  receive: () => Promise<ReceivedBody>;
}

/** A body that was received, in pieces. It can be read several times. */
export interface ReceivedBody extends AsyncIterable<Buffer> {
  bytes: number;
  /** In lower-case hex. */
  sha256: string;
}

/** The result of an upload. */
export interface Uploaded<Answer = unknown> {
  /** False if the service already had it. */
  isNew: boolean;
  answer: Answer;
}
