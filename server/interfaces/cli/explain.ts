import { type AttachOptions, withClient } from './attach.ts';
import { show } from './output.ts';

/** Prints what a run did: a line for each step, with called runs indented. */
export async function explain(
  playbook: string,
  runId: string,
  options: AttachOptions & { org?: string | undefined; json?: boolean | undefined },
): Promise<void> {
  const explanation = await withClient(options, { whenAbsent: 'refuse' }, (client) =>
    client.call('explain_run', { org: options.org, playbook, run_id: runId }),
  );
  show(options, explanation, () =>
    [
      ...explanation.lines.map(({ text, depth }) => `${'  '.repeat(depth)}${text}`),
      '',
      `Details of each event: cuebook history ${playbook} ${explanation.run_id}`,
    ].join('\n'),
  );
}
