import { deleteWebhookSubscription, type WebhookSubscriptionId } from "@parley/domain"
import { Console, Effect, Exit, Scope } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { within } from "../../campaigns/given.ts"
import * as BenchDatabase from "../../database/BenchDatabase.ts"
import { givenOrganization, subscribe, tell } from "../../webhooks/given.ts"
import { receivers } from "../../webhooks/receivers.ts"
import { cutOffConnections } from "../cutOff.ts"
import { type Drawing, drawing } from "../drawing.ts"
import { freePort, groundsOn, layerPreparing, layerWatching, logFile } from "../grounds.ts"
import { harm } from "../harm.ts"
import { makeMortal } from "../mortal.ts"
import { commonFlags, commonOptions, count } from "../options.ts"
import { conclude } from "../verdict.ts"
import { judge, type Kept } from "./judge.ts"
import { answersOf, type Ledger } from "./ledger.ts"

interface Subscribed {
  readonly id: WebhookSubscriptionId
  readonly organizationId: string
}

const readKept = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Kept>`
    SELECT id, subscription_id AS "subscriptionId", event_position::integer AS position, state FROM webhook_deliveries`
})

const readPositions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly organizationId: string; readonly position: number }>`
    SELECT organization_id AS "organizationId", position::integer AS position FROM events WHERE type = 'tag.created'`
})

/** Logs events until interrupted. A commit with an unknown result is looked up in the log at the end. */
const talk = Effect.fnUntraced(function* (draws: Drawing, organizations: ReadonlyArray<string>) {
  for (let number = 0; ; number += 1) {
    yield* Effect.exit(Effect.sandbox(tell(draws.pick(organizations), [`tag-${number}-a`, `tag-${number}-b`])))
    yield* Effect.sleep(draws.between(5, 60))
  }
})

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof commonOptions>> & { readonly workers: number; readonly freezes: number }
) {
  const { cutEvery, databaseUrl, deadlineMillis, freezes, kills, seed, workers } = options
  yield* Console.log(
    `The seed is ${seed}: three organizations with four receivers each, ${workers} processes, ${kills} kills, ${freezes} freezes.`
  )
  const grounds = yield* groundsOn(yield* BenchDatabase.make(databaseUrl))
  const log = yield* logFile("subscriptions", seed)
  const ledger: Ledger = { received: [] }
  const answers = answersOf(drawing(seed + 5))
  const url = yield* receivers(answers, (received) => void ledger.received.push(received))

  const checks = yield* Effect.gen(function* () {
    const { healthy, organizations, passing } = yield* Effect.gen(function* () {
      const made = yield* Effect.forEach(["one", "two", "three"], givenOrganization)
      const at = Effect.fnUntraced(function* (name: string, ordering: "none" | "subject" = "none") {
        return yield* Effect.forEach(made, (organizationId) =>
          Effect.map(subscribe(organizationId, `${url}/${name}-${organizationId}`, ordering), ({ id }): Subscribed => ({
            id,
            organizationId
          }))
        )
      })
      const [taking, shaky, ordered, passing] = [
        yield* at("taking"),
        yield* at("shaky"),
        yield* at("ordered", "subject"),
        yield* at("passing")
      ]
      return { healthy: [...taking, ...shaky, ...ordered], passing, organizations: made }
    }).pipe(Effect.provide(layerPreparing(grounds)))
    const servers = yield* Effect.forEach(Array.from({ length: workers }), () =>
      Effect.flatMap(freePort, (port) => makeMortal(grounds, { port, log }))
    )
    let cutOff = 0
    const trouble = yield* Scope.fork(yield* Effect.scope)
    yield* Effect.forkIn(
      cutOffConnections(drawing(seed + 1), cutEvery, () => {
        cutOff += 1
      }),
      trouble
    )
    const deletedAt = new Map<string, number>()
    yield* talk(drawing(seed + 2), organizations).pipe(Effect.provide(layerPreparing(grounds)), Effect.forkIn(trouble))
    yield* harm(drawing(seed + 3), { kills: Math.ceil(kills / 2), freezes }, servers)
    // A request of a member is repeated after a lost connection.
    yield* Effect.forEach(passing, ({ id, organizationId }) =>
      within(organizationId)(deleteWebhookSubscription({ id, ifVersion: null })).pipe(
        Effect.sandbox,
        Effect.retry({ times: 5 }),
        Effect.tap(() => Effect.sync(() => deletedAt.set(id, Date.now()))),
        Effect.ignore
      )
    ).pipe(Effect.provide(layerPreparing(grounds)))
    yield* harm(drawing(seed + 4), { kills: Math.floor(kills / 2), freezes }, servers)
    yield* Scope.close(trouble, Exit.void)
    const left = Effect.gen(function* () {
      const positions = yield* readPositions
      const kept = yield* readKept
      const expected = healthy.reduce(
        (sum, { organizationId }) => sum + positions.filter((each) => each.organizationId === organizationId).length,
        0
      )
      const ids = new Set<string>(healthy.map(({ id }) => id))
      return expected - kept.filter((each) => ids.has(each.subscriptionId) && each.state === "delivered").length
    })
    yield* Effect.repeat(Effect.delay(left, "500 millis"), { until: (some) => some === 0 }).pipe(
      Effect.timeoutOption(deadlineMillis)
    )
    const [positions, kept] = [yield* readPositions, yield* readKept]
    yield* Console.log(
      `${positions.length} events, ${ledger.received.length} requests, ${cutOff} connections cut off, ${yield* left} deliveries left.`
    )
    return judge({ ledger, positions, kept, healthy, deletedAt })
  }).pipe(Effect.provide(layerWatching(grounds)))
  yield* conclude(seed, log, checks)
})

/** Events for external receivers, from several processes that are killed, stopped and disconnected. */
export const subscriptions = Command.make(
  "subscriptions",
  {
    ...commonFlags,
    workers: count("workers", 2, 12, "How many processes there are"),
    freezes: count("freezes", 1, 100, "Number of freezes per half that exceed the lease")
  },
  Effect.fnUntraced(function* ({ freezes, workers, ...given }) {
    yield* run({ ...(yield* commonOptions(given)), freezes, workers }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Posts events from several processes that are killed, frozen and disconnected, deletes subscriptions, and compares the received events with the event log"
  )
)
