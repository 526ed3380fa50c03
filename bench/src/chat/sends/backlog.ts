import { type Lane, OrganizationId, sendTaskName } from "@parley/domain"
import { Effect } from "effect"
import * as Arena from "../../Arena.ts"
import { closedLoop } from "../../load/closedLoop.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { backends } from "../../machine/backends.ts"
import { cpuSecondsBetween, usesOf } from "../../machine/ProcessUse.ts"
import type { RunningServer } from "../../servers/launch.ts"
import { holdLanes, letLanes } from "../lanes.ts"
import type { ConnectedLine, Provider } from "../provider.ts"
import { isQueueEmpty, requireKept } from "./kept.ts"
import type { Letters } from "./letters.ts"
import { waitUntil } from "./waitUntil.ts"

/** Cost of sending earlier messages without other load. */
export const backlog = Effect.fnUntraced(function* (
  provider: Provider,
  { pid, url }: RunningServer,
  letters: Letters,
  own: ReadonlyArray<ConnectedLine>,
  seconds: number
) {
  const { connections } = (yield* Arena.Arena).options
  const before = provider.simulator.accepted().length
  const lanes = own.map(({ chatAccountId: key, organizationId }): Lane => ({
    task: sendTaskName,
    organizationId: OrganizationId.make(organizationId),
    key
  }))
  // Recently used lanes are closed by now.
  yield* Effect.sleep("2 seconds")
  yield* holdLanes(lanes)
  const posts = yield* closedLoop({ url, seconds, connections, request: letters.request })
  if (posts.refused + posts.broken > 0) {
    const output = `${posts.broken} messages got no answer; the others: ${JSON.stringify(posts.statuses)}`
    return yield* new ToolFailed({ tool: "parley", output })
  }
  yield* Effect.sleep("1 second")
  const serving = usesOf([pid])
  const asked = Effect.flatMap(backends, usesOf)
  const [serverBefore, databaseBefore] = [yield* serving, yield* asked]
  yield* letLanes(lanes)
  yield* waitUntil("nothing waits to be sent", isQueueEmpty)
  const cpu = cpuSecondsBetween(serverBefore, yield* serving)
  const databaseCpu = cpuSecondsBetween(databaseBefore, yield* asked)
  const { firstAt, lastAt, latencies } = yield* letters.taken(before)
  yield* requireKept(provider)
  const sent = latencies.length
  return {
    sent,
    perSecond: sent / ((lastAt - firstAt) / 1_000),
    serverMicros: (cpu * 1e6) / sent,
    databaseMicros: (databaseCpu * 1e6) / sent
  }
})
