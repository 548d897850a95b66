// The command line of the installed app. Agents run the app's executable with ELECTRON_RUN_AS_NODE=1 and this file, for
// example with the argument `mcp`. It is outside the app's archive, so that callers need no paths inside the archive.
await import(new URL('../../app.asar/dist/server/server.main.js', import.meta.url).href);
