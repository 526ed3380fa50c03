import { Console, Effect, Schema } from "effect"
import { table } from "../report/table.ts"

/** An invariant was broken. */
export class Broken extends Schema.TaggedError<Broken>()("Broken", { faults: Schema.Int, seed: Schema.Int }) {
  override get message() {
    return `${this.faults} faults with the seed ${this.seed}.`
  }
}

/** An invariant, the number of checks, and the violations. */
export interface Check {
  readonly invariant: string
  readonly looked: number
  readonly faults: ReadonlyArray<string>
}

/** Checks each of these. A returned text is an error. */
export const check = <A>(invariant: string, all: Iterable<A>, faultOf: (one: A) => string | null): Check => {
  let looked = 0
  const faults: Array<string> = []
  for (const one of all) {
    looked += 1
    const fault = faultOf(one)
    if (fault !== null) faults.push(fault)
  }
  return { invariant, looked, faults }
}

/** Looks whether two things are the same. */
export const same = (invariant: string, found: unknown, expected: unknown): Check => {
  const [is, ought] = [JSON.stringify(found), JSON.stringify(expected)]
  return { invariant, looked: 1, faults: is === ought ? [] : [`${is}, not ${ought}`] }
}

const mostShown = 10

/** Prints the results. Fails if any check failed. */
export const conclude = Effect.fnUntraced(function* (seed: number, log: string, checks: ReadonlyArray<Check>) {
  yield* Console.log("")
  yield* Console.log(
    table(
      ["what must be so", "looked at", "faults"],
      checks.map(({ faults, invariant, looked }) => [invariant, String(looked), String(faults.length)])
    )
  )
  for (const { faults, invariant } of checks) {
    if (faults.length === 0) continue
    yield* Console.log(`\n${invariant}:`)
    yield* Effect.forEach(faults.slice(0, mostShown), (fault) => Console.log(`  ${fault}`), { discard: true })
    if (faults.length > mostShown) yield* Console.log(`  and ${faults.length - mostShown} more`)
  }
  const faults = checks.reduce((sum, each) => sum + each.faults.length, 0)
  if (faults === 0) return yield* Console.log(`\nAll of it holds. The seed was ${seed}.`)
  yield* Console.log(`\nThe log of the server is in ${log}. Once more with the same draws: --seed ${seed}`)
  return yield* new Broken({ faults, seed })
})
