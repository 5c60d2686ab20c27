// Loaded into every Node of the sitting: whoever connects to another machine fails.
const { Socket, isIP } = require('node:net');

const LOOPBACK = /^(?:localhost|127\.|::1$|::ffff:127\.)/;
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof options === 'object' && options !== null ? (options.host ?? '') : String(args[1] ?? '');
  const isElsewhere = host !== '' && !LOOPBACK.test(host);
  if (isElsewhere) throw new Error(`The sitting has no network: ${isIP(host) === 0 ? 'a name' : host}`);
  return connect.apply(this, args);
};
