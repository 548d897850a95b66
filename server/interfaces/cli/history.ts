import type { Json, JsonObject } from '../../../shared/json.ts';
import { outcomeText } from '../../../shared/outcome-words.ts';
import { messageFirst } from '../../../shared/program-error.ts';
import type { RunWithRecord } from '../../../shared/schemas/index.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { pathOf } from './client.ts';
import { show } from './output.ts';

/** Prints how a run stands or ended, then its history in the order in which it was recorded. */
export async function history(
  playbook: string,
  runId: string,
  options: AttachOptions & { org: string; json?: boolean | undefined },
): Promise<void> {
  const base = pathOf`/orgs/${options.org}/playbooks/${playbook}/runs/${runId}`;
  const { events, run } = await withClient(options, { whenAbsent: 'refuse' }, async (client) => {
    const found: JsonObject[] = [];
    for (let cursor: Json = ''; cursor !== null; ) {
      const page = await client.get(`${base}/history?limit=100${cursor === '' ? '' : `&cursor=${String(cursor)}`}`);
      found.push(...(page['events'] as JsonObject[]));
      cursor = page['next_cursor'] ?? null;
    }
    return { events: found, run: (await client.get(base)) as unknown as RunWithRecord };
  });
  show(options, { events }, () =>
    [
      `${run.type}/${run.name}, version ${run.definition_version}: ${outcomeText(run)}`,
      ...(run.detail === undefined ? [] : [`  ${messageFirst(run.detail)}`]),
      ...events.map(({ type, summary, data, metadata }) => {
        const { at } = metadata as JsonObject;
        return `${String(at)}  ${String(type)}\n  ${String(summary)}\n  ${JSON.stringify(data)}`;
      }),
    ].join('\n'),
  );
}
