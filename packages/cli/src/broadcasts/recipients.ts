import { BroadcastRecipient, ContactId, ExclusionReason, RecipientStatus, VariantKey } from "@parley/domain"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
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
    { heading: "ADDRESS", of: ({ address }) => address ?? "" },
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
    ...listFlags({
      status: one(RecipientStatus),
      reason: one(ExclusionReason),
      variant: one(VariantKey),
      replied: one(TrueOrFalse),
      contactId: one(ContactId)
    })
  },
  Effect.fn(function* ({ broadcast, filter, json, limit, org, quiet, status }) {
    const asked = yield* narrowed(filter, { ...(Option.isSome(status) && { status: status.value }) })
    const params = { id: broadcast }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts }) {
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
    { command: "parley broadcasts recipients 0197... --filter status=excluded --filter reason=not_subscribed" }
  ])
)
