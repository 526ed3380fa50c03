import { SegmentId, TransferFormat, TagRef } from "@parley/domain"
import { Console, Effect, FileSystem, Option, PlatformError, Stdio, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { type Failure, Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"

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

/** Exports contacts, to a file or the standard output. */
export const exportCommand = Command.make(
  "export",
  {
    org: Flags.org,
    format: Flag.Literals("format", TransferFormat.literals).pipe(
      Flag.withDescription("How to write them: csv or ndjson (csv)"),
      Flag.withDefault("csv")
    ),
    output: Flag.String("output").pipe(
      Flag.withAlias("o"),
      Flag.withMetavar("file"),
      Flag.withDescription("The file to write; the standard output without it"),
      Flag.optional
    ),
    tag: typedFlag("tag", TagRef).pipe(
      Flag.withMetavar("tag"),
      Flag.withDescription("Only contacts with this tag: its name or id"),
      Flag.optional
    ),
    segment: typedFlag("segment", SegmentId).pipe(
      Flag.withMetavar("id"),
      Flag.withDescription("Only contacts in this segment"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ format, org, output, segment, tag }) {
    const query = {
      format,
      ...(Option.isSome(tag) && { tag: [tag.value] }),
      ...(Option.isSome(segment) && { segment: segment.value })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ contactTransfer }) {
        const bytes = yield* contactTransfer.export({ query })
        if (Option.isNone(output)) yield* toOutput(bytes)
        else yield* toFile(output.value, bytes)
      })
    )
  })
).pipe(
  Command.withDescription("Export contacts"),
  Command.withExamples([{ command: "parley contacts export --org acme --output contacts.csv" }])
)
