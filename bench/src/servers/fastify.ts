import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Config, Effect, Redacted } from "effect"
import type { JWK } from "jose"
import { Pool } from "pg"
import { makeApp } from "./fastify/app.ts"
import { verifyEach, verifyOnce } from "./fastify/verifyToken.ts"
import { serveUntilLeft } from "./serveUntilLeft.ts"
import { setup } from "./Setup.ts"

const readKeys = async (pool: Pool) => {
  const { rows } = await pool.query<{ kid: string; public_key: string }>("SELECT kid, public_key FROM signing_keys")
  return new Map(rows.map(({ kid, public_key }): [string, JWK] => [kid, JSON.parse(public_key)]))
}

const program = Effect.gen(function* () {
  const { databaseUrl, limits, poolSize, port, sharesPort } = yield* setup
  const remembers = yield* Config.Literals(["nothing", "tokens", "standing"], "BENCH_REMEMBERS")
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool({ connectionString: Redacted.value(databaseUrl), max: poolSize, min: poolSize })),
    (pool) => Effect.promise(() => pool.end())
  )
  const each = verifyEach(yield* Effect.promise(() => readKeys(pool)))
  const app = makeApp({
    pool,
    verify: remembers === "nothing" ? each : verifyOnce(each),
    standingMillis: remembers === "standing" ? 500 : 0,
    limits
  })
  // Fastify passes all of it to Node, although its types do not declare it.
  const listening = { host: "127.0.0.1", port, reusePort: sharesPort }
  yield* Effect.acquireRelease(
    Effect.promise(() => app.listen(listening)),
    () => Effect.promise(() => app.close())
  )
  const address = app.server.address()
  yield* typeof address === "object" && address !== null ? serveUntilLeft(address.port) : Effect.die(address)
})

NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
