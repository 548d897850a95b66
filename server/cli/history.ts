import type { Json, JsonObject } from '../../shared/json.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { pathOf } from './client.ts';
import { show } from './output.ts';

/** Reads a run's history back, in the order in which it was recorded. */
export async function history(
  playbook: string,
  runId: string,
  options: AttachOptions & { org: string; json?: boolean | undefined },
): Promise<void> {
  const base = pathOf`/orgs/${options.org}/playbooks/${playbook}/runs/${runId}`;
  const { events } = await withClient(options, { whenAbsent: 'refuse' }, async (client) => {
    const found: JsonObject[] = [];
    for (let cursor: Json = ''; cursor !== null; ) {
      const page = await client.get(`${base}/history?limit=100${cursor === '' ? '' : `&cursor=${String(cursor)}`}`);
      found.push(...(page['events'] as JsonObject[]));
      cursor = page['next_cursor'] ?? null;
    }
    return { events: found };
  });
  show(options, { events }, () =>
    events
      .map(({ type, summary, data, metadata }) => {
        const { at } = metadata as JsonObject;
        return `${String(at)}  ${String(type)}\n  ${String(summary)}\n  ${JSON.stringify(data)}`;
      })
      .join('\n'),
  );
}
