import { type BroadcastId, hasEnded } from "@parley/domain"
import { Clock, Duration, Effect } from "effect"
import { Command } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { showing } from "../console/progress.ts"
import { inTenant } from "../tenant/inTenant.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { broadcast, view } from "./broadcast.ts"
import { broadcastLine, type Look, withLook } from "./broadcastProgress.ts"

const lookEvery = Duration.seconds(1)

const watch = ({ broadcasts, name }: Tenant, id: BroadcastId) => {
  let looks: ReadonlyArray<Look> = []
  const read = Effect.gen(function* () {
    const found = yield* broadcasts.get({ params: { id } })
    if (found.status === "draft") {
      return yield* new Refused({
        message: `The broadcast is a draft. To send it: parley broadcasts send ${id} --org ${name}`
      })
    }
    looks = withLook(looks, { broadcast: found, millis: yield* Clock.currentTimeMillis })
    return { broadcast: found, line: broadcastLine(found, looks), isOver: hasEnded(found.status) }
  })
  return showing(read, ({ line }) => line, lookEvery)
}

/** Shows how far a broadcast is, until it ends. */
export const watchCommand = Command.make(
  "watch",
  { org: Flags.org, broadcast, json: Flags.json },
  Effect.fn(function* ({ broadcast, json, org }) {
    yield* inTenant(org, (tenant) =>
      Effect.flatMap(watch(tenant, broadcast), (ended) => printOne(view, { json }, ended.broadcast))
    )
  })
).pipe(Command.withDescription("Show how far a broadcast is, as it goes on, until it ends"))
