import {
  BroadcastRecipient,
  ContactId,
  ExclusionReason,
  RecipientStatus,
  TransferFormat,
  VariantKey
} from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { output, writeBytes } from "../console/bytes.ts"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { listFlags, narrowed, one, TrueOrFalse } from "../console/listing.ts"
import { printList, type View } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast } from "./broadcast.ts"

const view: View<BroadcastRecipient> = {
  schema: BroadcastRecipient,
  none: "There is no recipient that fits.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "CONTACT", of: ({ contactId, name }) => name ?? contactId },
    { heading: "ADDRESS", of: ({ address }) => address ?? "-" },
    { heading: "VARIANT", of: ({ variant }) => variant ?? "" },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "REASON", of: ({ error, reason }) => reason ?? error?.reason ?? "" },
    { heading: "SENT", of: ({ sentAt }) => (sentAt === null ? "" : DateTime.formatIso(sentAt)) },
    { heading: "REPLIED", of: ({ repliedAt }) => (repliedAt === null ? "" : DateTime.formatIso(repliedAt)) }
  ]
}

/** Lists whom a broadcast goes to. */
export const recipientsCommand = Command.make(
  "recipients",
  {
    org: Flags.org,
    broadcast,
    status: Flag.Literals("status", RecipientStatus.literals).pipe(
      Flag.withDescription("Only those in this status"),
      Flag.optional
    ),
    export: Flag.Literals("export", TransferFormat.literals).pipe(
      Flag.withDescription("Write all of them as csv or ndjson, however many they are, instead of a list"),
      Flag.optional
    ),
    output,
    ...listFlags({
      status: one(RecipientStatus),
      reason: one(ExclusionReason),
      variant: one(VariantKey),
      replied: one(TrueOrFalse),
      contactId: one(ContactId)
    })
  },
  Effect.fn(function* ({ broadcast, export: format, filter, json, limit, org, output, quiet, status }) {
    if (Option.isSome(output) && Option.isNone(format)) {
      return yield* new WrongUsage({ message: "Say how to write the file: --export csv, or --export ndjson." })
    }
    const asked = yield* narrowed(filter, { ...(Option.isSome(status) && { status: status.value }) })
    const params = { id: broadcast }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts }) {
        if (Option.isSome(format)) {
          const query = { ...asked, format: format.value }
          return yield* writeBytes(yield* broadcasts.exportRecipients({ params, query }), output)
        }
        const { isCut, rows } = yield* collect(limit, (page) =>
          broadcasts.recipients({ params, query: { ...asked, ...queryOf(page) } })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List whom a broadcast goes to, and what came of each"),
  Command.withExamples([
    { command: "parley broadcasts recipients --org acme 0197... --status in_doubt" },
    { command: "parley broadcasts recipients 0197... --filter status=excluded --filter reason=not_subscribed" },
    { command: "parley broadcasts recipients --org acme 0197... --status failed --export csv --output failed.csv" }
  ])
)
