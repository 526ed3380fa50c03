import { Console, Effect, FileSystem, Path, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Arena from "../Arena.ts"
import { writing } from "../crm/write.ts"
import { readsByWrk } from "../load/readsByWrk.ts"
import { flags, optionsOf } from "../Options.ts"
import { table } from "../report/table.ts"
import { parley } from "../servers/contenders.ts"
import { type Cost, costs, CpuProfile } from "./CpuProfile.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(CpuProfile))

const printCosts = (what: string, all: ReadonlyArray<Cost>, requests: number) => {
  const total = all.reduce((sum, { micros }) => sum + micros, 0)
  return Console.log(
    table(
      [what, "us each", "%"],
      all
        .slice(0, 45)
        .map(({ micros, where }) => [
          where.slice(0, 110),
          (micros / requests).toFixed(2),
          ((100 * micros) / total).toFixed(1)
        ])
    )
  )
}

const readProfile = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = (yield* fs.readDirectory(directory)).find((file) => file.endsWith(".cpuprofile"))
  if (name === undefined) return yield* Effect.die(new Error("Node wrote no profile."))
  return { name, text: yield* fs.readFileString(path.join(directory, name)) }
})

const run = Effect.fnUntraced(function* (what: "reads" | "creations" | "upserts") {
  const { directory, grounds, options } = yield* Arena.Arena
  const calling = what === "reads" ? yield* readsByWrk : yield* writing(what)
  const nodeFlags = ["--cpu-prof", "--cpu-prof-interval", "500", "--cpu-prof-dir", directory]
  const load = yield* Effect.gen(function* () {
    const contestant = calling("parley", yield* parley(grounds, { nodeFlags }))
    yield* contestant.run(options.warmUpSeconds, 0)
    return (yield* contestant.run(options.seconds, 1)).load
  }).pipe(Effect.scoped)
  const { name, text } = yield* readProfile(directory)
  const { files, functions } = costs(yield* decode(text), load.seconds * 1e6)
  yield* printCosts("file (self time)", files, load.requests)
  yield* Console.log("")
  yield* printCosts("function (self time)", functions, load.requests)
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(name, text)
  yield* Console.log(`\n${load.requests} requests. For the developer tools of a browser: ${name}`)
})

/** Where the time of a request goes. */
export const profile = Command.make(
  "profile",
  {
    ...flags,
    of: Flag.Literals("of", ["reads", "creations", "upserts"]).pipe(
      Flag.withDescription("What is profiled: reads of automations, or creations or upserts of contacts"),
      Flag.withDefault("reads")
    )
  },
  Effect.fnUntraced(function* ({ of, ...given }) {
    yield* run(of).pipe(Effect.scoped, Effect.provide(Arena.layer(yield* optionsOf(given), { isUnlimited: true })))
  })
).pipe(Command.withDescription("Where the time of a request goes, by file and by function"))
