import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What is read thousands of times is compressed once, as well as it goes. */
export function compressed(bytes) {
  return {
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    gz: gzipSync(bytes, { level: 9 }),
  };
}
