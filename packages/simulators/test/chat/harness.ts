import {
  type ChatSimulatorOptions,
  defaultApp,
  type RunningChatSimulator,
  startChatSimulator
} from "@parley/simulators/chat"
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

/** A phone number as the provider wants it: with a plus. */
export const plus = (to: string): string => (/^\d+$/u.test(to) ? `+${to}` : to)

export const text = (to: string, more: object = {}) => ({
  messaging_product: "whatsapp",
  to: plus(to),
  type: "text",
  text: { body: "Hello" },
  ...more
})

export const sendPath = `/v27.0/${phoneId}/messages`

/** Reads a path in JSON; undefined if it does not exist. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (found, key) => (typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined),
    value
  )

export const listAt = (value: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Changes in the deliveries, with the id of their entry. */
export const changesOf = (provider: RunningChatSimulator) =>
  provider.deliveries().flatMap(({ body }) =>
    listAt(JSON.parse(body), "entry").flatMap((entry) =>
      listAt(entry, "changes").map((change) => ({
        entry: at(entry, "id"),
        field: at(change, "field"),
        value: at(change, "value")
      }))
    )
  )

/** Values of the changes of one field in the deliveries. */
export const valuesOf = (provider: RunningChatSimulator, field: string): ReadonlyArray<unknown> =>
  changesOf(provider)
    .filter((change) => change.field === field)
    .map(({ value }) => value)

/** States of messages in the deliveries. */
export const statusesOf = (provider: RunningChatSimulator): ReadonlyArray<unknown> =>
  valuesOf(provider, "messages").flatMap((value) => listAt(value, "statuses"))

/** States of messages with their error code, as text. */
export const statesOf = (provider: RunningChatSimulator): ReadonlyArray<string> =>
  statusesOf(provider).map((status) =>
    [at(status, "status"), at(status, "errors", 0, "code")].filter((part) => part !== undefined).join(" ")
  )

/** Keeps deliveries without sending them to a server. */
export const kept: ChatSimulatorOptions = { webhook: { url: "http://127.0.0.1:9/", appSecret }, attempts: 1 }

/** Uploads the sample of a template header. */
export const exampleOf = (
  provider: RunningChatSimulator,
  type: string,
  bytes: Uint8Array<ArrayBuffer> = Buffer.from("bytes")
) =>
  Effect.gen(function* () {
    const upload = `/${defaultApp.appId}/uploads?file_length=${bytes.length}&file_type=${type}`
    const started = yield* call(provider, upload, "", undefined, "POST")
    const answer = yield* Effect.promise(async () => {
      const response = await fetch(`${provider.url}/${String(JSON.parse(started.body).id)}`, {
        method: "POST",
        headers: { authorization: "OAuth simulator-token", file_offset: "0" },
        body: bytes
      })
      return response.text()
    })
    return { header_handle: [String(JSON.parse(answer).h)] }
  })
