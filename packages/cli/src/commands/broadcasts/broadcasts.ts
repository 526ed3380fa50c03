import { Timestamp } from "@parley/domain/kernel"
import { ChatAccountId } from "@parley/domain/messaging"
import { BroadcastStatus } from "@parley/domain/campaigns"
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, listFlags, narrowed, one, queryOf } from "../../console/listing.ts"
import { printList, printOne } from "../../console/print.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { broadcast, listView, view } from "./broadcast.ts"
import { createCommand, duplicateCommand, updateCommand } from "./drafts.ts"
import {
  cancelCommand,
  pauseCommand,
  resumeCommand,
  scheduleCommand,
  sendCommand,
  unscheduleCommand
} from "./lifecycle.ts"
import { previewCommand, simulateCommand, testCommand } from "./preview.ts"
import { recipientsCommand, retryCommand } from "./recipients.ts"
import { reportCommand, watchCommand } from "./report.ts"

const listCommand = Command.make(
  "list",
  {
    org: Flags.org,
    status: Flag.Literals("status", BroadcastStatus.literals).pipe(
      Flag.withDescription("Only rows in this status"),
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

const showCommand = Command.make(
  "show",
  { org: Flags.org, broadcast, json: Flags.json },
  Effect.fn(function* ({ broadcast, json, org }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.get({ params: { id: broadcast } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a broadcast and its progress"))

export const broadcasts = Command.make("broadcasts").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    updateCommand,
    previewCommand,
    simulateCommand,
    testCommand,
    scheduleCommand,
    unscheduleCommand,
    sendCommand,
    pauseCommand,
    resumeCommand,
    cancelCommand,
    watchCommand,
    reportCommand,
    recipientsCommand,
    duplicateCommand,
    retryCommand
  ])
)
