import { Effect } from "effect"
import { HttpConnection } from "./HttpConnection.ts"
import { quantile } from "./quantile.ts"

/** The requests, their target, and their rate. */
export interface ConstantRateOptions {
  readonly url: string
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
  /** The bytes of the next request. */
  readonly request: () => string
}

/** The result. Latencies are in milliseconds, from the due time of a request. */
export interface ConstantRate {
  readonly sent: number
  readonly unanswered: number
  /** Answers a second, until the last answer. */
  readonly achievedPerSecond: number
  readonly statuses: Readonly<Record<string, number>>
  readonly p50: number
  readonly p99: number
  readonly p999: number
  /** How late the generator itself was for 99 % of the requests that had a free connection. */
  readonly lateP99: number
}

const graceMillis = 5_000

class Run {
  private readonly options: ConstantRateOptions
  private readonly idle: Array<HttpConnection> = []
  private readonly all: Array<HttpConnection> = []
  private readonly due: Array<number> = []
  private taken = 0
  private readonly latencies: Array<number> = []
  private readonly late: Array<number> = []
  private readonly statuses: Record<string, number> = {}
  private readonly total: number
  private readonly start = performance.now()
  private scheduled = 0
  private answered = 0
  private lastAnswerAt = this.start
  private broken = 0
  private timer: NodeJS.Timeout | undefined
  private readonly done: (result: ConstantRate) => void

  constructor(options: ConstantRateOptions, done: (result: ConstantRate) => void) {
    this.options = options
    this.done = done
    this.total = Math.round(options.perSecond * options.seconds)
    const url = new URL(options.url)
    for (let count = 0; count < options.connections; count++) {
      const connection = new HttpConnection(url)
      this.all.push(connection)
      this.idle.push(connection)
    }
    this.tick()
  }

  stop(): void {
    clearTimeout(this.timer)
    for (const connection of this.all) connection.close()
  }

  private dueAt(index: number): number {
    return this.start + (index * 1_000) / this.options.perSecond
  }

  private readonly tick = (): void => {
    const now = performance.now()
    while (this.scheduled < this.total && this.dueAt(this.scheduled) <= now) {
      const due = this.dueAt(this.scheduled)
      this.scheduled += 1
      const connection = this.idle.pop()
      if (connection === undefined) this.due.push(due)
      else {
        this.late.push(now - due)
        this.send(connection, due)
      }
    }
    const isOver = this.answered + this.broken >= this.total
    if (isOver || now > this.start + this.options.seconds * 1_000 + graceMillis) this.finish()
    else this.timer = setTimeout(this.tick, 1)
  }

  // A request that waits for a connection has waited since it was due, as its caller would see.
  private send(connection: HttpConnection, due: number): void {
    connection.send(this.options.request(), (status) => {
      if (status === null) this.broken += 1
      else {
        this.answered += 1
        this.lastAnswerAt = performance.now()
        this.latencies.push(this.lastAnswerAt - due)
        this.statuses[status] = (this.statuses[status] ?? 0) + 1
      }
      const next = connection.isUsable ? this.due[this.taken] : undefined
      if (next !== undefined) {
        this.taken += 1
        this.send(connection, next)
      } else if (connection.isUsable) this.idle.push(connection)
    })
  }

  private finish(): void {
    this.stop()
    const latencies = Float64Array.from(this.latencies).toSorted()
    this.done({
      sent: this.total,
      unanswered: this.total - this.answered,
      achievedPerSecond: this.answered / Math.max(this.options.seconds, (this.lastAnswerAt - this.start) / 1_000),
      statuses: this.statuses,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      p999: quantile(latencies, 0.999),
      lateP99: quantile(Float64Array.from(this.late).toSorted(), 0.99)
    })
  }
}

/** Sends requests at a constant rate, independent of earlier answers. */
export const constantRate = (options: ConstantRateOptions): Effect.Effect<ConstantRate> =>
  Effect.callback((resume) => {
    const run = new Run(options, (result) => resume(Effect.succeed(result)))
    return Effect.sync(() => run.stop())
  })
