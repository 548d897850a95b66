// The client of the HTTP API: what each operation takes and answers, and the request that calls it. Sending it is left to
// the studio, the desktop app and the commands.
export {
  type Answer,
  type AnsweringOperation,
  type ApiRequest,
  type Input,
  type OperationName,
  requestOf,
  type StreamedEvent,
  type StreamingOperation,
} from './request-of.ts';
