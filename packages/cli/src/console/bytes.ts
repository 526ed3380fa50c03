import { Console, Effect, FileSystem, Option, PlatformError, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"
import { type Failure, Refused } from "./Failure.ts"

/** Where an export goes. */
export const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.withMetavar("file"),
  Flag.withDescription("The file to write; the standard output without it"),
  Flag.optional
)

const toFile = Effect.fnUntraced(function* (path: string, bytes: Stream.Stream<Uint8Array, Failure>) {
  const fs = yield* FileSystem.FileSystem
  // What broke off must not look like a whole export.
  const unfinished = `${path}.part`
  yield* Stream.run(bytes, fs.sink(unfinished)).pipe(
    Effect.andThen(fs.rename(unfinished, path)),
    Effect.onError(() => Effect.ignore(fs.remove(unfinished))),
    Effect.mapError((failure) =>
      PlatformError.isPlatformError(failure)
        ? new Refused({ message: `The file ${path} cannot be written: ${failure.reason._tag}.` })
        : failure
    )
  )
  yield* Console.error(`Exported to ${path}.`)
})

const toOutput = Effect.fnUntraced(function* (bytes: Stream.Stream<Uint8Array, Failure>) {
  const stdio = yield* Stdio.Stdio
  yield* Stream.run(bytes, stdio.stdout({ endOnDone: false })).pipe(
    Effect.mapError((failure) =>
      PlatformError.isPlatformError(failure)
        ? new Refused({ message: "The output was closed before the export was complete." })
        : failure
    )
  )
})

/** Writes an export to a file, whole or not at all, or to the standard output. */
export const writeBytes = (bytes: Stream.Stream<Uint8Array, Failure>, output: Option.Option<string>) =>
  Option.isNone(output) ? toOutput(bytes) : toFile(output.value, bytes)
