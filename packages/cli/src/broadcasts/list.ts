import { BroadcastStatus, ChatAccountId, Timestamp } from "@parley/domain"
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { listFlags, narrowed, one } from "../console/listing.ts"
import { printList } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { listView } from "./broadcast.ts"

/** Lists broadcasts. */
export const listCommand = Command.make(
  "list",
  {
    org: Flags.org,
    status: Flag.Literals("status", BroadcastStatus.literals).pipe(
      Flag.withDescription("Only those in this status"),
      Flag.optional
    ),
    ...listFlags({
      status: one(BroadcastStatus),
      chatAccountId: one(ChatAccountId),
      q: one(Schema.NonEmptyString),
      createdFrom: one(Timestamp),
      createdTo: one(Timestamp)
    })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet, status }) {
    const asked = yield* narrowed(filter, { ...(Option.isSome(status) && { status: status.value }) })
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          broadcasts.list({ query: { ...asked, ...queryOf(page) } })
        )
        yield* printList(listView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the broadcasts, newest first"),
  Command.withAlias("ls"),
  Command.withExamples([
    { command: "parley broadcasts list --org acme --status sending" },
    { command: "parley broadcasts list --filter q=spring --filter createdFrom=2026-11-01T00:00:00Z" }
  ])
)
