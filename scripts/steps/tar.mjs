// @ts-check
import { gzipSync } from "node:zlib";

/** @typedef {{ name: string, content: Buffer, executable?: boolean }} TarEntry */

const BLOCK = 512;

/**
 * A gzipped tar archive (POSIX ustar). It holds no time and no owner, so the same entries are always the same bytes; the
 * programs named `tar` each have options of their own for that.
 * @param {readonly TarEntry[]} entries
 */
export function makeArchive(entries) {
  const blocks = entries.flatMap((entry) => [headerOf(entry), entry.content, padding(entry.content.length)]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

/** @param {TarEntry} entry */
function headerOf({ name, content, executable = false }) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar archive`);
  const header = Buffer.alloc(BLOCK);
  const number = (/** @type {number} */ value, /** @type {number} */ digits) => value.toString(8).padStart(digits, "0");
  header.write(name, 0);
  header.write(number(executable ? 0o755 : 0o644, 7), 100);
  header.write(number(0, 7), 108); // owner
  header.write(number(0, 7), 116); // group
  header.write(number(content.length, 11), 124);
  header.write(number(0, 11), 136); // time
  header.write(" ".repeat(8), 148); // the checksum counts as spaces
  header.write("0", 156); // a file
  header.write("ustar\0" + "00", 257);
  header.write(
    `${number(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  );
  return header;
}

/** @param {number} length */
const padding = (length) => Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);
