import { Effect } from "effect"
import type { Drawing } from "./drawing.ts"
import type { Mortal } from "./mortal.ts"

/** Longer than the detection of a stopped process and the takeover of its lanes. */
export const frozenFor = "12 seconds"

/** Kills processes, which restart, and stops them temporarily, in a random order. */
export const harm = Effect.fnUntraced(function* (
  draws: Drawing,
  { freezes, kills }: { readonly kills: number; readonly freezes: number },
  servers: ReadonlyArray<Mortal>
) {
  const blows = [...Array.from({ length: kills }, () => "kill"), ...Array.from({ length: freezes }, () => "freeze")]
    .map((each) => ({ each, place: draws.between(0, 1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
  for (const { each } of blows) {
    yield* Effect.sleep(draws.between(500, 3_000))
    const server = draws.pick(servers)
    if (each === "freeze") {
      yield* server.freeze(frozenFor)
      continue
    }
    yield* server.kill
    yield* Effect.sleep(draws.between(0, 500))
    yield* server.restart
  }
})
