import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Arena from "../../Arena.ts"
import { ownLine } from "../../chat/provider.ts"
import { flags, optionsOf } from "../../Options.ts"
import { defaultApp } from "@parley/simulators/chat"
import { givenReaders, givenSender } from "../given.ts"
import { startMock, type Mock } from "../provider/control.ts"
import { duty } from "./duty.ts"
import { memory } from "./memory.ts"
import { readsBeside } from "./reads.ts"
import { untilFirst } from "./start.ts"
import { throughput } from "./throughput.ts"

const subjects = ["throughput", "duty", "start", "memory", "reads"] as const
type Subject = (typeof subjects)[number]

interface Size {
  readonly recipients: number
  readonly accounts: number
  readonly processes: number
  readonly perSecond: number
}

/** More than any process can send. */
const unlimited = 1_000_000

/** Maximum messages per second of a number. */
const usualPace = (of: Subject, quick: boolean) => (of === "reads" ? 80 : quick ? 100 : 1_000)

const usual = (of: Subject, quick: boolean) => {
  const recipients = { throughput: 30_000, duty: 0, start: 1_000_000, memory: 200_000, reads: 1_000_000 }
  const few = { throughput: 2_000, duty: 0, start: 10_000, memory: 5_000, reads: 10_000 }
  return (quick ? few : recipients)[of]
}

const run = Effect.fnUntraced(function* (
  of: Subject,
  mock: Mock,
  { accounts, perSecond, processes, recipients }: Size
) {
  const { options } = yield* Arena.Arena
  const isPaced = of === "duty" || of === "reads"
  const senders = of === "throughput" ? accounts : 1
  const all = of === "duty" ? perSecond * (options.seconds + options.warmUpSeconds) : recipients
  yield* Console.log(`Preparing ${all} people who are sent something, by ${senders} numbers.`)
  const lines = Array.from({ length: senders }, (_, place) => ownLine(place))
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE organizations SET plan = 'scale'`
  for (const [place, line] of lines.entries()) yield* givenReaders(place, line, Math.ceil(all / senders))
  yield* sql`VACUUM ANALYZE`
  const given = yield* Effect.forEach(lines, (line) => givenSender(line, isPaced ? perSecond : unlimited))
  const [first] = given
  if (first === undefined) return
  switch (of) {
    case "throughput":
      return yield* throughput(mock, given, recipients, processes)
    case "duty":
      return yield* duty(mock, first, perSecond)
    case "start":
      return yield* untilFirst(mock, first, recipients)
    case "memory":
      return yield* memory(mock, first, recipients)
    case "reads":
      return yield* readsBeside(mock, first, recipients, perSecond)
  }
})

const positive = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))), Flag.optional)

/** P3 and P5 to P8: broadcasts from the list to a provider in a separate process, and back into the list. */
export const broadcastSend = Command.make(
  "broadcast-send",
  {
    ...flags,
    of: Flag.Literals("of", subjects).pipe(
      Flag.withDescription(
        "Measurement: messages at full speed, one number at its pace with all receipts, the time to the first message, the memory of the sender, or reads at half of the server's peak during a broadcast"
      ),
      Flag.withDefault("throughput" as const)
    ),
    recipients: positive("recipients", 10_000_000).pipe(
      Flag.withDescription(
        "To how many it goes (30000 in a round of throughput, 1000000 for start and reads, 200000 for memory)"
      )
    ),
    accounts: positive("accounts", 64).pipe(
      Flag.withDescription("Number of senders at full speed, one organization each (4)")
    ),
    processes: positive("processes", 16).pipe(Flag.withDescription("How many processes send at full speed (1)")),
    perSecond: positive("per-second", 10_000).pipe(
      Flag.withDescription("Messages per second of the paced number (1000) and of the number during reads (80)")
    )
  },
  Effect.fnUntraced(function* ({ accounts, of, perSecond, processes, recipients, ...given }) {
    const { quick } = given
    const size: Size = {
      recipients: Option.getOrElse(recipients, () => usual(of, quick)),
      accounts: Option.getOrElse(accounts, () => 4),
      processes: Option.getOrElse(processes, () => 1),
      perSecond: Option.getOrElse(perSecond, () => usualPace(of, quick))
    }
    const common = yield* optionsOf(given)
    const seconds = Option.getOrElse(given.seconds, () => (quick ? 2 : 60))
    const options = {
      ...common,
      ...(of !== "reads" && { rows: 640, organizations: Math.max(2, size.accounts) }),
      ...(of === "duty" && { seconds, warmUpSeconds: quick ? 2 : 10 })
    }
    yield* Effect.gen(function* () {
      const mock = yield* startMock
      const chat = { url: mock.url, ...defaultApp }
      yield* run(of, mock, size).pipe(Effect.scoped, Effect.provide(Arena.layer(options, { chat, isUnlimited: true })))
    }).pipe(Effect.scoped)
  })
).pipe(Command.withDescription("How fast broadcasts are sent to a provider on this machine, and what that costs"))
