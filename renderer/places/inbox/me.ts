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
