import type { HeldWork } from "@parley/service/backup"
import { Console, DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { printJson, table } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { sharedSettings } from "../../parley.ts"
import { onOwnDatabase, requireOwnDatabase, service } from "./database.ts"

const names: Readonly<Record<keyof HeldWork, string>> = {
  messages: "messages of conversations",
  broadcastRecipients: "recipients of broadcasts",
  unlistedBroadcasts: "broadcasts without all recipients",
  webhookDeliveries: "webhook deliveries",
  automationRuns: "runs of automations",
  workflowRuns: "runs of workflows",
  pluginCalls: "calls of plugins",
  emails: "emails",
  jobs: "jobs"
}

const rowsOf = (work: HeldWork) => [
  { name: names.messages, count: work.messages },
  { name: names.broadcastRecipients, count: work.broadcastRecipients },
  { name: names.unlistedBroadcasts, count: work.unlistedBroadcasts },
  { name: names.webhookDeliveries, count: work.webhookDeliveries },
  { name: names.automationRuns, count: work.automationRuns },
  { name: names.workflowRuns, count: work.workflowRuns },
  { name: names.pluginCalls, count: work.pluginCalls },
  { name: names.emails, count: work.emails },
  { name: names.jobs, count: work.jobs }
]

const printWork = (work: HeldWork) =>
  Console.log(
    table(rowsOf(work), [
      { heading: "WAITING", of: ({ name }) => name },
      { heading: "NUMBER", of: ({ count }) => String(count), align: "right" }
    ])
  )

const show = Command.make(
  "show",
  { json: Flags.json },
  Effect.fn(function* ({ json }) {
    const settings = yield* Effect.flatMap(sharedSettings, requireOwnDatabase)
    const { countHeldWork, readHold, requireSchema } = yield* service
    const { hold, work } = yield* onOwnDatabase(
      settings,
      { creates: false },
      Effect.andThen(requireSchema, Effect.all({ hold: readHold, work: countHeldWork }))
    )
    const shown =
      hold === null
        ? null
        : { since: DateTime.formatIso(hold.since), file: hold.file, snapshotAt: DateTime.formatIso(hold.snapshotAt) }
    if (json) return yield* printJson({ hold: shown, work })
    yield* shown === null
      ? Console.log("The installation is not on hold.")
      : Console.log(`On hold since ${shown.since}, restored from ${shown.file} with the state of ${shown.snapshotAt}.`)
    yield* printWork(work)
  })
).pipe(Command.withDescription("Show the hold of a restored installation, and the work that waits"))

const release = Command.make(
  "release",
  { yes: Flags.yes, json: Flags.json },
  Effect.fn(function* ({ json, yes }) {
    const settings = yield* Effect.flatMap(sharedSettings, requireOwnDatabase)
    const { countHeldWork, readHold, releaseHold, requireSchema } = yield* service
    yield* onOwnDatabase(
      settings,
      { creates: false },
      Effect.gen(function* () {
        yield* requireSchema
        if ((yield* readHold) === null) return yield* new Refused({ message: "The installation is not on hold." })
        const work = yield* countHeldWork
        if (!json) yield* printWork(work)
        yield* confirm("Start the background work? Providers and receivers then get all of this.", yes)
        yield* releaseHold
        yield* json ? printJson({ released: true, work }) : Console.log("Released. Processes start within 5 seconds.")
      })
    )
  })
).pipe(Command.withDescription("Start the background work of a restored installation"))

export const hold = Command.make("hold").pipe(Command.withSubcommands([show, release]))
