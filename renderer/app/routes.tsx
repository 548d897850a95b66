import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { type DefinitionType, isDefinitionType } from '../../shared/definition-types.ts';
import { ENDED_OUTCOME_NAMES } from '../../shared/outcome-words.ts';
import type { RunStatus } from '../api/inputs.ts';
import { PageProblem } from '../ui/page-problem.tsx';
import { PageSkeleton } from '../ui/page-skeleton.tsx';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

type Search = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((one) => one === value);
const typeOf = (value: unknown): DefinitionType | undefined =>
  typeof value === 'string' && isDefinitionType(value) ? value : undefined;

/** Without the members that are undefined, so that they do not stand in the address. */
function given<Given extends object>(members: Given): Partial<{ [Name in keyof Given]: NonNullable<Given[Name]> }> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

const RUN_STATUSES = ['started', 'succeeded', 'rejected', 'failed'] as const satisfies readonly RunStatus[];
const DEFINITION_TABS = ['source', 'run', 'versions'] as const;
const INBOX_LISTS = ['answered', 'unanswered', 'notices'] as const;
const INBOX_PARTIES = ['me', 'all'] as const;
const RUN_TABS = ['timeline', 'data', 'history'] as const;

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const playbooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../places/playbooks/playbooks-page.tsx'), 'PlaybooksPage'),
});

const playbookRoute = createRoute({ getParentRoute: () => rootRoute, path: '/playbooks/$playbook' });

const homeRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/',
  validateSearch: (search: Search) =>
    given({
      days: [7, 30, 90].find((days) => String(days) === text(search['days'])),
      show: oneOf(['tokens', 'duration'] as const, search['show']),
      type: typeOf(search['type']),
    }),
  component: lazyRouteComponent(() => import('../places/home/home-page.tsx'), 'HomePage'),
});

const definitionsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/definitions',
  component: lazyRouteComponent(() => import('../places/definitions/definitions-page.tsx'), 'DefinitionsPage'),
});

const noDefinitionRoute = createRoute({
  getParentRoute: () => definitionsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../places/definitions/no-definition.tsx'), 'NoDefinition'),
});

const newDefinitionRoute = createRoute({
  getParentRoute: () => definitionsRoute,
  path: '/new',
  validateSearch: (search: Search) => given({ type: typeOf(search['type']) }),
  component: lazyRouteComponent(() => import('../places/definitions/new-definition-page.tsx'), 'NewDefinitionPage'),
});

const definitionRoute = createRoute({
  getParentRoute: () => definitionsRoute,
  path: '/$type/$name',
  validateSearch: (search: Search) =>
    given({
      tab: oneOf(DEFINITION_TABS, search['tab']),
      line: Number(search['line']) > 0 ? Number(search['line']) : undefined,
      version: Number(search['version']) > 0 ? Number(search['version']) : undefined,
      against: Number(search['against']) > 0 ? Number(search['against']) : undefined,
      from_run: text(search['from_run']),
    }),
  component: lazyRouteComponent(() => import('../places/definitions/definition-page.tsx'), 'DefinitionPage'),
});

const runsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/runs',
  validateSearch: (search: Search) =>
    given({
      type: typeOf(search['type']),
      name: text(search['name']),
      status: oneOf(RUN_STATUSES, search['status']),
      outcome: oneOf(ENDED_OUTCOME_NAMES, search['outcome']),
      day: /^\d{4}-\d\d-\d\d$/.exec(text(search['day']) ?? '')?.[0],
    }),
  component: lazyRouteComponent(() => import('../places/runs/runs-page.tsx'), 'RunsPage'),
});

const runRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/runs/$runId',
  validateSearch: (search: Search) =>
    given({
      tab: oneOf(RUN_TABS, search['tab']),
      find: text(search['find']),
      event: text(search['event']),
      only: oneOf(['unfinished', 'failed'] as const, search['only']),
    }),
  component: lazyRouteComponent(() => import('../places/run/run-page.tsx'), 'RunPage'),
});

const inboxRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/inbox',
  validateSearch: (search: Search) =>
    given({ show: oneOf(INBOX_LISTS, search['show']), party: oneOf(INBOX_PARTIES, search['party']) }),
  component: lazyRouteComponent(() => import('../places/inbox/inbox-page.tsx'), 'InboxPage'),
});

const requestRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/inbox/$runId',
  component: lazyRouteComponent(() => import('../places/inbox/request-page.tsx'), 'RequestPage'),
});

const eventsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/events',
  validateSearch: (search: Search) =>
    given({ type: text(search['type']), run: text(search['run']), event: text(search['event']) }),
  component: lazyRouteComponent(() => import('../places/events/events-page.tsx'), 'EventsPage'),
});

const toolsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/tools',
  validateSearch: (search: Search) =>
    given({
      terms: text(search['terms']),
      server: text(search['server']),
      only: oneOf(['read', 'write'] as const, search['only']),
    }),
  component: lazyRouteComponent(() => import('../places/tools/tools-page.tsx'), 'ToolsPage'),
});

const toolRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/tools/$server/$tool',
  component: lazyRouteComponent(() => import('../places/tools/tool-page.tsx'), 'ToolPage'),
});

const modelsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/models',
  validateSearch: (search: Search) => given({ q: text(search['q']), provider: text(search['provider']) }),
  component: lazyRouteComponent(() => import('../places/models/models-page.tsx'), 'ModelsPage'),
});

const connectionsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/connections',
  validateSearch: (search: Search) =>
    given({
      connection: text(search['connection']),
      adding: search['adding'] === true ? true : undefined,
      removed: search['removed'] === true ? true : undefined,
    }),
  component: lazyRouteComponent(() => import('../places/connections/connections-page.tsx'), 'ConnectionsPage'),
});

/** Where connect links lead, whoever gave them. */
const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connect',
  validateSearch: (search: Search) =>
    given({
      server: text(search['server']),
      org: text(search['org']),
      connection: text(search['connection']),
      token: text(search['token']),
      playbook: text(search['playbook']),
    }),
  component: lazyRouteComponent(() => import('../places/connections/connect-page.tsx'), 'ConnectPage'),
});

const agentsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/agents',
  validateSearch: (search: Search) =>
    given({
      scope: oneOf(['playbook'] as const, search['scope']),
      client: text(search['client']),
      read: search['read'] === true ? true : undefined,
    }),
  component: lazyRouteComponent(() => import('../places/agents/agents-page.tsx'), 'AgentsPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    playbooksRoute,
    connectRoute,
    playbookRoute.addChildren([
      homeRoute,
      definitionsRoute.addChildren([noDefinitionRoute, newDefinitionRoute, definitionRoute]),
      runsRoute,
      runRoute,
      inboxRoute,
      requestRoute,
      eventsRoute,
      toolsRoute,
      toolRoute,
      modelsRoute,
      connectionsRoute,
      agentsRoute,
    ]),
  ]),
  history: createHashHistory(),
  // Files stand anywhere: what an address names is in its fragment.
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageProblem,
  scrollRestoration: false,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
