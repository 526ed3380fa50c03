import { type ChatSimulatorOptions, type RunningChatSimulator, startChatSimulator } from "@parley/simulators/chat"
import { Effect, type Scope } from "effect"
import { createServer } from "node:http"

export const phoneId = "200000000000001"
export const businessId = "100000000000001"
export const appSecret = "app secret"
export const ada = "15551230001"
export const bob = "15551230002"

/** A delivery as it arrived. */
export interface Arrival {
  readonly body: string
  readonly signature: string
}

/** Takes deliveries; the first ones are answered with these statuses. */
export const sink = (
  ...statuses: ReadonlyArray<number>
): Effect.Effect<{ readonly url: string; readonly arrivals: Array<Arrival> }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const arrivals: Array<Arrival> = []
    const left = [...statuses]
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        if (request.method === "GET") {
          const query = new URL(request.url ?? "/", "http://sink").searchParams
          const known = query.get("hub.verify_token") === "verify me"
          response.writeHead(known ? 200 : 403).end(known ? query.get("hub.challenge") : "")
          return
        }
        const signature = String(request.headers["x-hub-signature-256"])
        arrivals.push({ body: Buffer.concat(chunks).toString(), signature })
        response.writeHead(left.shift() ?? 200).end()
      })
    })
    yield* Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    })
    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `http://127.0.0.1:${port}/`, arrivals }
  })

/** A simulator with a clock that moves only on request. */
export const simulator = (options: ChatSimulatorOptions = {}) =>
  startChatSimulator({ startAt: 1_780_000_000_000, ...options })

/** Waits, in real time, until something holds. */
export const eventually = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.delay(eventually(holds), 2))).pipe(
    Effect.timeout("5 seconds"),
    Effect.orDie
  )

/** Moves the clock, and waits until what was due has happened. */
export const pass = (simulator: RunningChatSimulator, millis: number) =>
  Effect.andThen(
    eventually(simulator.isUpToDate),
    Effect.andThen(
      Effect.sync(() => simulator.advance(millis)),
      Effect.andThen(Effect.sleep(5), eventually(simulator.isUpToDate))
    )
  )

/** Calls the provider's interface as it is documented. */
export const call = (
  simulator: RunningChatSimulator,
  path: string,
  body?: unknown,
  token = "simulator-token",
  method = body === undefined ? "GET" : "POST"
): Effect.Effect<{ readonly status: number; readonly body: string; readonly code: number | null }> =>
  Effect.promise(async () => {
    const response = await fetch(`${simulator.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    const code = /"code":(\d+)/u.exec(text)?.[1]
    return { status: response.status, body: text, code: code === undefined ? null : Number(code) }
  })

export const text = (to: string, more: object = {}) => ({
  messaging_product: "whatsapp",
  to,
  type: "text",
  text: { body: "Hello" },
  ...more
})

export const sendPath = `/v24.0/${phoneId}/messages`
