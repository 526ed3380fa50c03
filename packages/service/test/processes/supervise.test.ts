import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import cluster from "node:cluster"
import { posts } from "../../src/processes/Post.ts"
import { supervise } from "../../src/processes/supervise.ts"

/** Starts processes like this, until the scope ends. */
const starting = (settings: { readonly cwd?: string; readonly execArgv?: Array<string> }) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = { ...cluster.settings, cwd: undefined }
      cluster.setupPrimary({ ...before, ...settings })
      return before
    }),
    (before) => Effect.sync(() => cluster.setupPrimary(before))
  )

const failing = Effect.flip(
  supervise(posts("worker", 1), { watched: () => Effect.void, ready: Effect.die(new Error("none is ready")) })
)

describe("the process supervisor", () => {
  it.live("goes on where the system starts none, as where one has ended", () =>
    Effect.gen(function* () {
      yield* starting({ cwd: "/there/is/no/such/folder" })
      const { exitCode, message } = yield* failing
      assert.deepStrictEqual([exitCode, message], [1, "The process worker-1 could not start."])
    }).pipe(Effect.scoped)
  )

  it.live("does not take the end of one for success that ended well before it was ready", () =>
    Effect.gen(function* () {
      yield* starting({ execArgv: ["--eval", "process.exit(0)"] })
      assert.strictEqual((yield* failing).exitCode, 1)
    }).pipe(Effect.scoped)
  )
})
