// The URLs that the window may show, those that open in the browser, and the pages that `cuebook://` links open.
import { DEFINITION_TYPES } from '../../shared/definition-types.ts';
import { PLACE_PATHS } from '../../shared/places.ts';

/** True for the studio's page on the server, with any fragment. */
export function isStudio(url: string, server: string | undefined): boolean {
  if (server === undefined || !URL.canParse(url)) return false;
  const { origin, pathname, search, username, password } = new URL(url);
  return origin === server && pathname === '/' && search === '' && username === '' && password === '';
}

const MOST_CHARACTERS = 2_048;

/** The URL to open in the system's browser; undefined for anything but https without credentials. */
export function externalUrl(url: string): string | undefined {
  if (url.length > MOST_CHARACTERS || hasControl(url)) return undefined;
  if (!/^https:\/\/[^/]/i.test(url) || !URL.canParse(url)) return undefined;
  const { username, password, href } = new URL(url);
  return username === '' && password === '' ? href : undefined;
}

const ID = '[A-Za-z0-9][A-Za-z0-9._-]{0,127}';
const PLACES = PLACE_PATHS.map((path) =>
  path.replaceAll(/\$\w+/g, (name) => (name === '$type' ? `(?:${DEFINITION_TYPES.join('|')})` : ID)),
);
const LINK = new RegExp(`^cuebook://playbooks(?:/(${ID})(${PLACES.join('|')}))?/?$`);

/**
 * The studio's fragment for a link such as `cuebook://playbooks/desk/runs`; undefined for an invalid link. A link can only
 * name a page: it has no query, so that it cannot fill in a form, and no other address.
 */
export function pageOfLink(link: string): string | undefined {
  if (link.length > MOST_CHARACTERS) return undefined;
  const match = LINK.exec(link);
  if (match === null) return undefined;
  const [, playbook, place = ''] = match;
  return playbook === undefined ? '#/' : `#/playbooks/${playbook}${place}`;
}

/** The link in the command line arguments of a second instance. */
export function findLink(args: readonly string[]): string | undefined {
  return args.find((arg) => arg.startsWith('cuebook:'));
}

function hasControl(text: string): boolean {
  return /[\p{Cc} \\]/u.test(text);
}
