// A provider of a model on the loopback: it answers what the sample asks, at the pace of a small model.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

interface Asked {
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
}

export interface ServedModel {
  address: string;
  /** From now on it takes requests and answers none. */
  fallSilent(): void;
  /** Ends the silence. */
  answerAgain(): void;
  close(): Promise<void>;
}

const MODELS = [
  { id: 'desk-large', object: 'model', context_window: 262_144, max_completion_tokens: 32_768 },
  { id: 'desk-small', object: 'model', context_window: 131_072, max_completion_tokens: 8_192 },
];
const CLASSIFIED = { effect: 'aborted_takeoff', several: 'yes', urgent: true };
const NOTE = 'Two gulls were struck in the climb; the left engine was damaged. The crew turned back and landed safely.';

export async function serveModel(): Promise<ServedModel> {
  let isSilent = false;
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return answer(response, { object: 'list', data: MODELS });
      const asked = JSON.parse(await text(request)) as Asked;
      if (isSilent) return;
      await pause(20 + Math.random() * 120);
      answer(response, completion(asked));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fallSilent: () => void (isSilent = true),
    answerAgain: () => void (isSilent = false),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function completion({ messages, tools = [] }: Asked): object {
  const length = JSON.stringify(messages).length;
  const called = messages.filter(({ role }) => role === 'tool').length;
  const reader = tools.find(({ function: { name } }) =>
    name.includes(called === 0 ? 'list_directory' : 'read_text_file'),
  );
  const file = called === 0 ? '.' : 'shift-notes.md';
  const message =
    reader !== undefined && called < 2
      ? {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call-${called}`,
              type: 'function',
              function: { name: reader.function.name, arguments: JSON.stringify({ path: file }) },
            },
          ],
        }
      : { role: 'assistant', content: answerTo(JSON.stringify(messages)) };
  return {
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'desk-small-2',
    choices: [{ index: 0, finish_reason: message.content === null ? 'tool_calls' : 'stop', message }],
    usage: {
      prompt_tokens: Math.round(length / 4),
      completion_tokens: 20 + (length % 60),
      total_tokens: Math.round(length / 4) + 20 + (length % 60),
    },
  };
}

function answerTo(messages: string): string {
  if (messages.includes('remarks of flight crews')) return JSON.stringify(CLASSIFIED);
  return messages.includes('wildlife strike report up') || messages.includes('duty manager of an airport')
    ? JSON.stringify({ markdown: NOTE })
    : NOTE;
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
