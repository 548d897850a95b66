// Uploads files to the service. `fetch` does not report how much of a body was sent, so this is an XMLHttpRequest.
import {
  type Input,
  type Problem,
  type Uploaded,
  type UploadingOperation,
  uploadRequestOf,
} from '../../shared/api/index.ts';
import { session } from './session/session.ts';
import { ProblemError, UnreachableError } from './problem-error.ts';

/**
 * Uploads a file. After a refusal of the credential, it is sent again with the next one.
 * @param onProgress is called with the share that was sent, from 0 to 1
 * @throws ProblemError, UnreachableError
 */
export function upload<Name extends UploadingOperation>(
  name: Name,
  input: Input<Name>,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<Uploaded<Name>> {
  const { method, path, headers } = uploadRequestOf(name, input, session.org());
  return session.withCredential(
    async (credential) => {
      onProgress(0);
      const answer = await sendFile(method, path, { ...headers, ...credential }, file, onProgress);
      return JSON.parse(answer) as Uploaded<Name>;
    },
    { isCommand: true },
  );
}

/** @returns the text of the response */
function sendFile(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener('error', () => reject(new UnreachableError(false)));
    request.addEventListener('load', () => {
      const isProblem = request.getResponseHeader('content-type')?.includes('application/problem+json') === true;
      if (isProblem) reject(new ProblemError(JSON.parse(request.responseText) as Problem));
      // Any other error came from a proxy in front of the service.
      else if (request.status >= 300) reject(new UnreachableError(false));
      else resolve(request.responseText);
    });
    request.send(file);
  });
}

/** The SHA-256 of a file, in lower-case hex. */
export async function sha256Of(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
