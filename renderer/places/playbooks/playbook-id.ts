/** An ID made of a name: "Night Desk" gives "night-desk". It is too short, or empty, if the name has too few letters. */
export function playbookIdOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 48);
}
