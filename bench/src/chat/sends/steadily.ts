import { Effect } from "effect"
import * as Arena from "../../Arena.ts"
import { constantRate } from "../../load/constantRate.ts"
import { quantile } from "../../load/quantile.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import type { RunningServer } from "../../servers/launch.ts"
import type { Provider } from "../provider.ts"
import { isQueueEmpty, requireKept } from "./kept.ts"
import type { Letters } from "./letters.ts"
import { waitUntil } from "./waitUntil.ts"

/** Time of messages to the provider at this rate of writes. */
export const steadily = Effect.fnUntraced(function* (
  provider: Provider,
  { url }: RunningServer,
  letters: Letters,
  perSecond: number,
  seconds: number
) {
  const { connections } = (yield* Arena.Arena).options
  const before = provider.simulator.accepted().length
  const written = letters.written()
  const posts = yield* constantRate({ url, perSecond, seconds, connections, request: letters.request })
  if (posts.statuses[202] !== posts.sent) {
    const output = `Of ${posts.sent} messages, ${posts.unanswered} got no answer; the others: ${JSON.stringify(posts.statuses)}`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  yield* waitUntil("nothing waits to be sent", isQueueEmpty)
  const { latencies } = yield* letters.taken(before)
  yield* requireKept(provider)
  if (latencies.length !== letters.written() - written) {
    const output = `${letters.written() - written} messages were written, and ${latencies.length} reached the provider.`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  return { perSecond, posts, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
})
