import { Effect, FileSystem, type PlatformError, Stream } from "effect"

const maximumBytes = 65_536

const reasons: Readonly<Record<string, string>> = {
  NotFound: "the file does not exist",
  PermissionDenied: "this user cannot read the file"
}

const reasonOf = ({ reason }: PlatformError.PlatformError) => reasons[reason._tag] ?? "the file cannot be read"

const utf8 = (bytes: Uint8Array) =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    catch: () => "the file is not UTF-8 text"
  })

/** Reads a secret and removes one trailing newline. The error is the issue, without the content. */
export const readSecretFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { type } = yield* Effect.mapError(fs.stat(file), reasonOf)
  // A pipe has its content only once, and each process reads its settings.
  if (type !== "File") return yield* Effect.fail("this is not a regular file, but for example a folder or a pipe")
  const chunks = yield* Stream.runCollect(fs.stream(file, { bytesToRead: maximumBytes + 1 })).pipe(
    Effect.mapError(reasonOf)
  )
  const bytes = Buffer.concat(chunks)
  if (bytes.length > maximumBytes) return yield* Effect.fail("the file is larger than 64 kB")
  const text = (yield* utf8(bytes)).replace(/\r?\n$/u, "")
  return text === "" ? yield* Effect.fail("the file is empty") : text
})
