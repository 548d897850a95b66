// Uploads files to the service. `fetch` does not report how much of a body was sent, so this is an XMLHttpRequest.
import {
  type Input,
  type Problem,
  type Uploaded,
  type UploadingOperation,
  uploadRequestOf,
} from '../../shared/api/index.ts';
import { ProblemError, UnreachableError } from './problem-error.ts';

/** @param onProgress is called with the share that was sent, from 0 to 1 @throws ProblemError, UnreachableError */
export function upload<Name extends UploadingOperation>(
  name: Name,
  input: Input<Name>,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<Uploaded<Name>> {
  const { method, path, headers } = uploadRequestOf(name, input);
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
      else resolve(JSON.parse(request.responseText) as Uploaded<Name>);
    });
    request.send(file);
  });
}

/** The SHA-256 of a file, in lower-case hex. */
export async function sha256Of(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
