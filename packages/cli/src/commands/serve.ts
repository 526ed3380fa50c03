import { isExposed, listeningOf, readSettings } from "@parley/service/configuration"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { noMigrate, serviceFlags, together, workFlags } from "../console/serviceProcess.ts"
import { closeDemo } from "../demo/tenants.ts"
import { parley } from "../parley.ts"
import { requireThisMachine } from "../tenant/target.ts"

export const serve = Command.make(
  "serve",
  {
    ...serviceFlags,
    noWorkers: Flag.Boolean("no-workers").pipe(
      Flag.withDescription("Serve only the API. Other processes must run the background work: `parley worker`"),
      Flag.withoutNegation,
      Flag.withDefault(false)
    ),
    noMigrate
  },
  Effect.fn(function* ({ noMigrate, noWorkers, ...flags }) {
    const settings = yield* readSettings({ ...(yield* parley), ...flags })
    yield* requireThisMachine(settings, "serve")
    return yield* together(settings, {
      says: `Parley listens on ${listeningOf(settings)}`,
      posts: (count, of) => [...of("api", count), ...of("worker", noWorkers ? 0 : 1)],
      run: Effect.fnUntraced(function* ({ ready, stopping }, joined) {
        const service = yield* Effect.promise(() => import("@parley/service"))
        const steps = { ready: () => ready, stopping }
        if (joined?.post.role === "worker") {
          return yield* service.work(settings, { ...steps, migrates: false, before: Effect.void, joined })
        }
        return yield* service.serve(settings, {
          ...steps,
          works: !noWorkers && joined === null,
          migrates: !noMigrate && (joined === null || joined.isFirst),
          drains: true,
          before: isExposed(settings) ? closeDemo : Effect.void,
          joined
        })
      })
    })
  })
).pipe(
  Command.withExamples([
    { command: "parley serve", description: "On the embedded database, for this machine" },
    {
      command:
        "PARLEY_DATABASE_URL=postgres://parley@db/parley PARLEY_MASTER_KEYS=k1:... parley serve --host 0.0.0.0 --base-url https://parley.example",
      description: "On a PostgreSQL server, for other machines"
    },
    {
      command: "PARLEY_DATABASE_URL=... PARLEY_MASTER_KEYS=... parley serve --processes auto",
      description: "With all cores: one process per core, and one for the background work"
    }
  ])
)

export const worker = Command.make(
  "worker",
  { ...workFlags, noMigrate },
  Effect.fn(function* ({ noMigrate, ...flags }) {
    const settings = yield* readSettings({ ...(yield* parley), ...flags })
    yield* requireThisMachine(settings, "worker")
    return yield* together(settings, {
      says: "Parley runs background tasks.",
      posts: (count, of) => of("worker", count),
      run: Effect.fnUntraced(function* ({ ready, stopping }, joined) {
        const service = yield* Effect.promise(() => import("@parley/service"))
        return yield* service.work(settings, {
          ready: () => ready,
          stopping,
          migrates: !noMigrate && (joined === null || joined.isFirst),
          before: Effect.void,
          joined
        })
      })
    })
  })
).pipe(
  Command.withExamples([
    {
      command: "PARLEY_DATABASE_URL=postgres://parley@db/parley PARLEY_MASTER_KEYS=k1:... parley worker",
      description: "Next to `parley serve --no-workers` on the same database"
    }
  ])
)
