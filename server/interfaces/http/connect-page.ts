// The page on which a person approves a connection or enters its credential, in plain HTML for browsers without
// JavaScript. If there is a studio, a script redirects other browsers to its page before this one is visible.
//
// 1. The token is in the link that the person opened and in the form that they submit, and never in a referrer, a log or
//    a later page. What they enter is in no response.
// 2. No other site can frame the page or submit its form, not even under a host name that resolves to this machine (DNS
//    rebinding).
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { badRequest, forbidden, Refused } from '../../lib/rejection.ts';
import type { Callable, Caller } from '../../operations/index.ts';
import { ANY_METHOD } from './bare-server.ts';
import { type Hold, readBytes } from './body.ts';
import { type ConnectForm, connectFormPage, doneText, messagePage, pagePolicy } from './connect-html.ts';
import { type BrowserRules, requireAllowedOrigin, requireLocalHost } from './guards.ts';
import { holdFor } from './outgoing.ts';
import { problemAnswer } from './problem.ts';
import { addPublicRoute } from './public-routes.ts';
import { refuseOtherMethods, refuseOtherThan } from './routes.ts';

export interface ConnectPageOptions {
  callables: readonly Callable[];
  browsers: BrowserRules;
  /** The caller for anyone who opens the page; undefined where people sign in, which only the studio's page can do. */
  caller: Caller | undefined;
  /** The asset name of the script that redirects to the studio's page. */
  script: string | undefined;
  /** Whether people can sign in to the studio with a session. Without `caller`, a connection can be approved only so. */
  offersSessions: boolean;
}

type Link = { org: string; connection: string; token: string };

const PATH = '/connect';
const SIGN_IN =
  'Only the person who added the connection can approve it, and must sign in to do so. Signing in needs JavaScript: enable it, and open this link again.';
const NO_SESSIONS =
  'Only the person who added the connection can approve it, in a session of the identity service. The studio of this server does not offer sessions. Ask the operator of the server to set STUDIO_SESSION_MODULE, and then add the connection again.';
