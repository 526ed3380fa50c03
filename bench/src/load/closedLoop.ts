import { Effect } from "effect"
import { HttpConnection } from "./HttpConnection.ts"
import type { Load } from "./Load.ts"
import { quantile } from "./quantile.ts"

/** The callers, and the duration. */
export interface ClosedLoopOptions {
  readonly url: string
  readonly seconds: number
  /** Each calls again when it was answered. */
  readonly connections: number
  readonly request: () => string
}

/** The result. */
export interface ClosedLoop extends Load {
  /** Answers of status 2xx a second. */
  readonly perSecond: number
  readonly statuses: Readonly<Record<string, number>>
}

const isGood = (status: number) => status >= 200 && status < 300

/** Calls with this number of callers as fast as the server answers. */
export const closedLoop = ({ connections, request, seconds, url }: ClosedLoopOptions): Effect.Effect<ClosedLoop> =>
  Effect.callback((resume) => {
    const statuses: Record<string, number> = {}
    const latencies: Array<number> = []
    let refused = 0
    let broken = 0
    let isOver = false
    const callers = Array.from({ length: connections }, () => new HttpConnection(new URL(url)))
    const close = () => callers.forEach((caller) => caller.close())
    const start = performance.now()
    const end = setTimeout(() => {
      const elapsed = (performance.now() - start) / 1_000
      const sorted = Float64Array.from(latencies).toSorted()
      const result: ClosedLoop = {
        requests: latencies.length,
        seconds: elapsed,
        perSecond: (latencies.length - refused) / elapsed,
        statuses: { ...statuses },
        refused,
        broken,
        p50: quantile(sorted, 0.5),
        p99: quantile(sorted, 0.99),
        p999: quantile(sorted, 0.999)
      }
      isOver = true
      close()
      resume(Effect.succeed(result))
    }, seconds * 1_000)
    const call = (caller: HttpConnection): void => {
      const sent = performance.now()
      caller.send(request(), (status) => {
        if (isOver) return
        if (status === null) {
          broken += 1
          return
        }
        latencies.push(performance.now() - sent)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (!isGood(status)) refused += 1
        call(caller)
      })
    }
    callers.forEach(call)
    return Effect.sync(() => {
      clearTimeout(end)
      close()
    })
  })
