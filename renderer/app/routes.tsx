import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { RUN_OUTCOME_NAMES, STATUS_FILTERS } from '../../shared/status-label.ts';
import { NotFound, PageProblem, PageSkeleton } from '../ui/page-fallbacks.tsx';
import {
  countParam,
  enumParam,
  flagParam,
  type RawSearch,
  textParam,
  typeParam,
  withoutUndefined,
} from '../ui/search-params.ts';
import { Shell } from './shell.tsx';

const DEFINITION_TABS = [
  'source',
  'dataset',
  'models',
  'forecast',
  'run',
  'bench',
  'evaluate',
  'schedule',
  'versions',
] as const;
const INBOX_LISTS = ['answered', 'unanswered', 'notices'] as const;
const INBOX_PARTIES = ['me', 'all'] as const;
const RUN_TABS = ['timeline', 'data', 'history', 'compare'] as const;

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const playbooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: (search: RawSearch) => withoutUndefined({ import: flagParam(search['import']) }),
  component: lazyRouteComponent(() => import('../places/playbooks/playbooks-page.tsx'), 'PlaybooksPage'),
});

const playbookRoute = createRoute({ getParentRoute: () => rootRoute, path: '/playbooks/$playbook' });

const homeRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      days: [7, 30, 90].find((days) => String(days) === textParam(search['days'])),
      show: enumParam(['tokens', 'duration'] as const, search['show']),
      type: typeParam(search['type']),
      import: flagParam(search['import']),
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
  validateSearch: (search: RawSearch) =>
    withoutUndefined({ type: typeParam(search['type']), tab: enumParam(['run'] as const, search['tab']) }),
  component: lazyRouteComponent(() => import('../places/definitions/new-definition-page.tsx'), 'NewDefinitionPage'),
});

const definitionRoute = createRoute({
  getParentRoute: () => definitionsRoute,
  path: '/$type/$name',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      tab: enumParam(DEFINITION_TABS, search['tab']),
      line: countParam(search['line']),
      version: countParam(search['version']),
      against: countParam(search['against']),
      from_run: textParam(search['from_run']),
      series: textParam(search['series']),
    }),
  component: lazyRouteComponent(() => import('../places/definitions/definition-page.tsx'), 'DefinitionPage'),
});

const runsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/runs',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      type: typeParam(search['type']),
      name: textParam(search['name']),
      status: enumParam(STATUS_FILTERS, search['status']),
      outcome: enumParam(RUN_OUTCOME_NAMES, search['outcome']),
      day: /^\d{4}-\d\d-\d\d$/.exec(textParam(search['day']) ?? '')?.[0],
      search: textParam(search['search']),
      since: textParam(search['since']),
      until: textParam(search['until']),
      started_by: textParam(search['started_by']),
      event: textParam(search['event']),
      called_by: textParam(search['called_by']),
      top_level: flagParam(search['top_level']),
    }),
  component: lazyRouteComponent(() => import('../places/runs/runs-page.tsx'), 'RunsPage'),
});

const runRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/runs/$runId',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      tab: enumParam(RUN_TABS, search['tab']),
      find: textParam(search['find']),
      event: textParam(search['event']),
      only: enumParam(['unfinished', 'failed'] as const, search['only']),
      against: textParam(search['against']),
      step: textParam(search['step']),
      visit: countParam(search['visit']),
    }),
  component: lazyRouteComponent(() => import('../places/run/run-page.tsx'), 'RunPage'),
});

const inboxRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/inbox',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      show: enumParam(INBOX_LISTS, search['show']),
      party: enumParam(INBOX_PARTIES, search['party']),
    }),
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
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      type: textParam(search['type']),
      run: textParam(search['run']),
      event: textParam(search['event']),
    }),
  component: lazyRouteComponent(() => import('../places/events/events-page.tsx'), 'EventsPage'),
});

const toolsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/tools',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      terms: textParam(search['terms']),
      server: textParam(search['server']),
      only: enumParam(['read', 'write'] as const, search['only']),
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
  validateSearch: (search: RawSearch) =>
    withoutUndefined({ q: textParam(search['q']), provider: textParam(search['provider']) }),
  component: lazyRouteComponent(() => import('../places/models/models-page.tsx'), 'ModelsPage'),
});

const connectionsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/connections',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      connection: textParam(search['connection']),
      adding: flagParam(search['adding']),
      removed: flagParam(search['removed']),
    }),
  component: lazyRouteComponent(() => import('../places/connections/connections-page.tsx'), 'ConnectionsPage'),
});

/** The page that connect links open. */
const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connect',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      server: textParam(search['server']),
      org: textParam(search['org']),
      connection: textParam(search['connection']),
      token: textParam(search['token']),
      playbook: textParam(search['playbook']),
    }),
  component: lazyRouteComponent(() => import('../places/connections/connect-page.tsx'), 'ConnectPage'),
});

const agentsRoute = createRoute({
  getParentRoute: () => playbookRoute,
  path: '/agents',
  validateSearch: (search: RawSearch) =>
    withoutUndefined({
      scope: enumParam(['playbook'] as const, search['scope']),
      client: textParam(search['client']),
      read: flagParam(search['read']),
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
  // The studio can be served from any path, so its own path is in the fragment.
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
