import { serve } from "@hono/node-server"
import { Console, Effect, ManagedRuntime, Redacted } from "effect"
import { openShop } from "./demo.ts"
import { layer } from "./ports.ts"
import { makeShop } from "./shop.ts"

const runtime = ManagedRuntime.make(layer)

const owner = await runtime.runPromise(openShop("blue-bakery", "growth"))

const greeting = (port: number) =>
  owner === null
    ? `http://127.0.0.1:${port}/shops/blue-bakery is open, as it was.`
    : `http://127.0.0.1:${port}/shops/blue-bakery is open. Sign in as ${owner.email} with ${Redacted.value(owner.password)}`

const server = serve({ fetch: makeShop(runtime).fetch, hostname: "127.0.0.1", port: 3001 }, ({ port }) =>
  Effect.runSync(Console.log(greeting(port)))
)

process.once("SIGINT", () => server.close(() => void runtime.dispose()))
