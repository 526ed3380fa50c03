import { Effect, FileSystem, Redacted } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Arena } from "../Arena.ts"
import { seededIds } from "../tenants/seededIds.ts"
import type { Population } from "../tenants/Population.ts"
import { ToolFailed } from "./ToolFailed.ts"

/** The statement of the read by id, as the service sends it, on a random row. */
const scriptFor = ({ automationsEach, organizations }: Population) => {
  const { firstAutomation, firstOrganization, start } = seededIds
  return `\\set place random(0, ${organizations - 1})
\\set automation ${firstAutomation} + :place * ${automationsEach} + random(0, ${automationsEach - 1})
\\set organization ${firstOrganization} + :place
SELECT id, name, enabled, disabled_reason AS "disabledReason", position, trigger AS "when", condition AS "if", actions AS "then",
    enabled_after_position AS "enabledAfter", created_at AS "createdAt", updated_at AS "updatedAt", version FROM automations
  WHERE organization_id = ('${start}' || :organization)::uuid AND id = ('${start}' || :automation)::uuid;
`
}

interface PgbenchOptions {
  readonly databaseUrl: Redacted.Redacted
  readonly statement: string
  readonly clients: number
  readonly seconds: number
}

// Gives statements a second.
const pgbench = Effect.fnUntraced(function* ({ clients, databaseUrl, seconds, statement }: PgbenchOptions) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const address = new URL(Redacted.value(databaseUrl))
  const output = yield* spawner.string(
    ChildProcess.make(
      "pgbench",
      [
        "-n",
        "-M",
        "prepared",
        "-c",
        String(clients),
        "-j",
        String(Math.min(2, clients)),
        "-T",
        String(seconds),
        "-f",
        statement,
        address.pathname.slice(1)
      ],
      {
        extendEnv: true,
        env: {
          PGHOST: address.hostname,
          PGPORT: address.port || "5432",
          PGUSER: decodeURIComponent(address.username),
          PGPASSWORD: Redacted.make(decodeURIComponent(address.password))
        }
      }
    ),
    { includeStderr: true }
  )
  const [, perSecond] = /^tps = ([\d.]+) /m.exec(output) ?? []
  const [, failed] = /^number of failed transactions: (\d+)/m.exec(output) ?? []
  if (perSecond === undefined || failed !== "0") return yield* new ToolFailed({ tool: "pgbench", output })
  return Number(perSecond)
})

/** The contestant that has no service between: it runs this script. */
export const byPgbench = Effect.fnUntraced(function* (script: string, name = "statement") {
  const { directory, grounds } = yield* Arena
  const fs = yield* FileSystem.FileSystem
  const statement = `${directory}/${name}.sql`
  yield* fs.writeFileString(statement, script)
  return {
    name: "pgbench",
    pids: [],
    run: (seconds: number) =>
      Effect.map(pgbench({ databaseUrl: grounds.databaseUrl, statement, clients: 32, seconds }), (perSecond) => ({
        perSecond,
        load: null
      }))
  }
})

/** Reads of random automations without a service between. */
export const readsByPgbench = Effect.flatMap(Arena, ({ population }) => byPgbench(scriptFor(population)))
