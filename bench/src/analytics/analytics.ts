import { StorageTimeout, CurrentStorageTimeout } from "@parley/domain"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Arena from "../Arena.ts"
import { closedLoop } from "../load/closedLoop.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { flags, optionsOf } from "../Options.ts"
import { figure, table } from "../report/table.ts"
import { parley } from "../servers/contenders.ts"
import { seedBooks } from "./seedBooks.ts"

const asked = [
  "overview?period=7d",
  "overview?period=30d",
  "series?figure=messages.inbound.total&figure=messages.outbound.total&by=day&period=30d",
  "series?figure=reply.medianSeconds&by=hour&period=7d",
  "heatmap?period=30d",
  "live"
]

/** A history, and ten times as much. */
const histories = [36, 360]

const mostMillis = 20

const measure = Effect.gen(function* () {
  const { grounds, options, population } = yield* Arena.Arena
  const { url } = yield* parley(grounds)
  const [caller] = population.callers
  if (caller === undefined) return
  const { accessToken, organizationId } = caller
  const rows: Array<ReadonlyArray<string>> = []
  for (const days of histories) {
    yield* Console.log(`${days} days: ${yield* seedBooks(organizationId, days)} rows of quarter hours.`)
    for (const path of asked) {
      const request = () =>
        `GET /api/v1/analytics/${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${accessToken}\r\nX-Organization-Id: ${organizationId}\r\n\r\n`
      const call = (seconds: number) => closedLoop({ url, seconds, connections: 1, request })
      yield* call(1)
      const { p50, p99, requests, statuses } = yield* call(options.seconds)
      if (Object.keys(statuses).some((status) => status !== "200")) {
        return yield* new ToolFailed({ tool: path, output: `They were answered so: ${JSON.stringify(statuses)}` })
      }
      const verdict = p99 <= mostMillis ? "reached" : "missed"
      rows.push([String(days), path, figure(requests), figure(p50, 1), figure(p99, 1), verdict])
    }
  }
  yield* Console.log(table(["days", "asked", "answers", "p50 ms", "p99 ms", `p99 of ${mostMillis} ms`], rows))
})

/** P11: how long answers of analytics take, of a history and of ten times as much. */
export const analytics = Command.make(
  "analytics",
  flags,
  Effect.fnUntraced(function* (given) {
    const options = { ...(yield* optionsOf(given)), organizations: 1, sessionsEach: 1, rows: 10 }
    yield* measure.pipe(
      Effect.scoped,
      Effect.provideService(CurrentStorageTimeout, new StorageTimeout(Number.POSITIVE_INFINITY)),
      Effect.provide(Arena.layer(options, { isUnlimited: true }))
    )
  })
).pipe(Command.withDescription("How long answers of analytics take, of a history and of ten times as much"))
