// Authentication policies. Digest and the grants in which a person signs in are refused: no person sits at a run.
import { byKey, listOf, object, oneOfTexts, refused, type Schema, text, textLike } from './build.ts';
import { OPEN_OBJECT, URI } from './values.ts';

const SECRET = text('must be a string; use an expression such as ${ $secrets.NAME }');

const NO_GRANT =
  'must be `client_credentials`: nobody can sign in during a run; ask a person with an interaction, or use a tool server';

const TOKEN = object({ token: SECRET, type: text() }, { required: ['token', 'type'] });

const OAUTH2_MEMBERS: Readonly<Record<string, Schema>> = {
  authority: URI,
  grant: { enum: ['client_credentials'], says: NO_GRANT },
  client: object({
    id: text(),
    secret: SECRET,
    assertion: SECRET,
    authentication: {
      enum: ['client_secret_basic', 'client_secret_post', 'none'],
      says: 'must be `client_secret_post`, `client_secret_basic` or `none`; clients that sign with a key are not supported',
    },
  }),
  request: object(
    { encoding: oneOfTexts(['application/x-www-form-urlencoded', 'application/json']) },
    { isOpen: true },
  ),
  issuers: listOf(text()),
  scopes: listOf(text()),
  audiences: listOf(text()),
  username: text(),
  password: SECRET,
  subject: TOKEN,
  actor: TOKEN,
};

const ENDPOINT_PATH = textLike('uri-template-only', 'must be a path or a URI');

const ENDPOINTS = object(
  { token: ENDPOINT_PATH, revocation: ENDPOINT_PATH, introspection: ENDPOINT_PATH },
  { isOpen: true },
);

/** Either a policy's own members, or `use` with the name of a secret that holds them. */
function ownOrSecret(members: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  const use: Schema = { type: 'string', minLength: 1, says: 'must be the name of a secret of `use.secrets`' };
  return {
    type: 'object',
    says: `must be an object with ${required.map((name) => `\`${name}\``).join(' and ')}, or { use: SECRET }`,
    if: { required: ['use'] },
    then: object({ use }),
    else: object(members, { required }),
  };
}

const POLICIES: Readonly<Record<string, Schema>> = {
  basic: ownOrSecret({ username: text(), password: SECRET }, ['username', 'password']),
  bearer: ownOrSecret({ token: SECRET }, ['token']),
  oauth2: ownOrSecret({ ...OAUTH2_MEMBERS, endpoints: ENDPOINTS }, ['authority', 'grant']),
  oidc: ownOrSecret(OAUTH2_MEMBERS, ['authority', 'grant']),
  digest: refused('is not supported; use `basic` over https, `bearer`, or a tool server that handles sign-in'),
};

const NONE = refused('has no authentication scheme; write one of `basic`, `bearer`, `oauth2` or `oidc`');

function policyForms(isReferenceable: boolean): Readonly<Record<string, Schema>> {
  const names = Object.keys(POLICIES);
  return Object.fromEntries(
    names.map((name) => {
      const others = names.filter((other) => other !== name);
      const alone = Object.fromEntries(
        others.map((other) => [other, refused(`cannot be combined with \`${name}\`; keep one`)]),
      );
      const form = { [name]: POLICIES[name] ?? {}, ...alone };
      // The standard leaves policies under `use` open, and those of an endpoint closed.
      return [name, object(form, { isOpen: !isReferenceable })];
    }),
  );
}

/** A policy of `use.authentications`. */
export const AUTHENTICATION: Schema = { ...OPEN_OBJECT, ...byKey(policyForms(false), NONE) };

/** A policy where it is used: its own, or the name of one of `use.authentications`. */
export const AUTHENTICATION_OR_NAME: Schema = {
  ...OPEN_OBJECT,
  if: { required: ['use'] },
  then: object({
    use: { type: 'string', minLength: 1, says: 'must be the name of an entry of `use.authentications`' },
  }),
  else: byKey(policyForms(true), NONE),
};
