import { Effect } from "effect"

/** What the channel has for this need. */
export const has = <A>(part: A | null): Effect.Effect<A> =>
  part === null ? Effect.die(new Error("The channel has no such thing.")) : Effect.succeed(part)
