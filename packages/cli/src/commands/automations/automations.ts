import { AutomationSettings, AutomationSort, AutomationStatus, TriggerEvent } from "@parley/domain/automation"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { one } from "../../console/listing.ts"
import { printCard, printOne, type View } from "../../console/print.ts"
import { inTenant, sortedListOf } from "../../tenant/inTenant.ts"
import { automation, listView, view } from "./automation.ts"
import {
  createCommand,
  deleteCommand,
  disableCommand,
  enableCommand,
  reorderCommand,
  updateCommand
} from "./editing.ts"
import { cancelRunsCommand, rerunRunsCommand } from "./bulkRuns.ts"
import { cancelRunCommand, runsCommand, testCommand } from "./runs.ts"
import { triggerUrlCommand } from "./triggerUrls.ts"

const listOptions = {
  filters: { q: one(Schema.NonEmptyString), status: one(AutomationStatus), event: one(TriggerEvent) },
  sorts: AutomationSort.literals
}

const listCommand = sortedListOf(listView, listOptions, ({ automations }, query) => automations.list({ query })).pipe(
  Command.withDescription("List the automations, newest first by default"),
  Command.withExamples([{ command: "parley automations list --filter event=order.paid --sort position" }])
)

const showCommand = Command.make(
  "show",
  { org: Flags.org, automation, json: Flags.json },
  Effect.fn(function* ({ automation, json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.get({ params: { id: automation } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(Command.withDescription("Show an automation, with the deleted resources that it uses"))

const settingsView: Pick<View<AutomationSettings>, "columns" | "schema"> = {
  schema: AutomationSettings,
  columns: [
    { heading: "PAUSED", of: ({ paused }) => (paused ? "yes" : "no") },
    { heading: "VERSION", of: ({ version }) => String(version) }
  ]
}

const flags = { org: Flags.org, json: Flags.json }

const settingsCommand = Command.make(
  "settings",
  flags,
  Effect.fn(function* ({ json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.settings(), (settings) => printCard(settingsView, json, settings))
    )
  })
).pipe(Command.withDescription("Show whether automations and workflows are paused"))

const pauseCommand = Command.make(
  "pause",
  flags,
  Effect.fn(function* ({ json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.updateSettings({ headers: {}, payload: { paused: true } }), (settings) =>
        printCard(settingsView, json, settings)
      )
    )
  })
).pipe(Command.withDescription("Pause all automations and workflows. Within a second, no action starts"))

const resumeCommand = Command.make(
  "resume",
  flags,
  Effect.fn(function* ({ json, org }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.updateSettings({ headers: {}, payload: { paused: false } }), (settings) =>
        printCard(settingsView, json, settings)
      )
    )
  })
).pipe(Command.withDescription("Resume automations and workflows"))

export const automations = Command.make("automations").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    updateCommand,
    enableCommand,
    disableCommand,
    reorderCommand,
    deleteCommand,
    testCommand,
    runsCommand,
    cancelRunCommand,
    cancelRunsCommand,
    rerunRunsCommand,
    triggerUrlCommand,
    settingsCommand,
    pauseCommand,
    resumeCommand
  ])
)
