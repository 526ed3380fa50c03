import {
  AutomationId,
  AutomationRuns,
  type AutomationRunState,
  anyAutomationRun,
  ContactId,
  ContactWorkflowRuns,
  CurrentActor,
  CurrentOrganization,
  WorkflowId,
  type WorkflowRunState,
  WorkflowRuns
} from "@parley/domain"
import * as Postgres from "@parley/postgres-adapter"
import { layerIds } from "@parley/provider-adapters/security"
import { givenOrganization } from "@parley/testkit"
import { Clock, Console, DateTime, Effect, Layer, Random } from "effect"
import { Command, Flag } from "effect/cli"
import * as BenchDatabase from "../database/BenchDatabase.ts"
import { layerSeeding } from "../database/layerSeeding.ts"
import { quantile } from "../load/quantile.ts"
import { databaseServer } from "../Options.ts"
import { automationAt, contactAt, seedRuns, workflowAt } from "./seedRuns.ts"

/** Number of rows of a page, with the one that shows whether more follow. */
const limit = 51

/** Upper limit of the p99 of each list, in milliseconds. */
const bar = 20

const [large, small] = [0, 3]

const timed = Effect.fnUntraced(function* <E, R>(
  name: string,
  times: number,
  read: Effect.Effect<ReadonlyArray<unknown>, E, R>
) {
  const took = new Float64Array(times)
  let rows = 0
  for (let round = 0; round < times; round++) {
    const begin = yield* Clock.currentTimeNanos
    rows += (yield* read).length
    took[round] = Number((yield* Clock.currentTimeNanos) - begin) / 1e6
  }
  const sorted = took.toSorted()
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  yield* Console.log(
    `${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${(rows / times).toFixed(1)} rows a page${p99 > bar ? " (above the bar)" : ""}`
  )
})

const measure = Effect.fnUntraced(function* (runs: number, times: number) {
  const automationRuns = yield* AutomationRuns
  const workflowRuns = yield* WorkflowRuns
  const contactRuns = yield* ContactWorkflowRuns
  const ofContact = Effect.map(Random.nextIntBetween(0, 200_000), (place) => ContactId.make(contactAt(place)))
  const aPosition = Random.nextIntBetween(1, runs)
  const slice = { limit, after: null }
  for (const [size, place] of [
    ["large", large],
    ["small", small]
  ] as const) {
    const automationId = AutomationId.make(automationAt(place))
    const workflowId = WorkflowId.make(workflowAt(place))
    const list = (name: string, filter: Effect.Effect<Partial<typeof anyAutomationRun>>) =>
      timed(
        `${size} automation, ${name}`,
        times,
        Effect.flatMap(filter, (some) => automationRuns.list(automationId, { ...anyAutomationRun, ...some }, slice))
      )
    yield* list("first page", Effect.succeed({}))
    yield* timed(
      `${size} automation, deep page`,
      times,
      Effect.flatMap(aPosition, (position) =>
        automationRuns.list(automationId, anyAutomationRun, { limit, after: [String(position), automationAt(0)] })
      )
    )
    for (const state of [
      "succeeded",
      "failed",
      "skipped",
      "cancelled",
      "running"
    ] satisfies ReadonlyArray<AutomationRunState>) {
      yield* list(`state ${state}`, Effect.succeed({ state }))
    }
    yield* list(
      "contact",
      Effect.map(ofContact, (contactId) => ({ contactId }))
    )
    yield* list(
      "contact and state",
      Effect.map(ofContact, (contactId) => ({ contactId, state: "failed" }))
    )
    yield* list(
      "position",
      Effect.map(aPosition, (position) => ({ position }))
    )
    const anyRun = { states: null, contactId: null, position: null }
    const listWorkflow = (name: string, filter: Effect.Effect<Partial<Parameters<typeof workflowRuns.list>[1]>>) =>
      timed(
        `${size} workflow, ${name}`,
        times,
        Effect.flatMap(filter, (some) => workflowRuns.list(workflowId, { ...anyRun, ...some }, slice))
      )
    yield* listWorkflow("first page", Effect.succeed({}))
    yield* timed(
      `${size} workflow, deep page`,
      times,
      Effect.flatMap(aPosition, (position) => {
        const at = DateTime.add(DateTime.makeUnsafe("2026-11-01T00:00:00Z"), { milliseconds: position * 400 })
        const after = [DateTime.formatIso(at), String(position), automationAt(0)]
        return workflowRuns.list(workflowId, anyRun, { limit, after })
      })
    )
    for (const state of [
      "completed",
      "failed",
      "exited",
      "cancelled",
      "waiting"
    ] satisfies ReadonlyArray<WorkflowRunState>) {
      yield* listWorkflow(`state ${state}`, Effect.succeed({ states: [state] }))
    }
    yield* listWorkflow("held while paused", Effect.succeed({ states: ["running", "waiting", "held"] }))
    yield* listWorkflow(
      "contact",
      Effect.map(ofContact, (contactId) => ({ contactId }))
    )
    yield* listWorkflow(
      "position",
      Effect.map(aPosition, (position) => ({ position }))
    )
  }
  yield* timed(
    "runs of a contact, automations",
    times,
    Effect.flatMap(ofContact, (contactId) => automationRuns.performedFor(contactId, slice))
  )
  yield* timed(
    "runs of a contact, workflows",
    times,
    Effect.flatMap(ofContact, (contactId) => contactRuns.list(contactId, slice))
  )
})

/** How long pages of run lists take with millions of runs. */
export const runLists = Command.make(
  "run-lists",
  {
    databaseUrl: Flag.Redacted("database-url").pipe(
      Flag.withDescription("A PostgreSQL server on this machine for the database of the bench"),
      Flag.optional
    ),
    runs: Flag.Int("runs").pipe(
      Flag.withDescription("Number of runs of automations, and of workflows (5000000)"),
      Flag.withDefault(5_000_000)
    ),
    times: Flag.Int("times").pipe(Flag.withDescription("Number of pages per list (300)"), Flag.withDefault(300))
  },
  Effect.fnUntraced(function* ({ databaseUrl, runs, times }) {
    const url = yield* BenchDatabase.make(yield* databaseServer(databaseUrl))
    yield* Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      yield* seedRuns(organization.id, runs)
      yield* measure(runs, times).pipe(
        Effect.provideService(CurrentOrganization, { id: organization.id }),
        Effect.provideService(CurrentActor, { kind: "operator", name: "bench" })
      )
    }).pipe(Effect.provide(Layer.merge(layerIds, Postgres.layer.pipe(Layer.provideMerge(layerSeeding(url))))))
  }, Effect.scoped)
).pipe(Command.withDescription("Measures the lists of runs by each filter"))
