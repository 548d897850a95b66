import pino from 'pino';
import { createDocumentation, readPages } from '../documentation/index.ts';
import { DOCUMENTATION_FOLDERS } from '../../runtime/resources.ts';
import { readLogLevel, readPort } from '../../settings/index.ts';
import { misused } from './failure.ts';
import { listen } from './listen.ts';
import { onStopRequest } from './stop-request.ts';

export interface DocsOptions {
  host: string;
  port: string;
  url?: string | undefined;
}

const NAMES = { host: '--host', port: '--port' };

/** Serves the documentation until it is stopped. The address is the last word of one line on stdout. */
export async function docs(options: DocsOptions): Promise<void> {
  const { host } = options;
  const address = readAddress(options);
  const port = readPort(options.port, NAMES.port) ?? 0;
  const logger = pino(
    { level: readLogLevel(process.env['LOG_LEVEL'] || 'info') },
    pino.destination({ dest: 2, sync: true }),
  );
  const pages = readPages(DOCUMENTATION_FOLDERS);
  const documentation = createDocumentation({ pages, host, port, address, logger });
  const stopped = new Promise<void>((resolve, reject) => {
    onStopRequest(() => void documentation.close().then(resolve, reject));
  });
  const listening = await listen(documentation, { host, port }, NAMES);
  process.stdout.write(`Serving ${pages.length} pages of documentation at ${listening}\n`);
  await stopped;
}

/** The public address of the service. @throws CommandFailure */
function readAddress({ host, url }: DocsOptions): string | undefined {
  if (url === undefined) {
    if (host !== '0.0.0.0' && host !== '::') return undefined;
    throw misused(`--host is ${host}, which means every address of this machine; set --url to the public address.`);
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.search + parsed.hash === '';
  if (isPlain && parsed.username + parsed.password === '') return url.replace(/\/+$/, '');
  // The text before an `@` may be a password.
  const held = url.includes('@') ? 'a text with @' : JSON.stringify(url);
  throw misused(
    `--url is ${held}; it must be an http or https address without a query, such as https://docs.example.com.`,
  );
}
