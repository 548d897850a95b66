// The resources: the guides, and complete definitions, runs and events.
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Json } from '../../../shared/json.ts';
import type { Guide } from '../http/index.ts';
import { wholeJson } from '../../lib/json-pieces.ts';
import { notFound } from '../../lib/rejection.ts';
import type { Call, Callable } from '../../operations/index.ts';
import { readAddress, templateOf } from './addresses.ts';
import type { Endpoint } from './endpoint.ts';
import type { KeptValues } from './kept-values.ts';

const GUIDE = 'guide://';

export interface ReadResource {
  mimeType: string;
  text: string;
}

export interface Resources {
  list(): Resource[];
  templates(endpoint: Endpoint): ResourceTemplateType[];
  /** @throws Refused */
  read(uri: string, endpoint: Endpoint, call: Call): Promise<ReadResource>;
}

export function createResources(
  guides: () => readonly Guide[],
  readable: readonly Callable[],
  kept: KeptValues,
): Resources {
  return {
    list: () =>
      guides().map(({ name, title, text }) => ({
        uri: `${GUIDE}${name}`,
        name,
        title,
        description: `Guide: ${title}`,
        mimeType: 'text/markdown',
        size: Buffer.byteLength(text),
      })),
    templates: (endpoint) => [
      { uriTemplate: `${GUIDE}{guide}`, name: 'guide', title: 'Guide', mimeType: 'text/markdown' },
      ...readable.map(({ operation }) => ({
        uriTemplate: templateOf(endpoint, operation),
        name: operation.name,
        title: operation.title,
        mimeType: 'application/json',
      })),
    ],
    async read(uri, endpoint, call) {
      if (uri.startsWith(GUIDE)) {
        const all = guides();
        const guide = all.find(({ name }) => name === uri.slice(GUIDE.length));
        if (guide !== undefined) return { mimeType: 'text/markdown', text: guide.text };
        throw notFound(
          `There is no guide ${uri.slice(GUIDE.length, 100)}. The guides are ${all.map(({ name }) => `${GUIDE}${name}`).join(', ')}.`,
        );
      }
      return await written(await readAddress(uri, endpoint, call, readable, kept));
    },
  };
}

async function written(value: Json): Promise<ReadResource> {
  const text = await wholeJson(value);
  if (!text.startsWith('"')) return { mimeType: 'application/json', text };
  return { mimeType: 'text/plain', text: JSON.parse(text) as string };
}
