// The columns of the list of runs. The first, with the name and version of the definition, is always shown.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunListEntry } from '../../../shared/api/index.ts';
import type { Column } from '../../ui/live-list.tsx';
import { RelativeTime, RunDuration } from '../../ui/times.tsx';
import { Status } from '../../ui/status.tsx';
import { RunTokens } from './run-tokens.tsx';

interface RunColumn {
  title: string;
  /** The least width in pixels. */
  least: number;
  /** Its part of the width that is left over; 0 for a column of fixed width. */
  share: number;
  cell: (playbook: string, run: RunListEntry) => ReactNode;
}

const NAME = { title: 'Definition', least: 150, share: 1.8 };

const CHOICES = {
  status: { title: 'Status', least: 176, share: 1.3, cell: (_, run) => <Status run={run} /> },
  started: { title: 'Started', least: 132, share: 0, cell: (_, run) => <RelativeTime at={run.started_at} /> },
  ended: {
    title: 'Ended',
    least: 132,
    share: 0,
    cell: (_, { ended_at: at }) => at !== undefined && <RelativeTime at={at} />,
  },
  duration: { title: 'Duration', least: 90, share: 0, cell: (_, run) => <RunDuration run={run} /> },
  started_by: { title: 'Started by', least: 100, share: 1, cell: startedByCell },
  caller: { title: 'Caller', least: 100, share: 0.8, cell: (_, run) => quiet(run.started_by) },
  calling_run: { title: 'Calling run', least: 120, share: 1, cell: callingRunCell },
  trigger: { title: 'Trigger', least: 80, share: 0.4, cell: (playbook, run) => triggerOf(playbook, run, '') },
  model: { title: 'Requested model', least: 130, share: 0.8, cell: (_, run) => quiet(run.model) },
  tokens: {
    title: 'Tokens',
    least: 110,
    share: 0,
    cell: (playbook, run) => <RunTokens playbook={playbook} run={run} />,
  },
  attempt: {
    title: 'Attempt',
    least: 64,
    share: 0,
    cell: (_, run) => <span className="number">{run.attempt}</span>,
  },
  run_id: {
    title: 'Run ID',
    least: 90,
    share: 0,
    cell: (_, { run_id: id }) => <code title={id}>{id.slice(0, 8)}</code>,
  },
} as const satisfies Readonly<Record<string, RunColumn>>;

export type RunColumnId = keyof typeof CHOICES;

/** In the order in which they are shown. */
export const RUN_COLUMN_IDS = Object.keys(CHOICES) as readonly RunColumnId[];

export const DEFAULT_RUN_COLUMNS: readonly RunColumnId[] = ['status', 'started', 'duration', 'started_by'];

export function isRunColumn(id: unknown): id is RunColumnId {
  return RUN_COLUMN_IDS.some((known) => known === id);
}

export function titleOfColumn(id: RunColumnId): string {
  return CHOICES[id].title;
}

export interface ShownColumns {
  columns: readonly Column[];
  /** The cells of the columns after the first. */
  cells: (run: RunListEntry) => readonly ReactNode[];
}

/** The columns of a list with the name of the definition before those that were chosen. */
export function shownColumns(playbook: string, chosen: readonly RunColumnId[]): ShownColumns {
  const shown: readonly RunColumn[] = RUN_COLUMN_IDS.filter((id) => chosen.includes(id)).map((id) => CHOICES[id]);
  return {
    columns: [NAME, ...shown].map(({ title, least, share }) => ({
      title,
      least,
      width: share === 0 ? `${least}px` : `minmax(${least}px, ${share}fr)`,
    })),
    cells: (run) => shown.map(({ title, cell }) => <Cell key={title}>{cell(playbook, run)}</Cell>),
  };
}

/** An element, so that an empty cell has a key as well. */
function Cell({ children }: { children: ReactNode }) {
  return children;
}

/** What started the run: another run, a trigger or a caller. */
function startedByCell(playbook: string, run: RunListEntry): ReactNode {
  if (run.called_by !== undefined) return callingRunCell(playbook, run);
  return run.trigger === undefined ? quiet(run.started_by) : triggerOf(playbook, run, 'trigger: ');
}

function callingRunCell(playbook: string, { called_by: calledBy }: RunListEntry): ReactNode {
  if (calledBy === undefined) return null;
  return (
    <Link
      to="/playbooks/$playbook/runs/$runId"
      params={{ playbook, runId: calledBy.run_id }}
      className="above-row-link"
      title={`The calling run of ${calledBy.run}`}
    >
      run of {calledBy.run.split('/').at(-1)}
    </Link>
  );
}

function triggerOf(playbook: string, { trigger }: RunListEntry, prefix: string): ReactNode {
  if (trigger === undefined) return null;
  const words = `${prefix}${trigger.kind}`;
  if (trigger.event_id === undefined) return quiet(words);
  return (
    <Link
      to="/playbooks/$playbook/events"
      params={{ playbook }}
      search={{ event: trigger.event_id }}
      className="above-row-link"
      title="The event that started the run"
    >
      {words}
    </Link>
  );
}

function quiet(text: string | undefined): ReactNode {
  if (text === undefined) return null;
  return <span className="quiet-cell">{text}</span>;
}
