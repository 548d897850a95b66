// Texts that enter and leave the memory of QuickJS, copied by the runtime's own encoder and decoder. Those that
// Emscripten brings go character by character, which costs as much as reading the text inside.
//
// A lone surrogate has no UTF-8 form. On its way in it is kept as three bytes by Emscripten's functions; on its way out it
// becomes U+FFFD, as any bytes that are not UTF-8.
import type { QuickJSSyncVariant } from 'quickjs-emscripten-core';

type LoadModule = (options?: object) => Promise<TextFunctions>;

/** The functions of the Emscripten module that copy texts; addresses are byte offsets in its memory. */
interface TextFunctions {
  /** Bytes that are enough for the text. */
  lengthBytesUTF8(text: string): number;
  /** Writes a text and a NUL, at most `most` bytes. */
  stringToUTF8(text: string, address: number, most: number): void;
  /** The text from an address up to a NUL. */
  UTF8ToString(address: number): string;
}

/** Of a UTF-16 unit, a lone surrogate included. */
const MOST_BYTES_A_UNIT = 3;

/** The variant with other text functions. @param memory the memory that its module uses */
export function withNativeText(variant: QuickJSSyncVariant, memory: WebAssembly.Memory): QuickJSSyncVariant {
  return {
    ...variant,
    importModuleLoader: async () => {
      const load = (await variant.importModuleLoader()) as unknown as LoadModule;
      const loadWithNativeText: LoadModule = async (options) => {
        const module = await load(options);
        return Object.assign(module, nativeText(memory, { ...module }));
      };
      return loadWithNativeText as unknown as Awaited<ReturnType<QuickJSSyncVariant['importModuleLoader']>>;
    },
  };
}

function nativeText(memory: WebAssembly.Memory, original: Pick<TextFunctions, 'stringToUTF8'>): TextFunctions {
  let bytes = Buffer.from(memory.buffer);
  /** The memory has another buffer once it has grown. */
  function current(): Buffer {
    if (bytes.buffer !== memory.buffer) bytes = Buffer.from(memory.buffer);
    return bytes;
  }

  return {
    lengthBytesUTF8: (text) => (text.isWellFormed() ? Buffer.byteLength(text) : MOST_BYTES_A_UNIT * text.length),
    stringToUTF8(text, address, most) {
      if (!text.isWellFormed()) return original.stringToUTF8(text, address, most);
      const written = current().write(text, address, most - 1);
      bytes[address + written] = 0;
    },
    UTF8ToString(address) {
      const all = current();
      return all.toString('utf8', address, all.indexOf(0, address));
    },
  };
}