const MOST_BYTES = 64 * KIB;
const GIVEN = ['value', 'client_secret', 'private_key', 'algorithm'] as const;
const HEADERS = {
  'content-security-policy': pagePolicy(false),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** Serves the page if the operations that it needs are served. */
export function addConnectPage(
  app: FastifyInstance,
  { callables, browsers, caller, script: asset, offersSessions }: ConnectPageOptions,
): void {
  const script = asset === undefined ? undefined : `/assets/${asset}`;
  const opened = { ...HEADERS, 'content-security-policy': pagePolicy(script !== undefined) };
  const byName = new Map(callables.map((callable) => [callable.operation.name, callable]));
  if (!byName.has('read_link')) return;
  if (caller === undefined) {
    addPublicRoute(app, PATH, (_request, reply) =>
      offersSessions
        ? send(reply, 200, messagePage('Sign in to connect', SIGN_IN, script), opened)
        : send(reply, 200, messagePage('Could not connect', NO_SESSIONS)),
    );
    return;
  }
  const visitor = caller;

  async function ask(reply: FastifyReply, name: string, link: Link, fields: JsonObject): Promise<JsonObject> {
    const callable = byName.get(name);
    if (callable === undefined) throw new Error(`There is no operation ${name}.`);
    const { org, connection: id, token } = link;
    const call = {
      caller: visitor,
      org,
      traceId: String(reply.getHeader('x-trace-id')),
      pageDefault: 1,
      signal: AbortSignal.any([]),
    };
    const path: Record<string, string> = name === 'read_link' ? { id, token } : { id };
    callable.authorize(call, path);
    return (await callable.execute(call, path, fields)) as JsonObject;
  }

  async function formPage(
    reply: FastifyReply,
    link: Link,
    more: Pick<ConnectForm, 'wrong' | 'script'>,
  ): Promise<string> {
    const connection = await ask(reply, 'read_link', link, {});
    return connectFormPage({ ...link, shown: connection as unknown as ConnectForm['shown'], ...more });
  }

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = await readForm(request.raw, (bytes) => holdFor(reply, bytes));
    const link = {
      org: form.get('org') ?? '',
      connection: form.get('connection') ?? '',
      token: form.get('token') ?? '',
    };
    const { credential } = (await ask(reply, 'read_link', link, {})) as { credential: { kind: string } };
    const takesValue = credential.kind === 'secret' || credential.kind === 'client_credentials';
    try {
      if (takesValue) await ask(reply, 'give_credential', link, { token: link.token, ...givenIn(form) });
      else await ask(reply, 'approve', link, { token: link.token });
    } catch (error) {
      // An invalid entry is reported on the form, because the link is still valid.
      if (error instanceof Refused && error.rejection.reason === 'invalid_input') {
        return send(reply, problemAnswer(error, '').status, await formPage(reply, link, { wrong: wordsOf(error) }));
      }
      throw error;
    }
    // Redirect, so that reloading or going back does not submit the form again.
    return reply
      .code(303)
      .headers({ ...HEADERS, location: `${PATH}/done` })
      .send();
  }

  app.route({
    method: ANY_METHOD,
    url: PATH,
    config: { withoutCaller: true },
    handler: async (request, reply) => {
      try {
        refuseOtherThan(['GET', 'POST'], request, reply);
        requireLocalHost(request.raw);
        requireOwnPage(request.raw, browsers);
        if (request.method === 'POST') return await take(request, reply);
        return send(reply, 200, await formPage(reply, linkIn(request.raw), { wrong: undefined, script }), opened);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const isOpened = request.method === 'GET';
        const page = messagePage('Could not connect', wordsOf(error), isOpened ? script : undefined);
        return send(reply, problemAnswer(error, '').status, page, isOpened ? opened : HEADERS);
      }
    },
  });
  app.route({
    method: ANY_METHOD,
    url: `${PATH}/done`,
    config: { withoutCaller: true },
    handler: async (request, reply) => {
      refuseOtherMethods(request, reply);
      return send(reply, 200, messagePage('Connected', doneText));
    },
  });
}

function send(
  reply: FastifyReply,
  status: number,
  page: string,
  headers: Readonly<Record<string, string>> = HEADERS,
): FastifyReply {
  return reply.code(status).headers(headers).type('text/html; charset=utf-8').send(page);
}

/** The message for a person: the issues, or the detail if there are none. */
function wordsOf(refused: Refused): string {
  const { issues = [], detail } = refused.rejection;
  return issues.length === 0 ? detail : issues.map((issue) => issue.detail).join(' ');
}

function linkIn({ url = '' }: IncomingMessage): Link {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  const text = (name: string): string => query.get(name) ?? '';
  return { org: text('org'), connection: text('connection'), token: text('token') };
}

/**
 * A browser reports where a form comes from. For this page the Origin is `null`, because the page sends no referrer; in an
 * older browser without Fetch Metadata, the person uses the studio's page.
 * @throws Refused `forbidden` or `origin_not_allowed`
 */
function requireOwnPage(request: IncomingMessage, browsers: BrowserRules): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (request.method === 'POST' && site !== undefined && site !== 'same-origin') {
    throw forbidden('The form was sent by another page. Open the link again.');
  }
  if (origin !== 'null' || site !== 'same-origin') requireAllowedOrigin(request, browsers);
}

/** @throws Refused `bad_request` or `content_too_large` */
async function readForm(request: IncomingMessage, hold: Hold): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(type))
    throw badRequest('This address only accepts the form of the connect page; open the link in a browser.');
  return new URLSearchParams((await readBytes(request, MOST_BYTES, hold)).toString('utf8'));
}

/** Drops fields that were left empty. */
function givenIn(form: URLSearchParams): JsonObject {
  const given = GIVEN.map((name) => [name, (form.get(name) ?? '').replaceAll('\r\n', '\n')] as const);
  const hasKey = given.some(([name, text]) => name === 'private_key' && text !== '');
  return Object.fromEntries(given.filter(([name, text]) => text !== '' && (name !== 'algorithm' || hasKey)));
}
