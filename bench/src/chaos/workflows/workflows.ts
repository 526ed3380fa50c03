import { Clock, Console, Effect, Exit, Scope } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { quantile } from "../../load/quantile.ts"
import { cutOffConnections } from "../cutOff.ts"
import { drawing } from "../drawing.ts"
import { freePort, layerPreparing, layerWatching, logFile, makeGrounds } from "../grounds.ts"
import { harm } from "../harm.ts"
import { makeMortal } from "../mortal.ts"
import { commonFlags, commonOptions, count } from "../options.ts"
import { type Control, controlOf } from "../sends/control.ts"
import { app, connect, startProvider } from "../sends/sends.ts"
import { conclude, same } from "../verdict.ts"
import { cancelAgain, letGo, live, pauseAgain, publishAgain } from "./acts.ts"
import { judge } from "./judge.ts"
import { latenessOf } from "./judgeWaits.ts"
import { howFar, left, readFound, watch } from "./watch.ts"
import { givenWorld, type Person, type World } from "./world.ts"

/** Customers write to every number, each for the first time. Returns their contacts. */
const givenPeople = Effect.fnUntraced(function* (
  control: Control,
  urls: ReadonlyArray<string>,
  worlds: ReadonlyArray<World>,
  each: number
) {
  const sql = yield* SqlClient.SqlClient
  for (const [place, { line }] of worlds.entries()) {
    yield* control.deliverTo(line.businessId, `${urls[place % urls.length]}${line.path}`, line.appSecret)
    for (let customer = 0; customer < each; customer += 1) {
      yield* control.write(line.phoneId, `4915${place}${String(customer).padStart(8, "0")}`)
    }
  }
  const known = sql<Person & { readonly organizationId: string }>`
    SELECT organization_id AS "organizationId", id AS "contactId", ltrim(phone, '+') AS phone FROM contacts`
  const people = yield* Effect.repeat(Effect.delay(known, "200 millis"), {
    until: ({ length }) => length === worlds.length * each
  }).pipe(Effect.timeout("2 minutes"))
  return worlds.map((world) => ({
    world,
    people: people.filter(({ organizationId }) => organizationId === world.organizationId)
  }))
})

const isAtRest = Effect.fnUntraced(function* (control: Control) {
  if (!(yield* control.isIdle)) return false
  return Object.values(yield* left).every((count) => count === 0)
})

/** Waits until everything is idle, or until nothing has changed for this time: a slow machine is no failure. */
const comeToRest = Effect.fnUntraced(function* (control: Control, deadlineMillis: number) {
  let known = ""
  let since = yield* Clock.currentTimeMillis
  while (true) {
    yield* Effect.sleep("500 millis")
    if (yield* isAtRest(control)) return
    const now = yield* Clock.currentTimeMillis
    const seen = JSON.stringify(yield* howFar)
    if (seen !== known) since = now
    else if (now - since >= deadlineMillis) return
    known = seen
  }
})

const spread = (millis: ReadonlyArray<number>) => {
  const sorted = Float64Array.from(millis).toSorted()
  return `p50 ${quantile(sorted, 0.5).toFixed(0)} ms, p99 ${quantile(sorted, 0.99).toFixed(0)} ms, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`
}

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof commonOptions>> & {
    readonly workers: number
    readonly freezes: number
    readonly organizations: number
    readonly people: number
  }
) {
  const { cutEvery, databaseUrl, deadlineMillis, freezes, kills, organizations, people: each, seed, workers } = options
  yield* Console.log(
    `The seed is ${seed}: ${organizations} organizations with three workflows and ${each} contacts each, ${workers} processes, ${kills} kills, ${freezes} freezes.`
  )
  // The provider needs the numbers, and the numbers need their organizations, so these are created first.
  const before = yield* makeGrounds(databaseUrl, {})
  const worlds = yield* Effect.andThen(
    watch,
    Effect.forEach(Array.from({ length: organizations }), (_, place) => givenWorld(place))
  ).pipe(Effect.provide(layerPreparing(before)))
  const provider = yield* startProvider(
    worlds.map(({ line }) => line),
    seed,
    0
  )
  const control = yield* controlOf(provider.url)
  const grounds = { ...before, chat: { ...app, url: provider.url } }
  yield* Effect.forEach(worlds, ({ line }) => connect(line), { discard: true }).pipe(
    Effect.provide(layerPreparing(grounds))
  )
  const log = yield* logFile("workflows", seed)
  const checks = yield* Effect.gen(function* () {
    const ports = yield* Effect.replicateEffect(freePort, workers)
    const servers = yield* Effect.forEach(ports, (port) => makeMortal(grounds, { port, log }))
    const urls = ports.map((port) => `http://127.0.0.1:${port}`)
    const populated = yield* givenPeople(control, urls, worlds, each)
    let cutOff = 0
    const trouble = yield* Scope.fork(yield* Effect.scope)
    yield* Effect.forkIn(
      cutOffConnections(drawing(seed + 1), cutEvery, () => {
        cutOff += 1
      }),
      trouble
    )
    yield* Effect.all(
      [
        live(drawing(seed + 2), control, populated),
        publishAgain(drawing(seed + 3), worlds),
        pauseAgain(drawing(seed + 4), worlds),
        cancelAgain(drawing(seed + 5), worlds)
      ],
      { concurrency: "unbounded", discard: true }
    ).pipe(Effect.provide(layerPreparing(grounds)), Effect.forkIn(trouble))
    yield* harm(drawing(seed + 6), { kills, freezes }, servers)
    yield* Scope.close(trouble, Exit.void)
    yield* letGo(worlds).pipe(Effect.provide(layerPreparing(grounds)))
    const begun = yield* Clock.currentTimeMillis
    yield* comeToRest(control, deadlineMillis)
    const took = (yield* Clock.currentTimeMillis) - begun
    const found = yield* readFound
    const { checks, courses } = judge(worlds, found, yield* control.log)
    yield* Console.log(
      `${found.happenings.length} events, ${courses.length} runs in ${found.versions.length} versions, ${found.written.length} notes and messages, ${cutOff} connections cut off. All came to rest within ${took} ms.\nThose who rested went on ${spread(latenessOf(courses))} after their time.`
    )
    const nothing = { unread: 0, live: 0, sends: 0, deliveries: 0 }
    return [same("nothing is left to be done", yield* left, nothing), ...checks]
  }).pipe(Effect.provide(layerWatching(grounds)))
  yield* conclude(seed, log, checks)
})

/** Workflows in several processes that are killed, stopped and disconnected. */
export const workflows = Command.make(
  "workflows",
  {
    ...commonFlags,
    workers: count("workers", 2, 12, "How many processes there are"),
    freezes: count("freezes", 1, 100, "Number of freezes that exceed the lease"),
    organizations: count("organizations", 3, 9, "How many organizations there are"),
    people: count("people", 100, 10_000, "How many contacts each of them has")
  },
  Effect.fnUntraced(function* ({ freezes, organizations, people, workers, ...given }) {
    yield* run({ ...(yield* commonOptions(given)), freezes, organizations, people, workers }).pipe(Effect.scoped)
  })
).pipe(
  Command.withDescription(
    "Runs workflows in several processes that are killed, frozen and disconnected, and compares runs, actions and waits with the event log, the history in the database and the log of the provider"
  )
)
