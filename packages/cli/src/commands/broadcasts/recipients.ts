import { ContactId, TransferFormat } from "@parley/domain/crm"
import {
  BroadcastRecipient,
  ExclusionReason,
  NewBroadcast,
  RecipientStatus,
  RetriedCode,
  RetriedStatus,
  VariantKey
} from "@parley/domain/campaigns"
import { WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, listFlags, narrowed, one, queryOf, TrueOrFalse } from "../../console/listing.ts"
import { output, printList, printOne, type View, writeBytes } from "../../console/print.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

const recipientsView: View<BroadcastRecipient> = {
  schema: BroadcastRecipient,
  none: "No matching recipient was found.",
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

export const recipientsCommand = Command.make(
  "recipients",
  {
    org: Flags.org,
    broadcast,
    status: Flag.Literals("status", RecipientStatus.literals).pipe(
      Flag.withDescription("Only rows in this status"),
      Flag.optional
    ),
    export: Flag.Literals("export", TransferFormat.literals).pipe(
      Flag.withDescription("Write all recipients as csv or ndjson, without a limit"),
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
      return yield* new WrongUsage({ message: "Specify the format of the file: --export csv or --export ndjson." })
    }
    const asked = yield* narrowed(filter, { ...(Option.isSome(status) && { status: status.value }) })
    const params = { id: broadcast }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts }) {
        if (Option.isSome(format)) {
          const query = { ...asked, format: format.value }
          return yield* writeBytes(broadcasts.exportRecipients({ params, query }), output)
        }
        const { isCut, rows } = yield* collect(limit, (page) =>
          broadcasts.recipients({ params, query: { ...asked, ...queryOf(page) } })
        )
        yield* printList(recipientsView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the recipients of a broadcast with their results"),
  Command.withExamples([
    { command: "parley broadcasts recipients --org acme 0197... --status in_doubt" },
    { command: "parley broadcasts recipients 0197... --filter status=excluded --filter reason=not_subscribed" },
    { command: "parley broadcasts recipients --org acme 0197... --status failed --export csv --output failed.csv" }
  ])
)

export const retryCommand = Command.make(
  "retry",
  {
    org: Flags.org,
    broadcast,
    statuses: Flag.Literals("status", RetriedStatus.literals).pipe(
      Flag.withDescription("Results to retry; repeatable"),
      Flag.atLeast(1)
    ),
    codes: typedFlag("code", RetriedCode).pipe(
      Flag.withMetavar("code"),
      Flag.withDescription("Only failures with this error code of the report; repeatable"),
      Flag.atLeast(0)
    ),
    allowDuplicate: Flag.Boolean("allow-duplicate").pipe(
      Flag.withDescription("Accept that a recipient in doubt can get the message twice"),
      Flag.withDefault(false)
    ),
    name: typedFlag("name", NewBroadcast.fields.name).pipe(
      Flag.withDescription("Name of the draft (the same)"),
      Flag.optional
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ allowDuplicate, broadcast, codes, json, name, org, quiet, statuses }) {
    const payload = {
      statuses: [...new Set(statuses)],
      ...(codes.length > 0 && { codes }),
      ...(allowDuplicate && { allowDuplicate }),
      ...(Option.isSome(name) && { name: name.value })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const draft = yield* tenant.broadcasts.retry({ params: { id: broadcast }, payload })
        yield* printOne(view, { json, quiet }, draft)
        if (json || quiet) return
        yield* Console.error(`Preview the audience: parley broadcasts preview ${draft.id} --org ${tenant.name}`)
      })
    )
  })
).pipe(
  Command.withDescription("Create a draft for the failed, unsent or in-doubt recipients of another broadcast"),
  Command.withExamples([
    { command: "parley broadcasts retry --org acme 0197... --status failed --status never_sent" },
    { command: "parley broadcasts retry 0197... --status failed --code recipient_busy" }
  ])
)
