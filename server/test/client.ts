// A client for tests. Every answer is checked against the OpenAPI document before a test sees it.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../shared/json.ts';
import { refuseCanaries } from './canaries.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // Tests assert on the meaning of an answer, member by member; a wrong member fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  text: string;
}

export interface TestClient {
  address: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Any request; a path under `/v1` is checked against the document. */
  send(method: string, path: string, init?: RequestInit): Promise<Answer>;
}

interface Described {
  pattern: RegExp;
  method: string;
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema?: JsonObject }> }>;
}

/** @param address the server's origin */
export async function createTestClient(address: string): Promise<TestClient> {
  const check = answerCheckFor(await (await fetch(`${address}/v1/openapi.json`)).text());

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${address}${path}`, { ...init, method });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : text,
    };
    check(method, path, answer);
    refuseCanaries(text, `the answer of ${method} ${path}`);
    return answer;
  }

  const withBody =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      send(method, path, {
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });

  return {
    address,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
  };
}

type AnswerCheck = (method: string, path: string, answer: Answer) => void;

/** By the text of the document: most tests start a server of their own, and compiled schemas serve them all. */
const answerChecks = new Map<string, AnswerCheck>();

function answerCheckFor(document: string): AnswerCheck {
  const check = answerChecks.get(document) ?? createAnswerCheck(JSON.parse(document) as JsonObject);
  answerChecks.set(document, check);
  return check;
}

function createAnswerCheck(document: JsonObject): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv, { mode: 'full' });
  const described = describedOperations(document);
  const problem = ajv.compile(((document['components'] as JsonObject)['schemas'] as JsonObject)['Problem'] as object);
  const compiled = new Map<string, ValidateFunction>();

  return (method, path, answer) => {
    if (answer.status >= 400) {
      if (!problem(answer.body))
        throw new Error(`${method} ${path}: no problem document: ${answer.text.slice(0, 500)}`);
    }
    const found = described.find((one) => one.method === method && one.pattern.test(path.split('?')[0] ?? ''));
    if (found === undefined) return;
    const response = found.responses[String(answer.status)];
    if (response === undefined)
      throw new Error(
        `${found.operationId} answered ${answer.status}, which its document does not name: ${answer.text.slice(0, 500)}`,
      );
    const schema = response.content?.['application/json']?.schema;
    if (answer.status >= 400 || schema === undefined) return;
    const validate = compiled.get(found.operationId) ?? ajv.compile(schema);
    compiled.set(found.operationId, validate);
    if (!validate(answer.body)) {
      throw new Error(
        `${found.operationId} answered what its schema refuses: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 1000)}`,
      );
    }
  };
}

function describedOperations(document: JsonObject): Described[] {
  return Object.entries(document['paths'] as Record<string, Record<string, JsonObject>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      pattern: new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      method: method.toUpperCase(),
      operationId: String(operation['operationId']),
      responses: operation['responses'] as Described['responses'],
    })),
  );
}
