import { queryOptions } from '@tanstack/react-query';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { Definition } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { definitionsQuery } from '../../api/queries.ts';

type ViewStanding = Extract<Definition['standing'], { state: string }>;
export type StalledView = Pick<Definition, 'type' | 'name'> & { standing: ViewStanding };

/** How often the standing of views is read, in milliseconds: no event says that a view stalled. */
const STANDING_EVERY = 20_000;

/** The views of a playbook that stalled: runs of their functions are refused until a new version is saved. */
export function stalledViewsQuery(playbook: string) {
  return queryOptions({
    queryKey: [playbook, 'definitions', 'stalled'],
    queryFn: async ({ client, signal }): Promise<StalledView[]> => {
      const listed = await client.ensureQueryData(definitionsQuery(playbook));
      const keeping = listed.filter(({ type }) => DEFINITION_FACTS[type].keepsView);
      const read = keeping.map(({ type, name }) => call('get_definition', { playbook, type, name }, signal));
      return (await Promise.all(read)).filter(hasStalled);
    },
    refetchInterval: STANDING_EVERY,
  });
}

export function hasStalled(definition: Definition): definition is Definition & StalledView {
  const { standing } = definition;
  return standing !== undefined && 'state' in standing && standing.state === 'stalled';
}
