import { startTestServer } from "../../src/testing/startTestServer.ts"
import { Effect, Exit, Redacted, Scope } from "effect"

const name = "PARLEY_TEST_DATABASE_URL"

/** Starts a PostgreSQL for all the tests of a run, unless they were given one, and stops it after them. */
export default async () => {
  if (process.env[name] !== undefined) return undefined
  const scope = Scope.makeUnsafe()
  const { url } = await Effect.runPromise(Scope.provide(startTestServer, scope))
  process.env[name] = Redacted.value(url)
  return async () => {
    delete process.env[name]
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
