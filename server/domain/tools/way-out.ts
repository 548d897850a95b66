import type { AllowAddress, HttpSender } from '../../lib/http-client/index.ts';

/** How requests go out that lead where callers and documents say. */
export interface WayOut {
  /**
   * @param from the document that leads there, where one does
   * @throws ServerFault `connection_not_allowed` where no request may go there
   */
  check: (url: URL, from?: URL) => Promise<void>;
  /**
   * What requests are sent with; it answers a failure where `check` refuses.
   * @param from the document that leads there, where one does
   */
  senderFor: (from?: URL) => HttpSender;
  /** The addresses that the host of a URL may stand for. */
  allowAddress: (url: URL) => AllowAddress;
}
