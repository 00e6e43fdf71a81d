/**
 * A failure that ends the program with its message. The SDK's source maps put frames such as
 * `…/node_modules/@pulumi/output.ts` on the stack of what fails within an `apply`. `util.inspect` of Node.js 20.20 and 22.23,
 * with which the SDK prints a failure, looks for the package's end there and never stops: the update would hang.
 */
export function printable(failure: Error): Error {
  const endless = /[\\/]node_modules[\\/]@[^\\/]+[\\/][^\\/]+$/;
  failure.stack =
    failure.stack
      ?.split("\n")
      .filter((line) => !endless.test(line))
      .join("\n") ?? failure.message;
  return failure;
}
