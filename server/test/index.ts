export { CANARY_KEY, CANARY_PROMPT, CANARY_TEMPLATE, filesIn, refuseCanaries } from './canaries.ts';
export { type Certificates, makeCertificates } from './certificates.ts';
export { type Answer, createTestClient, type TestClient } from './client.ts';
export { confirmDevice, followRedirects } from './browse.ts';
export { type LoopbackServer, selfSigned, serveLoopback, serveProxy } from './loopback.ts';
export { startServer, type TestServer } from './start-server.ts';
export { SERVER_PROGRAM, type ServerProcess, startServerProcess } from './server-process.ts';
export { storedRows } from './stored-rows.ts';
export { temporaryFolder } from './temporary-folder.ts';
