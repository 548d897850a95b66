// The stream of `follow_run` as a client reads it.
import { readEventStream, type StreamedEvent } from '../../shared/api/index.ts';

/** @throws Error where the server refuses, or does not answer with a stream */
export async function followText(
  address: string,
  signal?: AbortSignal,
): Promise<AsyncGenerator<StreamedEvent<'follow_run'>>> {
  const answer = await fetch(address, signal === undefined ? {} : { signal });
  const type = answer.headers.get('content-type');
  if (answer.status !== 200 || answer.body === null || type?.startsWith('text/event-stream') !== true) {
    throw new Error(`The stream answered ${answer.status} with ${type}.`);
  }
  return readEventStream(answer.body.pipeThrough(new TextDecoderStream()));
}
