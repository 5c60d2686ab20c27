/** What a server sends when it was notified of something, by the letter that its message begins with. */
export const NOTIFICATION = letter('A');
/** The server awaits the next query; behind it comes whether a transaction is open. */
export const READY = letter('Z');
/** The client goes. */
export const TERMINATE = letter('X');
/** No transaction is open. */
export const IDLE = letter('I');

/** A letter and the length of what follows, itself included. */
const HEAD_BYTES = 5;

function letter(text: string): number {
  return text.charCodeAt(0);
}

/**
 * Takes the pieces of a stream of PostgreSQL's protocol, after its first packet, and calls back with each whole message, head
 * included. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function framed(onMessage: (message: Buffer, type: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEAD_BYTES) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(message, message[0] ?? 0);
    }
  };
}
