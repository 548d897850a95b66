// Which addresses the window may show, which are opened outside of it, and where links from outside lead.
import { DEFINITION_TYPES } from '../../shared/definition-types.ts';
import { PLACE_PATHS } from '../../shared/places.ts';

/** Whether an address is the studio's: the very page at the server's address, whatever its fragment. */
export function isStudio(url: string, server: string | undefined): boolean {
  if (server === undefined || !URL.canParse(url)) return false;
  const { origin, pathname, search, username, password } = new URL(url);
  return origin === server && pathname === '/' && search === '' && username === '' && password === '';
}

const MOST_CHARACTERS = 2_048;

/** The address to hand to the system's browser; undefined for anything but plain https. */
export function outsideAddress(url: string): string | undefined {
  if (url.length > MOST_CHARACTERS || hasControl(url)) return undefined;
  if (!/^https:\/\/[^/]/i.test(url) || !URL.canParse(url)) return undefined;
  const { username, password, href } = new URL(url);
  return username === '' && password === '' ? href : undefined;
}

const ID = '[A-Za-z0-9][A-Za-z0-9._-]{0,127}';
const PLACES = PLACE_PATHS.map((path) =>
  path.replaceAll(/\$\w+/g, (name) => (name === '$type' ? `(?:${DEFINITION_TYPES.join('|')})` : ID)),
);
const KNOWN = new RegExp(`^cuebook://playbooks(?:/(${ID})(${PLACES.join('|')}))?/?$`);

/**
 * The studio's fragment that a link leads to, such as `cuebook://playbooks/desk/runs`; undefined for any other. A link
 * can name a place and nothing more: no query, so that it fills in no form, and no address of anything else.
 */
export function placeOfLink(link: string): string | undefined {
  if (link.length > MOST_CHARACTERS) return undefined;
  const known = KNOWN.exec(link);
  if (known === null) return undefined;
  const [, playbook, place = ''] = known;
  return playbook === undefined ? '#/' : `#/playbooks/${playbook}${place}`;
}

/** The link among the arguments that a second start of the app was given. */
export function linkAmong(args: readonly string[]): string | undefined {
  return args.find((arg) => arg.startsWith('cuebook:'));
}

function hasControl(text: string): boolean {
  return /[\p{Cc} \\]/u.test(text);
}
