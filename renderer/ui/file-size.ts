const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'];

/** A size in bytes for people: "812 bytes", "1.4 MiB". */
export function fileSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const shown = bytes / 1024 ** power;
  return `${shown.toLocaleString(undefined, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${UNITS[power]}`;
}
