import { generateMasterKey } from "@parley/provider-adapters/security"
import { Console, Context, Effect, FileSystem, Layer } from "effect"
import { type SqlClient } from "effect/sql"
import * as BenchDatabase from "./database/BenchDatabase.ts"
import type { Options } from "./Options.ts"
import type { Grounds } from "./servers/contenders.ts"
import { type ChatGrounds, layerPorts } from "./tenants/ports.ts"
import type { Population } from "./tenants/Population.ts"
import { seed } from "./tenants/seed.ts"

/** Common ground of contestants: one database with the same people and rows for all of them. */
export class Arena extends Context.Service<
  Arena,
  {
    readonly grounds: Grounds
    readonly population: Population
    /** A folder that goes when the bench ends. */
    readonly directory: string
    readonly options: Options
  }
>()("@parley/bench/Arena") {}

// No logins run during the measurement of reads: hashing passwords would only make the preparation longer.
const cheapHash = { cost: { memory: 8, passes: 1, parallelism: 1 } }

/** Further needs of a bench. */
export interface ArenaOptions {
  readonly chat?: ChatGrounds
  readonly isUnlimited?: boolean
  readonly hasWorkers?: boolean
  readonly realPasswords?: boolean
  /** How many processes each server has. */
  readonly processes?: number
}

/** The arena, and a connection to its database. */
export const layer = (
  options: Options,
  { chat, hasWorkers = true, isUnlimited = false, processes = 1, realPasswords = false }: ArenaOptions = {}
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const databaseUrl = yield* BenchDatabase.make(options.databaseUrl)
      const masterKeys = yield* generateMasterKey("bench")
      const grounds: Grounds = {
        databaseUrl,
        masterKeys,
        poolSize: options.poolSize,
        isUnlimited,
        hasWorkers,
        processes,
        ...(chat && { chat })
      }
      const ports = layerPorts({ ...grounds, poolSize: 4, ...(!realPasswords && { hashing: cheapHash }) })
      return Layer.effect(
        Arena,
        Effect.gen(function* () {
          yield* Console.log(
            `Preparing ${options.organizations} organizations with ${options.sessionsEach} sessions each, and ${options.rows} automations.`
          )
          const population = yield* seed({
            organizations: options.organizations,
            sessionsEach: options.sessionsEach,
            automations: options.rows
          })
          return { grounds, population, directory: yield* fs.makeTempDirectoryScoped(), options }
        })
      ).pipe(Layer.provideMerge(ports))
    })
  )

export type ArenaServices = Arena | SqlClient.SqlClient
