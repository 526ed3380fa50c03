import { Effect, FileSystem, Stream } from "effect"

const maximumBytes = 65_536

const reasons: Readonly<Record<string, string>> = {
  NotFound: "the file does not exist",
  PermissionDenied: "this user cannot read the file"
}

const utf8 = (bytes: Uint8Array) =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    catch: () => "the file is not UTF-8 text"
  })

/** Reads a secret and removes one trailing newline. The error is the issue, without the content. A device or a pipe is also possible. */
export const readSecretFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const chunks = yield* Stream.runCollect(fs.stream(file, { bytesToRead: maximumBytes + 1 })).pipe(
    Effect.mapError(({ reason }) => reasons[reason._tag] ?? "the file cannot be read")
  )
  const bytes = Buffer.concat(chunks)
  if (bytes.length > maximumBytes) return yield* Effect.fail("the file is larger than 64 kB")
  const text = (yield* utf8(bytes)).replace(/\r?\n$/u, "")
  return text === "" ? yield* Effect.fail("the file is empty") : text
})
