import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import * as Arena from "../Arena.ts"
import { readsByPgbench } from "../load/pgbench.ts"
import { readsByWrk } from "../load/readsByWrk.ts"
import { flags, optionsOf } from "../Options.ts"
import { conclude } from "../report/conclude.ts"
import type { Bar } from "../report/print.ts"
import { ratioOf } from "../report/summary.ts"
import { interleave } from "../rounds.ts"
import { fastify, other, otherFlag, otherParley, parley, processesFlag } from "../servers/contenders.ts"
import type { RunningServer } from "../servers/launch.ts"
import { requireSameAnswers } from "./sameAnswers.ts"

const startServers = Effect.fnUntraced(function* (checkout: Option.Option<string>) {
  const { grounds } = yield* Arena.Arena
  const servers: Array<readonly [string, RunningServer]> = [["parley", yield* parley(grounds)]]
  for (const { name, server } of yield* otherParley(grounds, checkout)) servers.push([name, server])
  for (const remembers of ["nothing", "tokens", "standing"] as const) {
    servers.push([`fastify (${remembers})`, yield* fastify(grounds, remembers)])
  }
  return servers
})

const barsOf = (rounds: Parameters<typeof ratioOf>[2], checkout: Option.Option<string>): ReadonlyArray<Bar> => [
  { ...ratioOf("parley", "pgbench", rounds), atLeast: 0.4 },
  { ...ratioOf("parley", "fastify (nothing)", rounds), atLeast: 1.5 },
  { ...ratioOf("parley", "fastify (tokens)", rounds), atLeast: 1.5 },
  { ...ratioOf("parley", "fastify (standing)", rounds), atLeast: 1.5 },
  ...(Option.isSome(checkout) ? [{ ...ratioOf(other, "parley", rounds), atLeast: null }] : [])
]

const run = Effect.fnUntraced(function* (checkout: Option.Option<string>) {
  const { population } = yield* Arena.Arena
  const servers = yield* startServers(checkout)
  yield* requireSameAnswers(servers, population)
  const byWrk = yield* readsByWrk
  const rounds = yield* interleave([...servers.map(([name, server]) => byWrk(name, server)), yield* readsByPgbench])
  yield* conclude("p1", rounds, barsOf(rounds, checkout))
})

/** P1: an authenticated read by id, against Fastify and against PostgreSQL itself. */
export const p1 = Command.make(
  "p1",
  {
    ...flags,
    ...processesFlag,
    ...otherFlag
  },
  Effect.fnUntraced(function* ({ other, processes, ...given }) {
    yield* run(other).pipe(Effect.scoped, Effect.provide(Arena.layer(yield* optionsOf(given), { processes })))
  })
).pipe(
  Command.withDescription("An authenticated read by id, against Fastify with pg and against pgbench"),
  Command.withExamples([{ command: "npm run bench -- p1" }])
)
