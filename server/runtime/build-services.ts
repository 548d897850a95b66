// What the parts of the domain share: schemas, languages, telemetry, connections, tools and models.
import type { Logger } from 'pino';
import { createConnectionService } from '../domain/connections/index.ts';
import { Models, ProviderKeys } from '../domain/models/index.ts';
import { Tools } from '../domain/tools/index.ts';
import { createLanguages } from '../kinds/languages.ts';
import type { Clock } from '../lib/clock.ts';
import { createSchemaChecker } from '../lib/schemas/index.ts';
import { createTelemetry } from '../lib/telemetry/index.ts';
import { createTextWork } from '../lib/text-work/index.ts';
import type { Mode, Settings } from '../settings/index.ts';
import type { Stores } from './open-stores.ts';
import type { OwnAddress } from './own-address.ts';
import { storeGauges } from './store-gauges.ts';
import { VERSION } from './version.ts';

export interface ServicesOptions {
  settings: Settings;
  mode: Mode;
  stores: Stores;
  address: Pick<OwnAddress, 'server' | 'studio'>;
  clock: Clock;
  logger: Logger;
}

export type Services = ReturnType<typeof buildServices>;

export function buildServices({ settings, mode, stores, address, clock, logger }: ServicesOptions) {
  const { log, ids, secrets } = stores;
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  const languages = createLanguages({ textWork });
  const telemetry = createTelemetry({
    endpoint: settings.telemetryEndpoint,
    version: VERSION,
    counters: [
      { name: 'store.commits', description: 'Commits that changed something.', read: () => log.counters.commits },
      {
        name: 'store.statements',
        description: 'Statements that read or wrote rows.',
        read: () => log.counters.statements,
      },
    ],
    gauges: storeGauges(log, clock),
    onError: (error) => logger.warn({ err: error }, 'Telemetry could not be sent.'),
  });

  const connections = createConnectionService({
    settings,
    mode,
    people: peopleOf(settings),
    log,
    secrets,
    clock,
    ids,
    connectPage: () => ({ page: `${address.studio()}/connect`, server: address.server() }),
  });
  const tools = new Tools({
    settings,
    connections: connections.connected,
    mode,
    version: VERSION,
    schemas,
    textWork,
    clock,
    logger,
  });
  const providerKeys = new ProviderKeys({ settings: settings.models, log, secrets });
  const models = new Models({ settings: () => providerKeys.settings(), textWork, clock, logger, telemetry });
  return { schemas, textWork, languages, telemetry, connections, tools, providerKeys, models };
}

/** Who may approve connections. */
function peopleOf({ mode, identityIssuer }: Settings): 'local' | 'signed_in' | 'nobody' {
  if (mode === 'local') return 'local';
  return identityIssuer === undefined ? 'nobody' : 'signed_in';
}
