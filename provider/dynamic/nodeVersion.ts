/** The first Node that undici and the Pulumi SDK work on. Older ones fail inside them in ways that do not say so. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(
    `pulumi-event-datasets needs Node.js 22.19 or newer; this is ${process.version} (${process.execPath})`,
  );
}
