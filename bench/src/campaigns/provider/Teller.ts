import { deliveryOf, receiptOf, signedRequest, textIn } from "../../chat/signed.ts"
import { HttpConnection } from "../../load/HttpConnection.ts"
import { quantile } from "../../load/quantile.ts"
import type { Seen, Settings, ToldLine } from "./Settings.ts"

/** Delays after acceptance until a message is reported as sent, delivered and read. */
const receipts = [
  ["sent", 50],
  ["delivered", 200],
  ["read", 800]
] as const

const answersAfter = 1_000
const connections = 64

/** Number of answered messages out of a number of messages. */
const roundOf = 10
const answeredOfRound = 3

interface Due {
  readonly request: string
  readonly at: number
}

/** Reports message states to a server, each in a separate request. */
export class Teller {
  private readonly lines: ReadonlyMap<string, ToldLine>
  private readonly url: URL
  private readonly idle: Array<HttpConnection> = []
  private readonly all: Array<HttpConnection> = []
  private waiting: Array<Due> = []
  private next = 0
  private count = 0
  private later = 0
  private refused = 0
  private readonly latencies: Array<number> = []

  constructor({ lines, url }: NonNullable<Settings["tells"]>) {
    this.lines = new Map(lines.map((line) => [line.phoneId, line]))
    this.url = new URL(url)
    for (let place = 0; place < connections; place += 1) this.connect()
  }

  accepted(phoneId: string, phone: string, id: string, reference: string): void {
    const line = this.lines.get(phoneId)
    if (line === undefined) return
    for (const [status, after] of receipts) {
      this.tell(after, (seconds) => deliveryOf(line, receiptOf(phone, id, reference, status, seconds)), line)
    }
    this.count += 1
    if (this.count % roundOf >= answeredOfRound) return
    const answer = `wamid.answer.${id}`
    this.tell(
      answersAfter,
      (seconds) => deliveryOf(line, textIn({ phone, name: phone }, answer, "Yes.", seconds)),
      line
    )
  }

  stop(): void {
    for (const connection of this.all) connection.close()
  }

  told(): Seen["told"] {
    const sorted = Float64Array.from(this.latencies).toSorted()
    return {
      sent: this.latencies.length,
      refused: this.refused,
      waiting: this.later + this.waiting.length - this.next,
      p50: sorted.length === 0 ? 0 : quantile(sorted, 0.5),
      p99: sorted.length === 0 ? 0 : quantile(sorted, 0.99)
    }
  }

  private connect(): void {
    const connection = new HttpConnection(this.url)
    this.all.push(connection)
    this.idle.push(connection)
  }

  private tell(after: number, body: (seconds: number) => string, line: ToldLine): void {
    this.later += 1
    setTimeout(() => {
      this.later -= 1
      const request = signedRequest(line, body(Math.floor(Date.now() / 1_000)))
      const due = { request, at: performance.now() }
      const connection = this.idle.pop()
      if (connection === undefined) this.waiting.push(due)
      else this.send(connection, due)
    }, after)
  }

  // A report without a free connection has waited since its due time: the service caused the wait.
  private send(connection: HttpConnection, { at, request }: Due): void {
    connection.send(request, (status) => {
      if (status === 200) this.latencies.push(performance.now() - at)
      else this.refused += 1
      if (!connection.isUsable) this.connect()
      const free = connection.isUsable ? connection : this.idle.pop()
      const due = this.waiting[this.next]
      if (free === undefined) return
      if (due === undefined) {
        this.idle.push(free)
        this.waiting = []
        this.next = 0
        return
      }
      this.next += 1
      this.send(free, due)
    })
  }
}
