import { SegmentId, TransferFormat, TagRef } from "@parley/domain"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { output, writeBytes } from "../console/bytes.ts"
import * as Flags from "../console/flags.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"

/** Exports contacts, to a file or the standard output. */
export const exportCommand = Command.make(
  "export",
  {
    org: Flags.org,
    format: Flag.Literals("format", TransferFormat.literals).pipe(
      Flag.withDescription("How to write them: csv or ndjson (csv)"),
      Flag.withDefault("csv")
    ),
    output,
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
        yield* writeBytes(bytes, output)
      })
    )
  })
).pipe(
  Command.withDescription("Export contacts"),
  Command.withExamples([{ command: "parley contacts export --org acme --output contacts.csv" }])
)
