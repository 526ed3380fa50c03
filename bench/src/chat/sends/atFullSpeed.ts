import { Effect } from "effect"
import * as Arena from "../../Arena.ts"
import { closedLoop } from "../../load/closedLoop.ts"
import { quantile } from "../../load/quantile.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { backends } from "../../machine/backends.ts"
import { cpuSecondsBetween, usesOf } from "../../machine/ProcessUse.ts"
import type { RunningServer } from "../../servers/launch.ts"
import type { Provider } from "../provider.ts"
import { isQueueEmpty, requireKept } from "./kept.ts"
import type { Letters } from "./letters.ts"
import { waitUntil } from "./waitUntil.ts"

/** Number of written messages, and of messages that reach the provider. */
export const atFullSpeed = Effect.fnUntraced(function* (
  provider: Provider,
  { pid, url }: RunningServer,
  letters: Letters,
  seconds: number
) {
  const { connections } = (yield* Arena.Arena).options
  const before = provider.simulator.accepted().length
  const serving = usesOf([pid])
  const asked = Effect.flatMap(backends, usesOf)
  const [serverBefore, databaseBefore] = [yield* serving, yield* asked]
  const begun = Date.now()
  const posts = yield* closedLoop({ url, seconds, connections, request: letters.request })
  if (posts.refused + posts.broken > 0) {
    const output = `${posts.broken} messages got no answer; the others: ${JSON.stringify(posts.statuses)}`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  const sentMeanwhile = provider.simulator.accepted().length - before
  // Messages in flight when the connections were closed can still arrive.
  yield* Effect.sleep("500 millis")
  yield* waitUntil("nothing waits to be sent", isQueueEmpty)
  const cpu = cpuSecondsBetween(serverBefore, yield* serving)
  const databaseCpu = cpuSecondsBetween(databaseBefore, yield* asked)
  const { lastAt, latencies } = yield* letters.taken(before)
  yield* requireKept(provider)
  const sent = latencies.length
  if (sent < posts.requests) {
    const output = `${posts.requests} messages were taken, and only ${sent} reached the provider.`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  return {
    writtenPerSecond: posts.perSecond,
    sentMeanwhilePerSecond: sentMeanwhile / posts.seconds,
    sentPerSecond: sent / ((lastAt - begun) / 1_000),
    p50: posts.p50,
    p99: posts.p99,
    wireP50: quantile(latencies, 0.5),
    wireP99: quantile(latencies, 0.99),
    serverMicros: (cpu * 1e6) / sent,
    databaseMicros: (databaseCpu * 1e6) / sent
  }
})
