// The parties whose requests a person sees and answers.
import { useLocalStorage } from '@mantine/hooks';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The parties that the person at this browser answers for. */
export function useMe(): [me: readonly string[], choose: (parties: string[]) => void] {
  const [me, choose] = useLocalStorage<string[]>({
    key: 'cuebook me',
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize(text) {
      try {
        const kept: unknown = JSON.parse(text ?? '[]');
        return isTexts(kept) ? kept : [];
      } catch {
        return [];
      }
    },
  });
  return [me, choose];
}

export type InboxParty = 'me' | 'all';

/** The parties whose requests are shown; an empty list means everyone. The default is my parties, if I chose any. */
export function partiesOf(party: InboxParty | undefined, me: readonly string[]): readonly string[] {
  return party === 'all' ? [] : me;
}

export function isFor(parties: readonly string[], to: unknown): boolean {
  return parties.length === 0 || (typeof to === 'string' && parties.includes(to));
}

/** On whose behalf an answer is given: the addressed party if it is mine, otherwise my first party. */
export function answersFor(me: readonly string[], to: string): string | undefined {
  return me.includes(to) ? to : me[0];
}
