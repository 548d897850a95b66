// Programs inside a package that its license file does not name: what is compiled into WebAssembly modules and native libraries.
// licenses.e2e.ts fails where a package with such a part ships that was not read for this list.
import { BSD_2_CLAUSE, ICU, LUCENT, MIT } from './texts.ts';

/** What Emscripten adds to each module: its own functions, and musl as the C library. */
const OF_EMSCRIPTEN = [
  `It contains parts of Emscripten (MIT):\n\nCopyright (c) 2010-2014 Emscripten authors, see AUTHORS file.\n\n${MIT}`,
  `It contains parts of musl (MIT):\n\nCopyright (c) 2005-2020 Rich Felker, et al.\n\n${MIT}`,
];

/** The notices of programs inside a package. */
export function noticesInside(name: string, version: string): string[] {
  switch (name) {
    // jq also has a strptime of NetBSD, for systems without one; musl has it, so the module does not contain it.
    case 'jq-wasm':
      return [
        `It contains jq (MIT):\n\nCopyright (C) 2012 Stephen Dolan\n\n${MIT}`,
        `It contains Oniguruma (BSD-2-Clause):\n\nCopyright (c) 2002-2021 K.Kosako\n\n${BSD_2_CLAUSE}`,
        `It contains decNumber (ICU):\n\nCopyright (c) 1995-2005 International Business Machines Corporation and others\n\n${ICU}`,
        `It contains dtoa.c and g_fmt.c by David M. Gay:\n\nCopyright (c) 1991, 1996, 2000, 2001 by Lucent Technologies.\n\n${LUCENT}`,
        ...OF_EMSCRIPTEN,
      ];
    // Its license file names QuickJS.
    case '@jitl/quickjs-wasmfile-release-sync':
      return OF_EMSCRIPTEN;
    case 'onnxruntime-node':
      return [
        `It contains ONNX Runtime (MIT):\n\nCopyright (c) Microsoft Corporation\n\n${MIT}`,
        `The notices of the programs inside ONNX Runtime:\nhttps://github.com/microsoft/onnxruntime/blob/v${version}/ThirdPartyNotices.txt`,
      ];
    default:
      return [];
  }
}
