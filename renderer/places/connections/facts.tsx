import { CircleCheck, CircleDashed, CircleX, type LucideIcon, Trash2 } from 'lucide-react';
import type { Connection } from '../../../shared/api/index.ts';
import { Fact } from '../../ui/fact.tsx';
import { addressesOf, credentialWords, hostOf, KINDS } from './words.ts';

/** Everything that an approval covers. */
export function Facts({ connection }: { connection: Connection }) {
  const { kind, entry, credential } = connection;
  return (
    <dl className="connection-facts">
      <Fact title="Type">{KINDS[kind]}</Fact>
      {addressesOf(connection).map(([what, address]) => (
        <Fact key={what} title={what}>
          <strong>{hostOf(address)}</strong>
          <span className="connection-address">{address}</span>
        </Fact>
      ))}
      <Fact title="Credential">{credentialWords(credential)}</Fact>
      {credential.scope !== undefined && <Fact title="Scope">{credential.scope}</Fact>}
      <Fact title="Tools">{entry.allowed === undefined ? 'All' : <Names names={entry.allowed} />}</Fact>
      <Fact title="Used by">
        {entry.playbooks === undefined ? 'Every playbook' : <Names names={entry.playbooks} />}
      </Fact>
      <Fact title="Content of calls">
        {entry.record_content === false ? 'Not recorded' : 'Recorded in the history'}
      </Fact>
      <Sent label="Headers" pairs={entry.headers} />
      <Sent label="Query parameters" pairs={entry.query_params} />
      {entry.request_id !== undefined && <Fact title="Request ID">{entry.request_id}</Fact>}
    </dl>
  );
}

function Sent({ label, pairs = {} }: { label: string; pairs: Readonly<Record<string, string>> | undefined }) {
  const names = Object.entries(pairs).map(([name, value]) => `${name}: ${value}`);
  return names.length === 0 ? null : (
    <Fact title={label}>
      <Names names={names} />
    </Fact>
  );
}

export function Names({ names }: { names: readonly string[] }) {
  return (
    <span className="connection-names">
      {names.map((name) => (
        <code key={name}>{name === '*' ? 'all' : name}</code>
      ))}
    </span>
  );
}

const STATUSES: Readonly<Record<Connection['status'], { icon: LucideIcon; colour: string; word: string }>> = {
  pending: { icon: CircleDashed, colour: 'var(--cue-warn)', word: 'Waiting for approval' },
  connected: { icon: CircleCheck, colour: 'var(--cue-good)', word: 'Connected' },
  broken: { icon: CircleX, colour: 'var(--cue-bad)', word: 'Broken' },
  removed: { icon: Trash2, colour: 'var(--cue-quiet)', word: 'Removed' },
};

export function ConnectionStatus({ status }: { status: Connection['status'] }) {
  const { icon: Icon, colour, word } = STATUSES[status];
  return (
    <span className="connection-status">
      <Icon size={16} aria-hidden style={{ color: colour }} />
      {word}
    </span>
  );
}
