export { type CredentialEnd, watchCredential } from './credential-end.ts';
export { type Callable, makeCallable } from './execute.ts';
export {
  type Call,
  type Caller,
  DEVELOPER,
  defineOperation,
  defineStream,
  defineText,
  defineUpload,
  isCommand,
  type JsonOperation,
  type Method,
  MOST_BODY_VALUES,
  type Operation,
  type RunWait,
  type StreamedEvent,
  type StreamOperation,
  type TextOperation,
  type UploadOperation,
} from './operation.ts';
export { PAGE_FIELDS, pageEnd, pageOf, type PageRequest, pageRequest } from './pages.ts';
export type { ReceivedBody, UploadBody, Uploaded, UploadForm } from './upload.ts';
