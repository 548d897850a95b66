import { unavailable } from '../../lib/rejection.ts';
import { checkSettings, type Settings, SettingsError } from '../../settings/index.ts';

/**
 * The settings of a runtime that serves one command. Anyone who can read the database file needs no key for it. An
 * invalid part makes only the operations that use it fail.
 */
export function settingsOfCommand(settings: Settings): Settings {
  const { usable } = settings.files;
  return {
    dataDir: settings.dataDir,
    database: settings.database,
    files: settings.files,
    secretsKeys: refusing(settings.secretsKeys),
    mode: 'local',
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    identityIssuer: undefined,
    studioSignIn: { clientId: undefined, sessionModule: undefined },
    allowedOrigins: [],
    rateLimit: 0,
    trustedProxies: [],
    logLevel: 'warn',
    studioOrigin: validOr(undefined, () => settings.studioOrigin),
    telemetryEndpoint: validOr(undefined, () => settings.telemetryEndpoint),
    toolServers: refusing(usable.toolServers),
    models: refusing(usable.models),
    connectionRules: refusing(settings.connectionRules),
    workflowHosts: refusing(usable.workflowHosts),
    workflowNamedHosts: refusing(usable.workflowNamedHosts),
    workflowSecrets: refusing(usable.workflowSecrets),
    mcpAnswers: settings.mcpAnswers,
    apiKeys: () => [],
  };
}

function validOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SettingsError) return otherwise;
    throw error;
  }
}

/** Turns the error of an invalid setting into a refusal of the operation that reads it. */
function refusing<Args extends unknown[], T>(read: (...args: Args) => T): (...args: Args) => T {
  return (...args) => {
    try {
      return read(...args);
    } catch (error) {
      throw error instanceof SettingsError ? unavailable(error.message) : error;
    }
  };
}

/** Whether every setting is valid: a task may use any of them, and fails if one is invalid. */
export function isComplete(settings: Settings): boolean {
  try {
    checkSettings(settings);
    return true;
  } catch (error) {
    if (error instanceof SettingsError) return false;
    throw error;
  }
}
