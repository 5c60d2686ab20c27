// Loaded into the service before it starts (`--import`): a run kills the process, as one that takes all its memory would.
// DEADLY=turn: where an expression trims the text "deadly". DEADLY=load: where a run's log that holds it is parsed.
const { parse } = JSON;
const { trim } = String.prototype;

const die = () => process.kill(process.pid, 'SIGKILL');

if (process.env.DEADLY === 'turn') {
  const value = function () {
    if (String(this) === 'deadly ') die();
    return trim.call(this);
  };
  Reflect.set(String.prototype, 'trim', value);
}
if (process.env.DEADLY === 'load') {
  JSON.parse = (text, ...others) => {
    if (typeof text === 'string' && text.includes('"deadly load"') && text.length > 1_000_000) die();
    return parse(text, ...others);
  };
}
