import { generateMasterKey } from "@parley/provider-adapters/security"
import { Console, Context, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { Arena } from "../Arena.ts"
import { flags, type Options } from "../Options.ts"
import type { Grounds } from "../servers/contenders.ts"
import { layerPorts } from "../tenants/ports.ts"
import { type Seeding, seedingOf } from "./seededContacts.ts"
import { leaveNothing, type Visitor, visitors } from "./visitors.ts"

/** The flags of a bench on the database of `seed-contacts`. */
export const contactsFlags = {
  ...flags,
  database: Flag.String("database").pipe(
    Flag.withDescription("The database that seed-contacts made (parley_bench_crm)"),
    Flag.withDefault("parley_bench_crm")
  )
}

/** The callers, and the numbering of contacts. */
export class ContactsArena extends Context.Service<
  ContactsArena,
  { readonly visitors: ReadonlyArray<Visitor>; readonly seeding: Seeding }
>()("@parley/bench/ContactsArena") {}

const cheapHash = { cost: { memory: 8, passes: 1, parallelism: 1 } }

const nobody = { callers: [], users: [], organizations: 0, automationsEach: 0 }

const named = (server: Redacted.Redacted, database: string) => {
  const url = new URL(Redacted.value(server))
  url.pathname = `/${database}`
  return Redacted.make(url.toString())
}

/** The arena on the database of `seed-contacts`, which stays unchanged. */
export const layer = (
  options: Options,
  database: string,
  places: ReadonlyArray<number>,
  connections = 4,
  processes = 1
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const databaseUrl = named(options.databaseUrl, database)
      yield* leaveNothing(databaseUrl)
      const masterKeys = yield* generateMasterKey("bench")
      const grounds: Grounds = { databaseUrl, masterKeys, poolSize: options.poolSize, isUnlimited: true, processes }
      const arena = Layer.effect(
        Arena,
        Effect.gen(function* () {
          return { grounds, population: nobody, directory: yield* fs.makeTempDirectoryScoped(), options }
        })
      )
      const contacts = Layer.effect(
        ContactsArena,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ readonly total: number }>`SELECT sum(count)::integer AS total FROM contact_counts`
          const total = Option.getOrThrow(Option.fromNullishOr(row?.total))
          yield* Console.log(`There are ${total} contacts; ${places.length} organizations are called upon.`)
          return { visitors: yield* visitors(places), seeding: seedingOf(total) }
        })
      )
      return Layer.merge(arena, contacts).pipe(
        Layer.provideMerge(layerPorts({ ...grounds, poolSize: connections, hashing: cheapHash }))
      )
    })
  )
