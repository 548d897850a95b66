import { expect, test } from 'vitest';
import { secretsIn } from './secrets-in-text.ts';
import { isSecretValue } from './secret-values.ts';

/** Of two forms that are put together here, so that no scanner takes them for real ones. */
const joined = (...parts: string[]): string => parts.join('');

test.each([
  ['MYSQL_PASS', 'Winter-2024!x'],
  ['DB_PASSWORD', '1234'],
  ['SMTP_PASS', 'abcdefgh1'],
  ['PGPASSWORD', 'p4ssw0rd!'],
  ['ES_PWD', 'S3cret!pw'],
  ['PASSPHRASE', 'correct horse battery'],
  ['dbPass', 'word'],
  ['GITLAB_PAT', 'abc'],
  ['SESSION_COOKIE', 'sid=abcdef0123456789'],
  ['CONNECTION_STRING', 'Server=db;User Id=sa;Password=S3cret!;'],
  ['STORE', 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc=='],
  ['DATABASE_URL', 'postgres://u:S3cretpw@db/x'],
  ['CACHE', 'redis://:pw@cache:6379'],
  ['MONGO', 'mongodb://u:p@a.example:1,b.example:2/x'],
  ['SENTRY_DSN', 'https://abcdef0123456789abcdef0123456789@o1.ingest.example/2'],
  ['CREDENTIALS', 'user:passw0rd'],
  ['AUTH', 'dXNlcjpwYXNzdzByZA=='],
  ['AUTH_HEADER', 'Bearer abcdef0123456789'],
  ['WEBHOOK_URL', 'https://hooks.example.com/services/T000/B000/abcdefghijklmnopqrstuvwx'],
  ['CHAT', 'https://hooks.example.com/services/T000/B000/abcdefghijklmnopqrstuvwx'],
  ['OPENAI_API_KEY', 'abcdefgh'],
  ['X-Api-Key', 'abc'],
  ['X-Auth', 'abcd1234'],
  ['Authorization', 'Bearer abc'],
  ['ODD', 'f8a7c6b5d4e3'],
  ['ODD', joined('ghp', '_0123456789abcdefghij')],
  ['KEY_ID', joined('AK', 'IA0123456789ABCDEF')],
  ['WALLET_MNEMONIC', 'test test junk'],
  ['SEED_PHRASE', 'witch collapse practice'],
  ['recoveryWords', 'witch collapse practice'],
  ['TOKEN1', 'x1'],
  ['OPENAI_KEY2', 'abc'],
  ['PASS_1', 'x'],
  ['IDENTITY', joined('AGE-SECRET', '-KEY-1QQQQQQQQ')],
  ['PEM', '-----BEGIN RSA PRIVATE KEY-----\nabc'],
])('%s=%s is a secret', (name, value) => {
  expect(isSecretValue(name, value)).toBe(true);
});

test.each([
  ['MYSQL_HOST', '127.0.0.1'],
  ['MYSQL_PORT', '3306'],
  ['MYSQL_USER', 'root'],
  ['GIT_EMAIL', 'me@example.com'],
  ['FROM', 'bot2024@mail.example.com'],
  ['BASE_URL', 'http://192.168.1.10:8080'],
  ['REGION', 'eu-central-1'],
  ['PROJECT_ID', 'my-project-123456'],
  ['CLIENT_ID', 'a1b2c3d4e5f6a7b8c9d0'],
  ['API_KEY_HEADER', 'X-Api-Key'],
  ['MODEL', 'gpt-5-mini'],
  ['ENGINE', 'claude-3-5-sonnet-20241022'],
  ['ENGINE', 'llama3.1:70b-instruct-q4_K_M'],
  ['LOG_LEVEL', 'info'],
  ['ORG', 'acme'],
  ['UUID', '0b8a1a60-0c3c-4a34-8c0f-9a3ac1b7a111'],
  ['DEVICE', '0b8a1a60-0c3c-4a34-8c0f-9a3ac1b7a111'],
  ['TIMEZONE', 'Europe/Berlin'],
  ['SINCE', '2024-01-01T00:00:00Z'],
  ['ALLOWED', 'read,write'],
  ['MAX_TOKENS', '4096'],
  ['TOKEN_LIMIT', '100000'],
  ['MAX_TOKENS_PER_REQUEST', '1000'],
  ['DRAWING_FILE_KEY', 'abc'],
  ['CONTRACT', '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'],
  ['OAUTH2_SCOPES', 'read write'],
  ['TOKEN_URL', 'https://login.example.com/oauth/token'],
  ['AUTH_TYPE', 'oauth'],
  ['AUTH', 'none'],
  ['AUTHOR', 'Jane Doe'],
  ['BYPASS', 'localhost'],
  ['KEYBOARD', 'qwertz'],
  ['PROJECT_KEY', 'DESK'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/key.json'],
  ['SSH_KEY', '~/.ssh/id_rsa'],
  ['REPOSITORY', 'ssh://git@git.example.com/a/b'],
  ['HOOK_URL', 'https://example.com/my-first-webhook'],
  ['GREETING', 'hello world 2024'],
  ['USE_PASSWORD', 'true'],
  ['KMS_KEY_ARN', 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'],
  ['AUTHENTICATION', 'ActiveDirectoryIntegrated'],
  ['SECRET_MANAGER', 'gcp'],
  ['PAY_ACCOUNT', 'acct_1032D82eZvKYlo2C'],
  ['SEARCH', 'https://a1b2c3d4e5f6.eu-central-1.cloud.example:9243'],
  ['CLUSTER1', 'a1b2c3d4e5f6g7.gr7.eu-west-1.eks.example.com'],
])('%s=%s is no secret', (name, value) => {
  expect(isSecretValue(name, value)).toBe(false);
});

/** The text with `***` for its secrets. */
function shown(text: string, before?: string): string {
  return secretsIn(text, { before })
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)}***${rest.slice(end)}`, text);
}

test.each<[string, string | undefined, string]>([
  ['--api-key=abc', undefined, '--api-key=***'],
  ['hunter2', '--password', '***'],
  ['DB_PASS=hunter2', '-e', 'DB_PASS=***'],
  [joined('GITHUB_TOKEN=ghp', '_0123456789abcdefghij'), '-e', 'GITHUB_TOKEN=***'],
  ['-eDB_PASS=hunter2', undefined, '-eDB_PASS=***'],
  ['--env=DB_PASS=hunter2', undefined, '--env=DB_PASS=***'],
  ['Authorization: Bearer abcdefgh', '--header', 'Authorization: Bearer ***'],
  ['Authorization:Bearer abcdefgh', '--header', 'Authorization:Bearer ***'],
  ['--header=X-Api-Key: abc', undefined, '--header=X-Api-Key: ***'],
  [
    '{"headers":{"Authorization":"Bearer abc"},"team":"blue"}',
    '--config',
    '{"headers":{"Authorization":"Bearer ***"},"team":"blue"}',
  ],
  ['["--token","abc","--team","blue"]', undefined, '["--token","***","--team","blue"]'],
  ['https://a.example/mcp?team=blue&api_key=abc', undefined, 'https://a.example/mcp?team=blue&api_key=***'],
  ['postgresql://u:pw@db/x', undefined, '***'],
  ['--db=postgresql://u:pw@db/x', undefined, '--db=***'],
  [
    'API_KEY=abc LEVEL=info npx notes --token "d e" --level info',
    '-c',
    'API_KEY=*** LEVEL=info npx notes --token "***" --level info',
  ],
  ['me:hunter2', '--user', '***'],
  ['1000:1000', '--user', '1000:1000'],
  ['node:node', '-u', 'node:node'],
  ['notes -u me:hunter2 -u 1000:1000 -e LEVEL=info', '-c', 'notes -u *** -u 1000:1000 -e LEVEL=info'],
  [`notes -H 'X-Api-Key: abc' -H "X-Team: blue"`, '-c', `notes -H 'X-Api-Key: ***' -H "X-Team: blue"`],
  [`notes --header 'Authorization: Basic abc'`, '-c', `notes --header 'Authorization: Basic ***'`],
  [
    'https://a.example/mcp?features=docs%2Caccount%2Cdatabase',
    undefined,
    'https://a.example/mcp?features=docs%2Caccount%2Cdatabase',
  ],
  ['https://a.example/mcp?team=a1b2c3d4%2Fe5f6a7b8c9', undefined, 'https://a.example/mcp?team=***'],
  ['0123456789abcdef0123456789abcdef', undefined, '***'],
  ['Bearer ${TOKEN}', '--header', 'Bearer ${TOKEN}'],
  ['LEVEL=info', '-e', 'LEVEL=info'],
  ['X-Team: blue', '--header', 'X-Team: blue'],
  ['0123456789abcdef0123456789abcdef', '--project', '0123456789abcdef0123456789abcdef'],
  ['abcd1234efgh5678ijkl', '--project-ref', 'abcd1234efgh5678ijkl'],
  ['--headers={"x-api-key":"abc","team":"blue"}', undefined, '--headers={"x-api-key":"***","team":"blue"}'],
  ['SETTINGS={"password":"abc"}', '-e', 'SETTINGS={"password":"***"}'],
  [
    'acme/notes@sha256:0123456789abcdef0123456789abcdef',
    undefined,
    'acme/notes@sha256:0123456789abcdef0123456789abcdef',
  ],
  [
    'acme/notes@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    '--rm',
    'acme/notes@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  ],
  [
    'git+https://git.example/a/notes@0123456789abcdef0123456789abcdef01234567',
    '--from',
    'git+https://git.example/a/notes@0123456789abcdef0123456789abcdef01234567',
  ],
  ['@modelcontextprotocol/server-filesystem@2025.8.21', '-y', '@modelcontextprotocol/server-filesystem@2025.8.21'],
  ['/srv/docs', undefined, '/srv/docs'],
  ['3000', '--port', '3000'],
])('of the argument %s, what is shown', (argument, before, text) => {
  expect(shown(argument, before)).toBe(text);
});

test('a reader of a long argument takes no more than its length asks for', () => {
  for (const part of ['a=', '--key ', 'https://', '{"a":', '-a "\'', 'bearer ', '${', 'a1', ':@/']) {
    expect(secretsIn(part.repeat(20_000)).length).toBeLessThan(20_001);
  }
});
