// Where a released app looks for updates: the releases of its repository on GitHub. A local package has no such address.
import type { Configuration } from 'electron-builder';

/**
 * electron-builder takes the channel from the version: `latest` for 1.2.3, `beta` for 1.3.0-beta.1. A release is also offered to
 * those who follow betas.
 * @param repository `OWNER/NAME`
 * @throws Error for another form
 */
export function updateAddress(repository: string): Configuration {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (owner === undefined || repo === undefined) {
    throw new Error(`The repository ${JSON.stringify(repository)} is not of the form OWNER/NAME.`);
  }
  return { publish: [{ provider: 'github', owner, repo }], generateUpdatesFilesForAllChannels: true };
}
